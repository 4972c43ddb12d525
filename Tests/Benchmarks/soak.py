#!/usr/bin/env python3
"""Mixed traffic against a recording and a replaying deck: keep-alive, pipelining, aborts at every point, slow clients.

soak.py [SECONDS] [CLIENTS] [TAPEDECK]: prints resident memory and descriptors of both decks as time goes, and at the end what
clients got. Ends with 1 if an answer was wrong, a deck died, or memory or descriptors grew after the first quarter.
Most of what is recorded goes by a route that stores nothing: what a run has stored it also keeps in mind, by design.
"""
import json, os, random, shutil, socket, struct, subprocess, sys, tempfile, threading, time

SECONDS = int(sys.argv[1]) if len(sys.argv) > 1 else 600
CLIENTS = int(sys.argv[2]) if len(sys.argv) > 2 else 500
PROGRAM = os.path.abspath(sys.argv[3] if len(sys.argv) > 3 else ".build/release/tapedeck")
CONFIGURATION = {"version": 1, "routes": {"live": {"match": "* /live/{rest...}?*", "record": False}}}
counts, lock, over = {}, threading.Lock(), threading.Event()


def count(what):
    with lock:
        counts[what] = counts.get(what, 0) + 1


class Connection:
    def __init__(self, port):
        self.sock = socket.create_connection(("127.0.0.1", port), 30)
        self.data = b""

    def fill(self):
        piece = self.sock.recv(65536)
        if not piece:
            raise EOFError
        self.data += piece

    def until(self, mark):
        while mark not in self.data:
            self.fill()
        taken, self.data = self.data.split(mark, 1)
        return taken

    def take(self, length):
        while len(self.data) < length:
            self.fill()
        taken, self.data = self.data[:length], self.data[length:]
        return taken

    def answer(self):
        head = self.until(b"\r\n\r\n")
        body = b""
        if b"ransfer-Encoding: chunked" in head:
            while (size := int(self.until(b"\r\n"), 16)) > 0:
                body += self.take(size)
                self.until(b"\r\n")
            self.until(b"\r\n")
        else:
            length = next(l for l in head.split(b"\r\n") if l.lower().startswith(b"content-length:"))
            body = self.take(int(length.split(b":")[1]))
        return int(head.split(b" ", 2)[1]), body

    def reset(self):
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


def body_of(target):
    number = int(target.rsplit("/", 1)[1])
    return (b"%d," % number) * (1 + number % 2_000)


def request(target, method="GET", body=b""):
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    return f"{method} {target} HTTP/1.1\r\nHost: a.test\r\n{length}\r\n".encode() + body


def check(connection, target):
    status, body = connection.answer()
    fine = status == 200 and body == body_of(target)
    count("answered" if fine else f"WRONG: {status} for {target}")


def keep_alive(port, target):
    connection = Connection(port)
    for _ in range(20):
        connection.sock.sendall(request(target))
        check(connection, target)
    connection.sock.close()


def pipelined(port, target):
    connection = Connection(port)
    connection.sock.sendall(request(target) * 10)
    for _ in range(10):
        check(connection, target)
    connection.sock.close()


def upload(port, target):
    connection = Connection(port)
    connection.sock.sendall(request(target, "GET", b"q" * 50_000))
    connection.answer()
    connection.sock.close()
    count("uploaded")


def aborted(port, target):
    connection, octets = Connection(port), request(target, "GET", b"q" * 3_000)
    connection.sock.sendall(octets[: random.randrange(1, len(octets))])
    if random.random() < 0.5:
        connection.sock.settimeout(random.random() / 10)
        try:
            connection.sock.recv(10)
        except TimeoutError:
            pass
    connection.reset() if random.random() < 0.7 else connection.sock.close()
    count("aborted")


def slow(port, target):
    connection = Connection(port)
    for octet in request(target):
        connection.sock.sendall(bytes([octet]))
        over.wait(0.02)
    check(connection, target)
    connection.sock.close()


def client(ports):
    acts = [keep_alive] * 4 + [pipelined] * 3 + [aborted] * 3 + [slow, upload]
    while not over.is_set():
        kind, port = random.choice(list(ports.items()))
        act = random.choice(acts)
        number = random.randrange(200)
        target = f"/kept/{number}" if kind == "replay" else f"/live/{number}"
        if act is upload and kind == "replay":
            act = keep_alive
        try:
            act(port, target)
        except (OSError, EOFError, ValueError) as error:
            if act is not aborted and not over.is_set():
                count(f"WRONG: {act.__name__} on {kind}: {error!r}")
        over.wait(random.random() * CLIENTS / 500)


