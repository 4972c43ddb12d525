#include "CShimsLoop.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static _Thread_local void *current_loop;

void *tapedeck_current_loop(void) { return current_loop; }

void tapedeck_set_current_loop(void *loop) { current_loop = loop; }

static int prepare(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return -errno;
    return fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 ? -errno : 0;
}

int tapedeck_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe(ends) < 0) return -errno;
    for (int i = 0; i < 2; i++) {
        int result = prepare(ends[i]);
        if (result < 0) {
            close(ends[0]);
            close(ends[1]);
            return result;
        }
    }
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

void tapedeck_pipe_signal(int writing) {
    ssize_t ignored = write(writing, "w", 1);
    (void)ignored;
}

void tapedeck_pipe_drain(int reading) {
    char octets[512];
    while (read(reading, octets, sizeof octets) > 0) {
    }
}
