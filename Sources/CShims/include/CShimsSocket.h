#ifndef TAPEDECK_CSHIMS_SOCKET_H
#define TAPEDECK_CSHIMS_SOCKET_H

// TCP sockets that never block and are never inherited. Every function that can fail gives a negative errno then.

#include <stddef.h>

// Listens on a numeric address; port 0 picks a free one. Gives the descriptor and stores the port.
// -EINVAL for a host that is no address; an IPv6 socket takes IPv6 only.
int tapedeck_listen(const char *host, int port, int backlog, int *bound);

// Stops listening but keeps the port: the kernel refuses clients, those that wait too, and lets no other socket have it.
// -ENOTSUP on systems other than Linux.
int tapedeck_refuse(int listener);

// Listens again after tapedeck_refuse.
int tapedeck_listen_again(int listener, int backlog);

// Takes a waiting connection, without Nagle's delay, and writes "ADDRESS:PORT" of its client, with a final NUL.
int tapedeck_accept(int listener, char *peer, size_t capacity);

// Octets read; 0 at the end of input.
long tapedeck_receive(int socket, void *octets, size_t count);

// Sends three pieces as one, leaving out the first `skip` octets, and gives how many octets were taken. No SIGPIPE.
long tapedeck_send(
    int socket, const void *first, size_t first_count, const void *second, size_t second_count, const void *third,
    size_t third_count, size_t skip);

// Ends the sending side: the client reads the end of input.
void tapedeck_finish(int socket);

// Makes the coming close(2) send RST, and drops what was not sent yet.
void tapedeck_reset_on_close(int socket);

void tapedeck_close(int socket);

#endif
