#ifndef TAPEDECK_CSHIMS_CURL_H
#define TAPEDECK_CSHIMS_CURL_H

// libcurl's variadic functions, once for each type of argument, and its callbacks with their types spelled out.
// Handles are plain pointers here, so that nobody who imports this header needs libcurl's. Every function gives
// libcurl's own code: a CURLcode for an easy handle, a CURLMcode for a multi handle.

#include <stddef.h>
#include <stdint.h>

// CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION, CURLOPT_READFUNCTION: octets, size, count, context.
typedef size_t (*tapedeck_curl_octets_callback)(char *octets, size_t size, size_t count, void *context);
// CURLOPT_DEBUGFUNCTION: handle, curl_infotype, octets, size, context.
typedef int (*tapedeck_curl_debug_callback)(void *easy, int kind, char *octets, size_t size, void *context);
// CURLOPT_PREREQFUNCTION: context, peer's address, own address, peer's port, own port.
typedef int (*tapedeck_curl_prereq_callback)(void *context, char *peer, char *own, int peer_port, int own_port);
// CURLOPT_RESOLVER_START_FUNCTION: resolver state, reserved, context.
typedef int (*tapedeck_curl_resolver_callback)(void *state, void *reserved, void *context);
// CURLOPT_CLOSESOCKETFUNCTION: context, descriptor.
typedef int (*tapedeck_curl_close_callback)(void *context, int socket);
// CURLMOPT_SOCKETFUNCTION: easy handle, descriptor, CURL_POLL_…, context, context of the descriptor.
typedef int (*tapedeck_curl_socket_callback)(void *easy, int socket, int what, void *context, void *socket_context);
// CURLMOPT_TIMERFUNCTION: multi handle, milliseconds (-1 for none), context.
typedef int (*tapedeck_curl_timer_callback)(void *multi, long milliseconds, void *context);
// CURLOPT_TRAILERFUNCTION: where to put a list of lines, context.
typedef int (*tapedeck_curl_trailer_callback)(void **list, void *context);
// CURLOPT_OPENSOCKETFUNCTION: context, purpose, a struct curl_sockaddr.
typedef int (*tapedeck_curl_open_callback)(void *context, int purpose, void *address);

int tapedeck_curl_set_long(void *easy, int option, long value);
int tapedeck_curl_set_offset(void *easy, int option, int64_t value);
int tapedeck_curl_set_string(void *easy, int option, const char *value);
int tapedeck_curl_set_pointer(void *easy, int option, void *value);
int tapedeck_curl_set_octets_callback(void *easy, int option, tapedeck_curl_octets_callback callback);
int tapedeck_curl_set_debug_callback(void *easy, tapedeck_curl_debug_callback callback);
int tapedeck_curl_set_prereq_callback(void *easy, tapedeck_curl_prereq_callback callback);
int tapedeck_curl_set_resolver_callback(void *easy, tapedeck_curl_resolver_callback callback);
int tapedeck_curl_set_close_callback(void *easy, tapedeck_curl_close_callback callback);
int tapedeck_curl_set_open_callback(void *easy, tapedeck_curl_open_callback callback);
int tapedeck_curl_set_trailer_callback(void *easy, tapedeck_curl_trailer_callback callback);
int tapedeck_curl_get_long(void *easy, int info, long *value);

int tapedeck_curl_multi_set_long(void *multi, int option, long value);
int tapedeck_curl_multi_set_pointer(void *multi, int option, void *value);
int tapedeck_curl_multi_set_socket_callback(void *multi, tapedeck_curl_socket_callback callback);
int tapedeck_curl_multi_set_timer_callback(void *multi, tapedeck_curl_timer_callback callback);
// Takes the next finished transfer off the multi handle's list: 1 with its easy handle and CURLcode, 0 when none is left.
int tapedeck_curl_multi_next_done(void *multi, void **easy, int *code);

// A socket that a program started later does not inherit, for the address that libcurl hands to its open callback.
int tapedeck_curl_open_socket(void *address);
// A copy of the descriptor that a CURLOPT_CONNECT_ONLY transfer has connected, which never blocks and is not inherited; a negative
// errno where there is none. The transfer's own is closed with it.
int tapedeck_curl_take_socket(void *easy);
// Closes a socket.
void tapedeck_curl_close_socket(int socket);
// Takes what has come on a connection that nobody waits for and ends it on both sides, so that libcurl finds it dead.
void tapedeck_curl_spoil_socket(int socket);

#endif
