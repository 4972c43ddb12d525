#!/usr/bin/env python3
"""How exact chosen delays are: 1,000 exchanges at once, each delayed by 50 ms to 5 s, on kept connections.

Prints the error above the chosen delay. The client is one thread over epoll; what it adds is measured beside, by the
same number of exchanges without a delay.

Usage: Tests/Benchmarks/delay.py [EXCHANGES]
"""

import select
import socket
import sys
import time

from deck import Deck, allow_descriptors, percentile, request


def measure(port, delays):
    """Sends one request on each connection; gives each answer's time beyond its delay, in milliseconds."""
    poll = select.epoll()
    waiting = {}
    for delay in delays:
        client = socket.create_connection(("127.0.0.1", port))
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setblocking(False)
        waiting[client.fileno()] = [client, delay, 0.0]
    for number, entry in waiting.items():
        poll.register(number, select.EPOLLIN)
    errors = []
    # One a millisecond: a burst would measure the line before the deck, not its clock.
    unsent = list(waiting.values())
    next_at = time.perf_counter()
    while waiting:
        while unsent and time.perf_counter() >= next_at:
            entry = unsent.pop()
            entry[2] = time.perf_counter()
            entry[0].send(request(f"/{entry[1]}"))
            next_at += 0.001
        for number, _ in poll.poll(0.0005 if unsent else 20):
            now = time.perf_counter()
            client, delay, start = waiting.pop(number)
            answer = client.recv(65_536)
            if not answer.startswith(b"HTTP/1.1 200 "):
                raise SystemExit(f"no answer: {answer[:60]}")
            errors.append((now - start) * 1000 - delay)
            poll.unregister(number)
            client.close()
    return errors


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    allow_descriptors(count * 2 + 100)
    delays = [50 + round(4_950 * index / count) for index in range(count)]
    routes = {f"d{delay}": {"match": f"GET /{delay}", "variants": {"default": {
        "status": 200, "body": "late", "latency": f"{delay}ms"}}} for delay in set(delays)}
    routes["d0"] = {"match": "GET /0", "variants": {"default": {"status": 200, "body": "late"}}}
    deck = Deck({"version": 1, "routes": routes})
    try:
        late = measure(deck.port, delays)
        plain = measure(deck.port, [0] * count)
    finally:
        deck.stop()
    for name, errors in (("delayed", late), ("without delay", plain)):
        print(f"{name}: {len(errors)} exchanges, above the chosen delay: p50 {percentile(errors, .5):.2f} ms, "
              f"p99 {percentile(errors, .99):.2f} ms, most {max(errors):.2f} ms, least {min(errors):.2f} ms")


main()
