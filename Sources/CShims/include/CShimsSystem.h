#ifndef TAPEDECK_CSHIMS_SYSTEM_H
#define TAPEDECK_CSHIMS_SYSTEM_H

/// Names the calling thread for debuggers; the first 15 octets count.
void tapedeck_name_thread(const char *name);

#endif
