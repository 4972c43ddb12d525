#if defined(__linux__)

#define _GNU_SOURCE
#include "CShimsEpoll.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int tapedeck_epoll_create(void) {
    int fd = epoll_create1(EPOLL_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int control(int epoll, int operation, int fd, uint32_t interest, uint64_t token) {
    struct epoll_event event = {0};
    if (interest & TAPEDECK_READ) event.events |= EPOLLIN | EPOLLRDHUP;
    if (interest & TAPEDECK_WRITE) event.events |= EPOLLOUT;
    if (interest & TAPEDECK_EDGE) event.events |= EPOLLET;
    event.data.u64 = token;
    return epoll_ctl(epoll, operation, fd, &event) < 0 ? -errno : 0;
}

int tapedeck_epoll_add(int epoll, int fd, uint32_t interest, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, fd, interest, token);
}

int tapedeck_epoll_modify(int epoll, int fd, uint32_t interest, uint64_t token) {
    return control(epoll, EPOLL_CTL_MOD, fd, interest, token);
}

int tapedeck_epoll_remove(int epoll, int fd) {
    return control(epoll, EPOLL_CTL_DEL, fd, 0, 0);
}

int tapedeck_epoll_wait(int epoll, struct tapedeck_event *events, int capacity, int milliseconds) {
    struct epoll_event raw[256];
    int count = epoll_wait(epoll, raw, capacity < 256 ? capacity : 256, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) {
        uint32_t seen = raw[i].events;
        uint32_t ready = 0;
        if (seen & EPOLLIN) ready |= TAPEDECK_READ;
        if (seen & EPOLLOUT) ready |= TAPEDECK_WRITE;
        if (seen & EPOLLRDHUP) ready |= TAPEDECK_END;
        if (seen & (EPOLLERR | EPOLLHUP)) ready |= TAPEDECK_FAILED;
        events[i].token = raw[i].data.u64;
        events[i].ready = ready;
    }
    return count;
}

int tapedeck_eventfd_create(void) {
    int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

void tapedeck_eventfd_signal(int fd) {
    uint64_t one = 1;
    // A full counter would refuse, and then the wake-up is pending anyway.
    ssize_t ignored = write(fd, &one, sizeof one);
    (void)ignored;
}

#endif
