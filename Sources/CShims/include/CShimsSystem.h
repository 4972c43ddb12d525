#ifndef TAPEDECK_CSHIMS_SYSTEM_H
#define TAPEDECK_CSHIMS_SYSTEM_H

#include <spawn.h>

/// Names the calling thread for debuggers; the first 15 octets count.
void tapedeck_name_thread(const char *name);

/// From now on the calling thread gets `signal`, whichever thread it comes to: a handler in that one passes it on.
/// The calling thread has it blocked and takes it with sigwait. Returns 0, or -1 with errno.
int tapedeck_take_signal(int signal);

/// posix_spawn_file_actions_addchdir_np, which not every feature set shows.
int tapedeck_spawn_in(posix_spawn_file_actions_t *actions, const char *directory);

#ifndef __APPLE__
/// posix_spawn_file_actions_addclosefrom_np, likewise.
int tapedeck_spawn_close_from(posix_spawn_file_actions_t *actions, int first);
#endif

#endif
