#!/usr/bin/env bash
# Holds a running deck to its own description of the control API, with schemathesis, and its metrics to Prometheus' own
# parser. Needs a built program, curl, and `pip install schemathesis prometheus_client`.
# Usage: control-api.sh [SEED …]; MAX_EXAMPLES (60) bounds the cases for each operation.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=${TAPEDECK:-$PWD/.build/debug/tapedeck}
work=$(mktemp -d)
pid=
trap 'if [ -n "$pid" ]; then kill "$pid" 2>/dev/null || true; fi; rm -rf "$work"' EXIT

cat > "$work/tapedeck.json" <<'JSON'
{"version": 1,
 "routes": {"items": {"match": "GET /items", "variants": {"default": {"status": 200, "body": "x"}}},
            "login": {"match": "POST /login", "auth": true, "variants": {"default": {"status": 200}}}},
 "scenarios": {"out": {"*": "unauthorized"}, "late": {"items": "slow"}}}
JSON

# start WORD …: starts a deck with these words and sets `pid`, `proxy` and `control`.
start() {
    rm -f "$work/ready"
    "$program" "$1" --config "$work/tapedeck.json" --listen localhost:0 --control localhost:0 --control-token t0ken \
        --ready-file "$work/ready" --quiet "${@:2}" > "$work/log" 2>&1 &
    pid=$!
    for _ in $(seq 100); do [ -s "$work/ready" ] && break; sleep 0.1; done
    proxy=$(python3 -c "import json; print(json.load(open('$work/ready'))['proxy'])")
    control=$(python3 -c "import json; print(json.load(open('$work/ready'))['control'])")
}

# try SEED MAX_EXAMPLES WORD …: holds the deck to its description.
try() {
    (cd "$work" && schemathesis run "$control/openapi.json" -H 'Authorization: Bearer t0ken' --checks all --seed "$1" \
        --no-color --max-examples "$2" --suppress-health-check all "${@:3}")
}

check_metrics() {
    curl -s -H 'Authorization: Bearer t0ken' "$control/metrics" | python3 -c '
import sys
from prometheus_client.parser import text_string_to_metric_families
families = list(text_string_to_metric_families(sys.stdin.read()))
assert {"tapedeck_exchanges", "tapedeck_exchange_seconds"} <= {family.name for family in families}, families
print("metrics:", len(families), "families,", sum(len(family.samples) for family in families), "samples")'
}

for seed in "${@:-1}"; do
    for deck in replay record; do
        if [ "$deck" = replay ]; then
            start replay cassettes
        else
            start record --no-default-session --upstream http://localhost:9 --upstream auth=http://localhost:9 "$work/root"
        fi
        # An exchange of each kind, for the journal and the metrics to have something.
        for path in items none; do curl -s -o /dev/null "$proxy/$path"; done
        check_metrics
        # Events never end, and a stop ends the deck: it is tried by itself, with what is no request to stop.
        try "$seed" "${MAX_EXAMPLES:-60}" --exclude-path /events --exclude-path /stop
        try "$seed" 20 --mode negative --include-path /stop
        curl -s -o /dev/null -X POST -H 'Content-Type: application/json' -H 'Authorization: Bearer t0ken' -d '{}' \
            "$control/stop"
        wait "$pid"
        pid=
    done
done
