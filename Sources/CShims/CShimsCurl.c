#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CShims.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

int tapedeck_curl_set_long(void *easy, int option, long value) {
    return curl_easy_setopt(easy, (CURLoption)option, value);
}

int tapedeck_curl_set_offset(void *easy, int option, int64_t value) {
    return curl_easy_setopt(easy, (CURLoption)option, (curl_off_t)value);
}

int tapedeck_curl_set_string(void *easy, int option, const char *value) {
    return curl_easy_setopt(easy, (CURLoption)option, value);
}

int tapedeck_curl_set_pointer(void *easy, int option, void *value) {
    return curl_easy_setopt(easy, (CURLoption)option, value);
}

int tapedeck_curl_set_octets_callback(void *easy, int option, tapedeck_curl_octets_callback callback) {
    return curl_easy_setopt(easy, (CURLoption)option, callback);
}

int tapedeck_curl_set_debug_callback(void *easy, tapedeck_curl_debug_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, (curl_debug_callback)(void *)callback);
}

int tapedeck_curl_set_prereq_callback(void *easy, tapedeck_curl_prereq_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

int tapedeck_curl_set_resolver_callback(void *easy, tapedeck_curl_resolver_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, callback);
}

int tapedeck_curl_set_open_callback(void *easy, tapedeck_curl_open_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, (curl_opensocket_callback)(void *)callback);
}

int tapedeck_curl_set_close_callback(void *easy, tapedeck_curl_close_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}

int tapedeck_curl_set_trailer_callback(void *easy, tapedeck_curl_trailer_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_TRAILERFUNCTION, (curl_trailer_callback)(void *)callback);
}

int tapedeck_curl_get_long(void *easy, int info, long *value) {
    return curl_easy_getinfo(easy, (CURLINFO)info, value);
}

int tapedeck_curl_multi_set_long(void *multi, int option, long value) {
    return curl_multi_setopt(multi, (CURLMoption)option, value);
}

int tapedeck_curl_multi_set_pointer(void *multi, int option, void *value) {
    return curl_multi_setopt(multi, (CURLMoption)option, value);
}

int tapedeck_curl_multi_set_socket_callback(void *multi, tapedeck_curl_socket_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

int tapedeck_curl_multi_set_timer_callback(void *multi, tapedeck_curl_timer_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

int tapedeck_curl_multi_next_done(void *multi, void **easy, int *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *easy = message->easy_handle;
            *code = (int)message->data.result;
            return 1;
        }
    }
    return 0;
}

int tapedeck_curl_open_socket(void *address) {
    const struct curl_sockaddr *wanted = address;
    int type = wanted->socktype;
#ifdef SOCK_CLOEXEC
    type |= SOCK_CLOEXEC;
#endif
    int fd = socket(wanted->family, type, wanted->protocol);
#ifndef SOCK_CLOEXEC
    if (fd >= 0) {
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
#endif
    return fd;
}

int tapedeck_curl_take_socket(void *easy) {
    curl_socket_t connected = CURL_SOCKET_BAD;
    if (curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &connected) != CURLE_OK || connected == CURL_SOCKET_BAD) {
        return -ENOTCONN;
    }
    int fd = fcntl(connected, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) {
        int failure = errno;
        (void)close(fd);
        return -failure;
    }
    return fd;
}

void tapedeck_curl_close_socket(int socket) {
    (void)close(socket);
}

void tapedeck_curl_spoil_socket(int socket) {
    char octets[4096];
    ssize_t count;
    // Ended first, so that a peer who goes on sending cannot keep this going.
    (void)shutdown(socket, SHUT_RDWR);
    do {
        count = recv(socket, octets, sizeof octets, MSG_DONTWAIT);
    } while (count > 0 || (count < 0 && errno == EINTR));
}
