#include "CShimsTLS.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

int tapedeck_tls_prepare_context(void *context) {
    SSL_CTX *tls = context;
    if (SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) != 1) return 0;
    if (SSL_CTX_set_max_proto_version(tls, TLS1_3_VERSION) != 1) return 0;
    (void)SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
    (void)SSL_CTX_set_options(
        tls, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    if (SSL_CTX_set_num_tickets(tls, 0) != 1) return 0;
    (void)SSL_CTX_set_mode(
        tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    return 1;
}

void *tapedeck_tls_make_key(void) { return EVP_EC_gen("P-256"); }
