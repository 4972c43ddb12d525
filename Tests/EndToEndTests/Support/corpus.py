"""Plays a corpus of exchanges over sockets, octet for octet: one line for each, its parts in Base64.

serve FILE [cut]        answers request /cN/ with the Nth answer, on a free port that it prints; cut: sends half of each
send FILE OUT [gone]    sends every request to TAPEDECK_URL and keeps the answers; gone: leaves before the answer has come
"""
import base64, json, os, re, socket, sys, threading, urllib.parse, urllib.request


def exchanges(path):
    with open(path) as lines:
        return [[base64.b64decode(part) for part in line.split(",")] for line in lines.read().split()]


def read_head(connection):
    octets = b""
    while b"\r\n\r\n" not in octets:
        piece = connection.recv(65536)
        if not piece:
            return octets, b""
        octets += piece
    head, rest = octets.split(b"\r\n\r\n", 1)
    return head, rest


def answer(connection, corpus, is_cut):
    with connection:
        head, rest = read_head(connection)
        number = re.search(rb" /c(\d+)", head)
        if not number:
            return
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        while length and len(rest) < int(length[1]):
            piece = connection.recv(65536)
            if not piece:
                return
            rest += piece
        octets = corpus[int(number[1])][1]
        connection.sendall(octets[: len(octets) // 2 + 1] if is_cut else octets)


def serve(path, mode=""):
    corpus = exchanges(path)
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection, corpus, mode == "cut"), daemon=True).start()


def send(path, out, mode=""):
    url = urllib.parse.urlparse(os.environ["TAPEDECK_URL"])
    with open(out, "w") as kept:
        for octets, _ in exchanges(path):
            with socket.create_connection((url.hostname, url.port), timeout=20) as connection:
                connection.sendall(octets)
                if mode == "gone":
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    continue
                got = b""
                try:
                    while piece := connection.recv(65536):
                        got += piece
                except OSError:
                    pass
                kept.write(base64.b64encode(got).decode() + "\n")
                kept.flush()
    control = os.environ.get("TAPEDECK_CONTROL_URL")
    if control:
        with open("journal.json", "w") as kept:
            kept.write(urllib.request.urlopen(control + "/journal?limit=1000").read().decode())


{"serve": serve, "send": send}[sys.argv[1]](*sys.argv[2:])