def serve(sock):
    with sock:
        connection = Connection.__new__(Connection)
        connection.sock, connection.data = sock, b""
        try:
            while True:
                head = connection.until(b"\r\n\r\n")
                for line in head.split(b"\r\n"):
                    if line.lower().startswith(b"content-length:"):
                        connection.take(int(line.split(b":")[1]))
                body = body_of(head.split(b" ")[1].decode())
                if len(body) % 2:
                    sock.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))
                else:
                    sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        except (OSError, EOFError):
            pass


def upstream():
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)

    def accept():
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def start(folder, mode, *arguments):
    ready = f"{folder}/ready-{mode}"
    if os.path.exists(ready):
        os.remove(ready)
    deck = subprocess.Popen([PROGRAM, mode, "--listen", "127.0.0.1:0", "--control", "off", "--quiet", "--ready-file", ready, *arguments],
                            stdout=subprocess.DEVNULL, stderr=open(f"{folder}/{mode}.log", "ab"))
    while not os.path.exists(ready):
        if deck.poll() is not None:
            sys.exit(f"{mode} ended with {deck.returncode}: {open(f'{folder}/{mode}.log').read()[-500:]}")
        time.sleep(0.01)
    return deck, int(json.load(open(ready))["proxy"].rsplit(":", 1)[1])


def figures(deck):
    with open(f"/proc/{deck.pid}/status") as status:
        resident = next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))
    return resident, len(os.listdir(f"/proc/{deck.pid}/fd"))


def main():
    folder, backend = tempfile.mkdtemp(), f"http://127.0.0.1:{upstream()}"
    json.dump(CONFIGURATION, open(f"{folder}/tapedeck.json", "w"))
    deck, port = start(folder, "record", "--upstream", backend, f"{folder}/kept")
    for number in range(200):
        connection = Connection(port)
        connection.sock.sendall(request(f"/kept/{number}"))
        check(connection, f"/kept/{number}")
        connection.sock.close()
    deck.terminate()
    deck.wait()
    decks, ports = {}, {}
    decks["record"], ports["record"] = start(
        folder, "record", "--config", f"{folder}/tapedeck.json", "--upstream", backend, f"{folder}/live")
    decks["replay"], ports["replay"] = start(folder, "replay", f"{folder}/kept")
    threads = [threading.Thread(target=client, args=(ports,)) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    series, started = {"record": [], "replay": []}, time.monotonic()
    while (passed := time.monotonic() - started) < SECONDS:
        time.sleep(min(SECONDS / 16, 30))
        line = f"{passed:5.0f} s"
        for name, deck in decks.items():
            if deck.poll() is not None:
                count(f"WRONG: {name} ended with {deck.returncode}")
                over.set()
                break
            series[name].append(figures(deck))
            line += f" | {name}: {series[name][-1][0]:6.1f} MiB, {series[name][-1][1]:4} descriptors"
        print(line, flush=True)
        if over.is_set():
            break
    over.set()
    for thread in threads:
        thread.join()
    time.sleep(3)
    grown = False
    for name, deck in decks.items():
        resident, descriptors = figures(deck) if deck.poll() is None else (0, 0)
        if not series[name]:
            continue
        early = max(figure[0] for figure in series[name][: max(1, len(series[name]) // 4)])
        grown = grown or resident > early * 1.3 + 8 or descriptors > 64 * (os.cpu_count() or 1) + 60  # Each loop keeps up to 64 connections upstream.
        print(f"{name}: {resident:.1f} MiB and {descriptors} descriptors after all clients have left")
        deck.terminate()
        if deck.wait() != 0:
            count(f"WRONG: {name} ended with {deck.returncode}")
    for what, number in sorted(counts.items()):
        print(f"{number:8} {what}")
    for name in decks:
        for line in open(f"{folder}/{name}.log", errors="replace"):
            if "atal error" in line or "crashed" in line:
                print(f"{name}: {line.rstrip()}")
    shutil.rmtree(folder)
    sys.exit(1 if grown or any(what.startswith("WRONG") for what in counts) else 0)


main()
