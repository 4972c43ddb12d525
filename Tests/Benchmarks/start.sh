#!/usr/bin/env bash
# Start-up to the first answer with many interactions, beside nginx's start in the same run.
#
# Usage: Tests/Benchmarks/start.sh [INTERACTIONS [ROUNDS]]
set -euo pipefail

count=${1:-1000} rounds=${2:-5}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tapedeck=${TAPEDECK:-$root/.build/release/tapedeck}
[ -x "$tapedeck" ] || (cd "$root" && swift build -c release --product tapedeck)

python3 - "$work" "$count" "$rounds" "$tapedeck" <<'PY'
import json, os, socket, statistics, subprocess, sys, time

work, count, rounds, tapedeck = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
folder = f"{work}/cassette/interactions"
os.makedirs(folder)
with open(f"{work}/cassette/cassette.json", "w") as f:
    json.dump({"version": 1, "form": "reverse", "upstreams": ["http://api.example"]}, f)
for n in range(count):
    document = {"id": n, "name": f"Item {n}", "text": "x" * 900}
    interaction = {
        "request": {"method": "GET", "url": f"http://api.example/items/{n}", "headers": []},
        "response": {"status": 200, "reason": "OK", "headers": ["Content-Type: application/json"],
                     "framing": "length", "body": {"json": document, "layout": "spaced"}}}
    with open(f"{folder}/get-items-{n}.{n:06x}.1.json", "w") as f:
        json.dump(interaction, f, indent=2)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def first_answer(command, port, path):
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                with socket.create_connection(("127.0.0.1", port), 5) as s:
                    s.sendall(f"GET {path} HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\n\r\n".encode())
                    answer = s.recv(65536)
                    if not answer.startswith(b"HTTP/1.1 200"):
                        sys.exit(f"unexpected answer: {answer[:200]!r}")
                    return (time.monotonic() - began) * 1000
            except OSError:
                time.sleep(0.0005)
    finally:
        process.terminate()
        process.wait()


figures = {"nginx": [], "tapedeck": []}
for _ in range(rounds):
    port = free_port()
    with open(f"{work}/nginx.conf", "w") as f:
        f.write(f"daemon off; pid {work}/nginx.pid; error_log {work}/error.log; events {{}}"
                f" http {{ access_log off; server {{ listen 127.0.0.1:{port}; location / {{ return 200 x; }} }} }}")
    figures["nginx"].append(first_answer(["nginx", "-p", work, "-c", f"{work}/nginx.conf"], port, "/"))
    port = free_port()
    figures["tapedeck"].append(first_answer(
        [tapedeck, "replay", "--listen", f"127.0.0.1:{port}", "--control", "off", f"{work}/cassette"], port,
        f"/items/{count - 1}"))
a, b = (statistics.median(figures[name]) for name in ("nginx", "tapedeck"))
print(f"start to first answer, {count} interactions: nginx {a:.1f} ms, tapedeck {b:.1f} ms, ratio {b / a:.1f}")
PY
