/// What a server shows in a handshake: a certificate, and the key that proves it.
package struct TLSIdentity: Sendable {
    package let certificate: Certificate
    let key: PrivateKey
}
