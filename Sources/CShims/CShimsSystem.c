#define _GNU_SOURCE
#include "CShimsSystem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

void tapedeck_name_thread(const char *name) {
    char cut[16] = {0};
    strncpy(cut, name, sizeof cut - 1);
#ifdef __APPLE__
    pthread_setname_np(cut);
#else
    pthread_setname_np(pthread_self(), cut);
#endif
}

enum { signal_limit = 65 };

/// The thread that takes each signal, as a number; 0 for none.
static _Atomic uintptr_t takers[signal_limit];

/// Async-signal-safe (signal-safety(7)): a lock-free load and pthread_kill.
static void pass_on(int signal) {
    int saved = errno;
    uintptr_t taker = atomic_load(&takers[signal]);
    if (taker != 0) pthread_kill((pthread_t)taker, signal);
    errno = saved;
}

int tapedeck_take_signal(int signal) {
    if (signal <= 0 || signal >= signal_limit) {
        errno = EINVAL;
        return -1;
    }
    atomic_store(&takers[signal], (uintptr_t)pthread_self());
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = pass_on;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    return sigaction(signal, &action, NULL);
}

int tapedeck_spawn_in(posix_spawn_file_actions_t *actions, const char *directory) {
    return posix_spawn_file_actions_addchdir_np(actions, directory);
}

#ifndef __APPLE__
int tapedeck_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
#endif
