#!/usr/bin/env python3
"""Server CPU for a look-up in a small and in a large cassette, in one run; start-up time and memory beside.

Usage: Tests/Benchmarks/lookup.py [--tapedeck PATH] [--small 100] [--large 100000] [--requests 40000] [--rounds 5]

Each round asks both decks for the same number of recorded requests, chosen at random among all of the cassette, over
kept connections; what counts is the CPU time of the server's process. The last line is the ratio of the medians.
"""

import argparse
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

PIPELINE = 16


def write(folder, count):
    os.makedirs(f"{folder}/interactions")
    with open(f"{folder}/cassette.json", "w") as f:
        json.dump({"version": 1, "form": "reverse", "upstreams": ["http://api.example"]}, f)
    for n in range(count):
        document = {"id": n, "name": f"Item {n}", "text": "x" * 900}
        interaction = {
            "request": {"method": "GET", "url": f"http://api.example/items/{n}?page=1", "headers": []},
            "response": {"status": 200, "reason": "OK", "headers": ["Content-Type: application/json"],
                         "framing": "length", "body": {"json": document, "layout": "spaced"}}}
        with open(f"{folder}/interactions/get-items-{n}.{n:06x}.1.json", "w") as f:
            json.dump(interaction, f, indent=2)


class Deck:
    def __init__(self, tapedeck, folder, count):
        self.count = count
        self.ready = f"{folder}.ready"
        began = time.monotonic()
        self.process = subprocess.Popen(
            [tapedeck, "replay", "--listen", "127.0.0.1:0", "--control", "off", "--quiet", "--ready-file", self.ready,
             folder], stdout=subprocess.DEVNULL)
        while not os.path.exists(self.ready):
            if self.process.poll() is not None:
                raise SystemExit("tapedeck did not start")
            time.sleep(0.001)
        self.start = time.monotonic() - began
        self.startCPU = self.cpu()
        with open(self.ready) as f:
            self.port = int(json.load(f)["proxy"].rsplit(":", 1)[1])

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, name):
        with open(f"/proc/{self.process.pid}/status") as f:
            return next(int(line.split()[1]) for line in f if line.startswith(name)) / 1024

    def ask(self, numbers):
        """Microseconds of server CPU for each request."""
        before = self.cpu()
        with socket.create_connection(("127.0.0.1", self.port)) as s:
            for start in range(0, len(numbers), PIPELINE):
                part = numbers[start:start + PIPELINE]
                s.sendall(b"".join(
                    f"GET /items/{n}?page=1 HTTP/1.1\r\nHost: api.example\r\n\r\n".encode() for n in part))
                left = len(part)
                while left:
                    data = s.recv(1 << 20)
                    if not data:
                        raise SystemExit("the deck closed the connection")
                    left -= data.count(b'"name": "Item ')
        return (self.cpu() - before) / len(numbers) * 1e6

    def stop(self):
        self.process.terminate()
        self.process.wait()


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser()
    parser.add_argument("--tapedeck", default=f"{root}/.build/release/tapedeck")
    parser.add_argument("--small", type=int, default=100)
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--requests", type=int, default=40_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    work = tempfile.mkdtemp()
    generator = random.Random(1)
    decks = []
    try:
        for count in (options.small, options.large):
            write(f"{work}/{count}", count)
            deck = Deck(options.tapedeck, f"{work}/{count}", count)
            decks.append(deck)
            print(f"{count} interactions: ready after {deck.start * 1000:.0f} ms ({deck.startCPU * 1000:.0f} ms of CPU), "
                  f"{deck.memory('VmRSS'):.0f} MiB")
        figures = [[], []]
        for _ in range(options.rounds + 1):
            for deck, list_ in zip(decks, figures):
                list_.append(deck.ask([generator.randrange(deck.count) for _ in range(options.requests)]))
        small, large = (statistics.median(list_[1:]) for list_ in figures)
        for deck in decks:
            print(f"{deck.count} interactions: {deck.memory('VmHWM'):.0f} MiB at most")
        print(f"load {os.getloadavg()[0]:.1f}; CPU for a request: {small:.1f} µs with {options.small} interactions, "
              f"{large:.1f} µs with {options.large}, ratio {large / small:.2f}")
    finally:
        for deck in decks:
            deck.stop()
        shutil.rmtree(work)


main()
