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

# Starts a deck and sets `pid`, `proxy` and `control`.
start() {
    "$program" replay --config "$work/tapedeck.json" --listen localhost:0 --control localhost:0 \
        --ready-file "$work/ready" --quiet cassettes > "$work/log" 2>&1 &
    pid=$!
    for _ in $(seq 100); do [ -s "$work/ready" ] && break; sleep 0.1; done
    proxy=$(python3 -c "import json; print(json.load(open('$work/ready'))['proxy'])")
    control=$(python3 -c "import json; print(json.load(open('$work/ready'))['control'])")
}

for seed in "${@:-1}"; do
    start
    # An exchange of each kind, for the journal and the metrics to have something.
    for path in items none; do curl -s -o /dev/null "$proxy/$path"; done
    curl -s "$control/metrics" | python3 -c '
import sys
from prometheus_client.parser import text_string_to_metric_families
families = list(text_string_to_metric_families(sys.stdin.read()))
assert {"tapedeck_exchanges", "tapedeck_exchange_seconds"} <= {family.name for family in families}, families
print("metrics:", len(families), "families,", sum(len(family.samples) for family in families), "samples")'
    # Events never end, and a stop ends the deck: it is tried by itself below.
    (cd "$work" && schemathesis run "$control/openapi.json" --checks all --seed "$seed" --no-color \
        --max-examples "${MAX_EXAMPLES:-60}" --suppress-health-check all --exclude-path /events --exclude-path /stop)
    (cd "$work" && schemathesis run "$control/openapi.json" --checks all --seed "$seed" --no-color --mode negative \
        --max-examples 20 --suppress-health-check all --include-path /stop)
    curl -s -o /dev/null -X POST -H 'Content-Type: application/json' -d '{}' "$control/stop"
    wait "$pid"
    pid=
done
