#define _GNU_SOURCE
#include "CShimsSystem.h"

#include <pthread.h>
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
