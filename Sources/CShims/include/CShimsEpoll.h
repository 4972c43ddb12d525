#ifndef TAPEDECK_CSHIMS_EPOLL_H
#define TAPEDECK_CSHIMS_EPOLL_H

// epoll(7) and eventfd(2), which the Glibc module does not carry. Every function gives a negative errno on failure.
// Defined on Linux only.

#include <stdint.h>

// What is watched, and what is ready.
enum {
    TAPEDECK_READ = 1,   // octets, or the end of input
    TAPEDECK_WRITE = 2,  // room in the send buffer
    TAPEDECK_END = 4,    // the peer has closed its sending side (EPOLLRDHUP)
    TAPEDECK_FAILED = 8, // error or reset (EPOLLERR, EPOLLHUP)
    TAPEDECK_EDGE = 16,  // report changes only (EPOLLET)
};

struct tapedeck_event {
    uint64_t token;
    uint32_t ready;
};

int tapedeck_epoll_create(void);
int tapedeck_epoll_add(int epoll, int fd, uint32_t interest, uint64_t token);
int tapedeck_epoll_modify(int epoll, int fd, uint32_t interest, uint64_t token);
int tapedeck_epoll_remove(int epoll, int fd);

// Waits at most `milliseconds` (-1: for ever) and fills at most `capacity` events; an interrupted wait gives 0.
int tapedeck_epoll_wait(int epoll, struct tapedeck_event *events, int capacity, int milliseconds);

int tapedeck_eventfd_create(void);
void tapedeck_eventfd_signal(int fd);

#endif
