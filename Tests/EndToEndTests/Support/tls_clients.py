"""TLS clients of a deck for the end-to-end tests: each speaks CONNECT to the proxy at TAPEDECK_URL, then TLS.

Prints one line of JSON. The deck is this program's parent.
"""

import concurrent.futures
import hashlib
import json
import os
import socket
import ssl
import struct
import sys
import time
from urllib.parse import urlsplit

PROXY = urlsplit(os.environ["TAPEDECK_URL"])
DECK = os.getppid()


def connect(authority="api.example.com:443", fields=""):
    """A connection on which CONNECT was answered, and the head of the answer."""
    sock = socket.create_connection((PROXY.hostname, PROXY.port), 20)
    sock.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{fields}\r\n".encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        octet = sock.recv(1)
        if not octet:
            break
        head += octet
    return sock, head.decode()


def context(protocols=("http/1.1",), version=None):
    made = ssl.create_default_context(cafile=os.environ["TAPEDECK_CA_FILE"])
    made.set_alpn_protocols(list(protocols))
    if version:
        made.minimum_version = made.maximum_version = version
    return made


def secure(made=None, name="api.example.com", authority="api.example.com:443"):
    return (made or context()).wrap_socket(connect(authority)[0], server_hostname=name)


def ask(tls, path="/items", host="api.example.com", method="GET", body=b""):
    """Status and body of an answer with Content-Length; the connection goes on."""
    tls.sendall(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    octets = b""
    while b"\r\n\r\n" not in octets:
        some = tls.recv(65536)
        if not some:
            raise EOFError(f"the head ended after {octets!r}")
        octets += some
    head, _, rest = octets.partition(b"\r\n\r\n")
    fields = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:])
    rest = bytearray(rest)
    while len(rest) < int(fields["Content-Length"]):
        rest += tls.recv(1 << 20)
    return int(head.split(b" ")[1]), bytes(rest)


def outcome(action):
    """What a client makes of it."""
    try:
        return action()
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    except ssl.SSLError as error:
        return error.reason or str(error)
    except OSError as error:
        return type(error).__name__


def hello(name="api.example.com"):
    """The octets of a client's first flight."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        context().wrap_bio(incoming, outgoing, server_hostname=name).do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()


def descriptors():
    return len(os.listdir(f"/proc/{DECK}/fd"))


def processor():
    """Seconds of processor time that the deck has used."""
    with open(f"/proc/{DECK}/stat", encoding="ascii") as file:
        words = file.read().rsplit(") ", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def settle(wanted):
    """Waits until the deck has let go of what was closed; its descriptors then."""
    until = time.monotonic() + 15
    while descriptors() > wanted and time.monotonic() < until:
        time.sleep(0.05)
    return descriptors()


def shakes_hands():
    """Versions, names, protocols, keep-alive, the end of a session."""
    found = {"head": connect()[1]}
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        tls = secure(context(version=version))
        found[tls.version()] = [ask(tls)[0], ask(tls)[0]]
        # The deck answers close_notify with its own.
        tls.settimeout(10)
        tls.unwrap()
    tls = secure()
    found["protocol"] = tls.selected_alpn_protocol()
    certificate = tls.getpeercert()
    found["names"] = certificate["subjectAltName"]
    seconds = [ssl.cert_time_to_seconds(certificate[end]) for end in ("notBefore", "notAfter")]
    found["days"] = (seconds[1] - seconds[0]) / 86400
    found["begins"] = round((time.time() - seconds[0]) / 86400, 1)
    found["address"] = secure(name="127.0.0.1", authority="127.0.0.1:443").getpeercert()["subjectAltName"]
    # A session's name beats the CONNECT's host.
    found["sni"] = secure(name="other.example.com").getpeercert()["subjectAltName"]
    found["h2"] = outcome(lambda: secure(context(["h2"])).version())
    old = context()
    old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    found["old"] = outcome(lambda: secure(old).version())
    found["misdirected"] = ask(secure(), host="other.example.com")[0]
    # A client that ends its side still gets its answer.
    tls = secure(context(version=ssl.TLSVersion.TLSv1_2))
    tls.sendall(b"GET /slow HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
    socket.socket.shutdown(tls, socket.SHUT_WR)
    found["halfClosed"] = tls.recv(100).decode().split("\r\n")[0]
    return found


def shakes_many_hands():
    """Fifty at once, each with a host of its own."""
    def one(number):
        name = f"h{number}.example.com"
        return ask(secure(name=name, authority=f"{name}:443"), host=name)[0]

    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        return {"answers": sorted(set(pool.map(one, range(50))))}


def breaks_off():
    """Handshakes that are cut, nonsense, halved or never ended: nothing stays behind, and no loop spins."""
    ask(secure())
    time.sleep(0.2)
    before = descriptors()
    whole, held = hello(), []
    beginnings = [b"", whole[:1], whole[:3], whole[: len(whole) // 2], whole, b"\x16\x03\x01\x00\x05nonsense" * 20,
                  b"\x16" + bytes(200), b"\x16\x03\x01\xff\xff" + bytes(100), whole + b"nonsense" * 50, b"SSH-2.0-x\r\n",
                  b"GET\x00"]
    for beginning in beginnings:
        for ending in ("hold", "close", "reset", "half"):
            sock = connect()[0]
            sock.sendall(beginning)
            if ending == "half":
                sock.shutdown(socket.SHUT_WR)
            if ending == "reset":
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if ending in ("close", "reset"):
                sock.close()
            else:
                held.append(sock)
    # Broken after a whole handshake, too.
    for octets in (b"\x17\x03\x03\x00\x20" + bytes(32), b"nonsense" * 20):
        tls = secure()
        raw = socket.socket(fileno=os.dup(tls.fileno()))
        raw.sendall(octets)
        held += [tls, raw]
    for _ in range(4):
        held.append(secure())
    begun = processor()
    time.sleep(1)
    spent = processor() - begun
    answer = ask(secure())[0]
    for sock in held:
        sock.close()
    left = settle(before)
    begun = processor()
    time.sleep(0.5)
    return {"spent": spent, "spentAfter": processor() - begun, "answer": answer, "left": left - before}


def sends_much():
    """Twenty megabytes there and back, slowly taken at first."""
    port = os.environ["BACKEND_PORT"]
    authority = f"localhost:{port}"
    body = os.urandom(20_000_000)
    tls = secure(name="localhost", authority=authority)
    status, answer = ask(tls, "/echo", authority, "POST", body)
    again = ask(tls, "/bytes", authority)[0]
    same = hashlib.sha256(answer).digest() == hashlib.sha256(b"POST " + body).digest()
    return {"status": status, "same": same, "again": again}


def is_shown():
    """What a client makes of the certificate that it is shown."""
    return {"ssl": outcome(lambda: secure().version())}


print(json.dumps(globals()[sys.argv[1]]()))
