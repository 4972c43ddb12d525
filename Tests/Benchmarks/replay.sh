#!/usr/bin/env bash
# Replay of a 1 KiB JSON body beside nginx `return 200`, in one run: requests per second and server CPU per request,
# and the ratio of the CPU figures. Needs wrk and nginx; builds the release program if it is not there.
#
# Usage: Tests/Benchmarks/replay.sh [SECONDS [CONNECTIONS [ROUNDS]]]
set -euo pipefail

seconds=${1:-5} connections=${2:-64} rounds=${3:-3}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; nginx -p "$work" -c "$work/nginx.conf" -s stop 2>/dev/null || true; rm -rf "$work"' EXIT
command -v wrk >/dev/null || { echo "wrk is missing: apt-get install wrk" >&2; exit 2; }

tapedeck=${TAPEDECK:-$root/.build/release/tapedeck}
[ -x "$tapedeck" ] || (cd "$root" && swift build -c release --product tapedeck)

port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
nginx_port=$(port)
body=$(python3 -c 'import json; print(json.dumps({"text": "x" * 1011}), end="")')
cat >"$work/nginx.conf" <<CONF
worker_processes 2;
pid $work/nginx.pid;
error_log $work/error.log;
events { worker_connections 1024; }
http {
    access_log off;
    keepalive_requests 100000000;
    server {
        listen 127.0.0.1:$nginx_port;
        default_type application/json;
        location / { return 200 '$body'; }
    }
}
CONF
nginx -p "$work" -c "$work/nginx.conf"

# shellcheck disable=SC2016 # the command fills in its own variable
"$tapedeck" record --listen 127.0.0.1:0 --control off --quiet --upstream "http://127.0.0.1:$nginx_port" \
    "$work/cassette" -- sh -c 'curl -s -o /dev/null "$TAPEDECK_URL/item"'
"$tapedeck" replay --listen 127.0.0.1:0 --control off --quiet --ready-file "$work/ready.json" "$work/cassette" &
deck=$!
until [ -s "$work/ready.json" ]; do sleep 0.05; done
deck_url=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["proxy"])' "$work/ready.json")

# CPU time of processes so far, in clock ticks.
ticks() { for pid in "$@"; do awk '{ print $14 + $15 }' "/proc/$pid/stat"; done | awk '{ n += $1 } END { print n }'; }

# measure NAME URL PID...: prints requests per second and CPU microseconds per request.
measure() {
    local name=$1 url=$2 before after requests hertz
    shift 2
    hertz=$(getconf CLK_TCK)
    before=$(ticks "$@")
    wrk -t1 -c"$connections" -d"${seconds}s" "$url" >"$work/wrk.txt"
    after=$(ticks "$@")
    grep -q "Non-2xx" "$work/wrk.txt" && { echo "$name answered with other than 2xx:" >&2; cat "$work/wrk.txt" >&2; exit 1; }
    requests=$(awk '/requests in/ { print $1 }' "$work/wrk.txt")
    awk -v n="$name" -v r="$requests" -v s="$seconds" -v t=$((after - before)) -v h="$hertz" \
        'BEGIN { printf "%s %.0f %.2f\n", n, r / s, t / h * 1e6 / r }' | tee -a "$work/results"
}

wrk -t1 -c"$connections" -d1s "$deck_url/item" >/dev/null
mapfile -t workers < <(pgrep -P "$(cat "$work/nginx.pid")")
echo "system requests/s cpu_us/request"
for _ in $(seq "$rounds"); do
    measure nginx "http://127.0.0.1:$nginx_port/item" "${workers[@]}"
    measure tapedeck "$deck_url/item" "$deck"
done
python3 - "$work/results" <<'PY'
import statistics, sys
figures = {}
for line in open(sys.argv[1]):
    name, rate, cpu = line.split()
    figures.setdefault(name, []).append((float(rate), float(cpu)))
median = {name: statistics.median(cpu for _, cpu in rows) for name, rows in figures.items()}
rates = {name: statistics.median(rate for rate, _ in rows) for name, rows in figures.items()}
print(f"median: nginx {median['nginx']:.2f} us, tapedeck {median['tapedeck']:.2f} us, "
      f"ratio {median['tapedeck'] / median['nginx']:.2f}; rates {rates['nginx']:.0f} and {rates['tapedeck']:.0f} requests/s")
PY
