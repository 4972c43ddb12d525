#!/usr/bin/env python3
"""How much memory a recording deck takes while bodies of 1 GiB pass, down and up, with a length and in chunks.

memory.py [TAPEDECK] [MIB]: prints the peak of the resident memory (VmHWM) after each, in MiB, and ends with 1 if one
took 64 MiB or more. A body in chunks has no announced length, so up to --max-body (here 16 MiB) of it is kept.
"""
import os, socket, subprocess, sys, tempfile, threading, time, json, shutil

BLOCK = bytes(range(256)) * 256


def read_head(sock):
    data = b""
    while b"\r\n\r\n" not in data:
        piece = sock.recv(65536)
        if not piece:
            return None, b""
        data += piece
    head, rest = data.split(b"\r\n\r\n", 1)
    return head, rest


def serve(sock, size):
    """One upstream connection: /down and /chunks send `size` octets, a POST is read and counted."""
    with sock:
        while True:
            head, rest = read_head(sock)
            if head is None:
                return
            if head.startswith(b"POST"):
                got = drain(sock, rest, size if b"ontent-Length" in head else None)
                text = str(got).encode()
                sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
            elif b"/chunks" in head.split(b"\r\n")[0]:
                sock.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in range(size // len(BLOCK)):
                    sock.sendall(b"%x\r\n%s\r\n" % (len(BLOCK), BLOCK))
                sock.sendall(b"0\r\n\r\n")
            else:
                sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
                for _ in range(size // len(BLOCK)):
                    sock.sendall(BLOCK)


def drain(sock, rest, length):
    """Counts the octets of a body; one in chunks is over with its last five octets."""
    got, tail = len(rest), rest[-5:]
    while (got < length) if length is not None else tail != b"0\r\n\r\n":
        piece = sock.recv(1 << 20)
        if not piece:
            break
        got += len(piece)
        tail = (tail + piece)[-5:]
    return got


def upstream(size):
    listener = socket.create_server(("127.0.0.1", 0))

    def accept():
        while True:
            try:
                sock = listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=serve, args=(sock, size), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener


def peak(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


def ask(port, kind, size):
    sock = socket.create_connection(("127.0.0.1", port))
    with sock:
        if kind == "up":
            sock.sendall(b"POST /up HTTP/1.1\r\nHost: a.test\r\nContent-Length: %d\r\n\r\n" % size)
            for _ in range(size // len(BLOCK)):
                sock.sendall(BLOCK)
        elif kind == "up-chunks":
            sock.sendall(b"POST /up HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in range(size // len(BLOCK)):
                sock.sendall(b"%x\r\n%s\r\n" % (len(BLOCK), BLOCK))
            sock.sendall(b"0\r\n\r\n")
        else:
            sock.sendall(b"GET /%s HTTP/1.1\r\nHost: a.test\r\n\r\n" % kind.encode())
        head, rest = read_head(sock)
        if kind.startswith("up"):
            return 0
        return drain(sock, rest, size if kind == "down" else None)


def run(program, kind, size, folder):
    listener, ready = upstream(size), os.path.join(folder, f"ready-{kind}")
    deck = subprocess.Popen(
        [program, "record", "--listen", "127.0.0.1:0", "--control", "off", "--max-body", str(16 << 20), "--quiet", "--ready-file",
         ready, "--upstream", f"http://127.0.0.1:{listener.getsockname()[1]}", os.path.join(folder, kind)],
        stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        while not os.path.exists(ready):
            time.sleep(0.01)
        port = int(json.load(open(ready))["proxy"].rsplit(":", 1)[1])
        before, started = peak(deck.pid), time.monotonic()
        ask(port, kind, size)
        took = time.monotonic() - started
        after = peak(deck.pid)
        print(f"{kind:10} {size >> 20} MiB in {took:5.1f} s: peak {after:6.1f} MiB, at start {before:.1f} MiB", flush=True)
        return after
    finally:
        deck.terminate()
        deck.wait()
        listener.close()


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release/tapedeck")
    size = int(sys.argv[2] if len(sys.argv) > 2 else 1024) << 20
    folder = tempfile.mkdtemp()
    try:
        peaks = [run(program, kind, size, folder) for kind in ("down", "up", "chunks", "up-chunks")]
    finally:
        shutil.rmtree(folder)
    sys.exit(0 if max(peaks) < 64 else 1)


main()
