#ifndef TAPEDECK_CSHIMS_TLS_H
#define TAPEDECK_CSHIMS_TLS_H

// OpenSSL's macros, as functions. Handles are plain pointers here, so that nobody who imports this header needs OpenSSL's.
// Each gives 1 for fine, as OpenSSL's own do.

// Sets a context (SSL_CTX) up for a server of TLS 1.2 and 1.3 that keeps no sessions and hands out no tickets: every handshake
// is whole, so that every client looks at the certificate. An input that ends without a word is an end, after which answers
// still go out. Idle connections keep no buffers, and a write that would block may be
// repeated from another address.
int tapedeck_tls_prepare_context(void *context);

// A key on P-256 (an EVP_PKEY, owned by the caller), or null.
void *tapedeck_tls_make_key(void);

#endif
