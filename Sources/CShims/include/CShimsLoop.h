#ifndef TAPEDECK_CSHIMS_LOOP_H
#define TAPEDECK_CSHIMS_LOOP_H

// A pointer per thread, and a pipe that wakes a poll(2).

// The event loop that runs on this thread, or null.
void *tapedeck_current_loop(void);
void tapedeck_set_current_loop(void *loop);

// A pipe that blocks at neither end and is not inherited; 0, or a negative errno.
int tapedeck_pipe(int *reading, int *writing);
// Writes one octet; a full pipe is as good.
void tapedeck_pipe_signal(int writing);
// Takes out all octets.
void tapedeck_pipe_drain(int reading);

#endif
