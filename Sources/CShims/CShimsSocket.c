#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "CShimsSocket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void enable(int fd, int level, int option) {
    int one = 1;
    setsockopt(fd, level, option, &one, sizeof one);
}

static int fail(int fd) {
    int code = errno;
    close(fd);
    return -code;
}

#if !defined(__linux__)
static int prepare(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return -1;
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) return -1;
#if defined(SO_NOSIGPIPE)
    enable(fd, SOL_SOCKET, SO_NOSIGPIPE);
#endif
    return 0;
}
#endif

static int open_socket(int family) {
#if defined(__linux__)
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return fd < 0 ? -errno : fd;
#else
    int fd = socket(family, SOCK_STREAM, 0);
    if (fd < 0) return -errno;
    return prepare(fd) < 0 ? fail(fd) : fd;
#endif
}

static int port_of(int fd) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0) return -errno;
    return ntohs(
        address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                      : ((struct sockaddr_in *)&address)->sin_port);
}

// Binds to the address. Linux takes the port from a socket that stops listening unless it was asked for by number: a free one
// is picked by another socket, which holds it until this one has it.
static int bind_to(int fd, struct addrinfo *info) {
#if defined(__linux__)
    in_port_t *port = info->ai_family == AF_INET6 ? &((struct sockaddr_in6 *)info->ai_addr)->sin6_port
                                                  : &((struct sockaddr_in *)info->ai_addr)->sin_port;
    if (*port == 0) {
        int picker = open_socket(info->ai_family);
        if (picker < 0) return picker;
        enable(picker, SOL_SOCKET, SO_REUSEADDR);
        if (info->ai_family == AF_INET6) enable(picker, IPPROTO_IPV6, IPV6_V6ONLY);
        if (bind(picker, info->ai_addr, info->ai_addrlen) < 0) return fail(picker);
        int picked = port_of(picker);
        if (picked > 0) *port = htons((in_port_t)picked);
        int result = bind(fd, info->ai_addr, info->ai_addrlen) < 0 ? -errno : 0;
        close(picker);
        return result;
    }
#endif
    return bind(fd, info->ai_addr, info->ai_addrlen) < 0 ? -errno : 0;
}

int tapedeck_listen(const char *host, int port, int backlog, int *bound) {
    struct addrinfo hints = {0};
    struct addrinfo *info = NULL;
    char service[8];
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
    hints.ai_socktype = SOCK_STREAM;
    snprintf(service, sizeof service, "%d", port);
    if (getaddrinfo(host, service, &hints, &info) != 0) return -EINVAL;

    int fd = open_socket(info->ai_family);
    if (fd < 0) {
        freeaddrinfo(info);
        return fd;
    }
    // A port whose old connections linger may be taken again; one that is listened on may not.
    enable(fd, SOL_SOCKET, SO_REUSEADDR);
    // On Linux, accepted sockets inherit it.
    enable(fd, IPPROTO_TCP, TCP_NODELAY);
    if (info->ai_family == AF_INET6) enable(fd, IPPROTO_IPV6, IPV6_V6ONLY);
    int result = bind_to(fd, info);
    freeaddrinfo(info);
    if (result < 0) {
        close(fd);
        return result;
    }
    if (listen(fd, backlog) < 0) return fail(fd);
    result = port_of(fd);
    if (result < 0) {
        close(fd);
        return result;
    }
    *bound = result;
    return fd;
}

int tapedeck_refuse(int listener) {
#if defined(__linux__)
    int zero = 0;
    // While it is set, another socket that has it too could listen on the port meanwhile.
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &zero, sizeof zero) < 0) return -errno;
    return shutdown(listener, SHUT_RD) < 0 ? -errno : 0;
#else
    (void)listener;
    return -ENOTSUP;
#endif
}

int tapedeck_listen_again(int listener, int backlog) {
    // Connections of before may linger.
    enable(listener, SOL_SOCKET, SO_REUSEADDR);
    return listen(listener, backlog) < 0 ? -errno : 0;
}

static void describe(const struct sockaddr_storage *address, char *text, size_t capacity) {
    char host[INET6_ADDRSTRLEN] = "?";
    if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
        inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
        snprintf(text, capacity, "[%s]:%d", host, ntohs(six->sin6_port));
    } else {
        const struct sockaddr_in *four = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
        snprintf(text, capacity, "%s:%d", host, ntohs(four->sin_port));
    }
}

int tapedeck_accept(int listener, char *peer, size_t capacity) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    memset(&address, 0, sizeof address);
#if defined(__linux__)
    int fd = accept4(listener, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return -errno;
#else
    int fd = accept(listener, (struct sockaddr *)&address, &length);
    if (fd < 0) return -errno;
    if (prepare(fd) < 0) return fail(fd);
    enable(fd, IPPROTO_TCP, TCP_NODELAY);
#endif
    describe(&address, peer, capacity);
    return fd;
}

long tapedeck_receive(int socket, void *octets, size_t count) {
    ssize_t result;
    do {
        result = recv(socket, octets, count, 0);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -(long)errno : (long)result;
}

#if defined(MSG_NOSIGNAL)
#define SEND_FLAGS MSG_NOSIGNAL
#else
#define SEND_FLAGS 0
#endif

long tapedeck_send(
    int socket, const void *first, size_t first_count, const void *second, size_t second_count, const void *third,
    size_t third_count, size_t skip) {
    const void *starts[3] = {first, second, third};
    size_t counts[3] = {first_count, second_count, third_count};
    struct iovec pieces[3];
    int used = 0;
    for (int i = 0; i < 3; i++) {
        if (skip >= counts[i]) {
            skip -= counts[i];
            continue;
        }
        pieces[used].iov_base = (char *)starts[i] + skip;
        pieces[used].iov_len = counts[i] - skip;
        used++;
        skip = 0;
    }
    if (used == 0) return 0;

    ssize_t result;
    do {
        if (used == 1) {
            result = send(socket, pieces[0].iov_base, pieces[0].iov_len, SEND_FLAGS);
        } else {
            struct msghdr message = {0};
            message.msg_iov = pieces;
            message.msg_iovlen = used;
            result = sendmsg(socket, &message, SEND_FLAGS);
        }
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -(long)errno : (long)result;
}

void tapedeck_finish(int socket) { shutdown(socket, SHUT_WR); }

void tapedeck_reset_on_close(int socket) {
    struct linger now = {.l_onoff = 1, .l_linger = 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

void tapedeck_close(int socket) { close(socket); }
