#!/usr/bin/env python3
"""What a held connection costs: connections on which `timeout` holds a request, their memory in the deck, and how soon
all of it is free once the clients have left.

Usage: Tests/Benchmarks/held.py [CONNECTIONS]
"""

import socket
import sys
import time

from deck import Deck, allow_descriptors, request


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    allow_descriptors(count + 500)
    deck = Deck({"version": 1, "routes": {"a": {"match": "GET /a", "variants": {"default": {"fault": "timeout"}}}}})
    try:
        def hold(number):
            clients = [socket.create_connection(("127.0.0.1", deck.port)) for _ in range(number)]
            for client in clients:
                client.sendall(request("/a"))
            return clients

        def settle(wanted, limit):
            """Waits until the deck has so many descriptors; gives the seconds that it took."""
            start = time.perf_counter()
            while abs(deck.descriptors() - wanted) > 2 and time.perf_counter() - start < limit:
                time.sleep(0.02)
            return time.perf_counter() - start

        idle = deck.descriptors()
        for client in hold(100):
            client.close()
        settle(idle, 5)
        before = deck.memory()
        clients = hold(count)
        settle(idle + count, 30)
        time.sleep(1)
        held = deck.descriptors() - idle
        used = deck.memory() - before
        for client in clients:
            client.close()
        freed = settle(idle, 10)
        left = deck.descriptors() - idle
        print(f"held {held} connections: {used / max(1, held):.0f} octets each; "
              f"{left} left {freed:.2f} s after the clients; {(deck.memory() - before) / count:.0f} octets each kept")
    finally:
        deck.stop()


main()
