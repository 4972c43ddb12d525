#!/usr/bin/env python3
"""How exact and how smooth a rate is: 64 KiB a second over ten seconds.

Prints the rate of an answer, and the most of it that came within any 20 ms; then the rate of an upload.

Usage: Tests/Benchmarks/throttle.py [SECONDS]
"""

import socket
import sys
import time

from deck import Deck, request


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    rate = 64 << 10
    body = "x" * (rate * seconds)
    deck = Deck({"version": 1, "routes": {"a": {"match": "GET /a", "variants": {"default": {
        "status": 200, "body": body, "bandwidth": rate}}},
        "b": {"match": "POST /b", "variants": {"default": {"status": 204, "bandwidth": rate}}}}})
    try:
        client = socket.create_connection(("127.0.0.1", deck.port))
        client.sendall(request("/a"))
        start = time.perf_counter()
        came = []
        total = 0
        while total < len(body):
            piece = client.recv(65_536)
            if not piece:
                raise SystemExit("the answer was cut")
            total += len(piece)
            came.append((time.perf_counter() - start, len(piece)))
        took = time.perf_counter() - start
        client = socket.create_connection(("127.0.0.1", deck.port))
        client.sendall(f"POST /b HTTP/1.1\r\nHost: bench\r\nContent-Length: {len(body)}\r\n\r\n".encode())
        start = time.perf_counter()
        client.sendall(body.encode())
        if not client.recv(65_536):
            raise SystemExit("the upload was cut")
        uploaded = time.perf_counter() - start
    finally:
        deck.stop()
    most = max(sum(size for at, size in came if begin <= at < begin + 0.02) for begin, _ in came)
    print(f"{total} octets in {took:.2f} s: {total / took / rate * 100:.1f} % of {rate} octets a second; "
          f"most within 20 ms: {most} octets ({most / (rate / 50):.2f} times a fiftieth)")
    print(f"{len(body)} octets up in {uploaded:.2f} s: {len(body) / uploaded / rate * 100:.1f} % of the rate")


main()
