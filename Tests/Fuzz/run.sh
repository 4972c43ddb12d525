#!/bin/sh
# Fuzzes the pure parsers: run.sh [SECONDS] [NAME]. Each for SECONDS (60); NAME is a file here without "Fuzz.swift".
# An input that breaks a claim is left in Regressions/NAME, where the tests replay it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
sources=$here/../../Sources
seconds=${1:-60}
only=${2:-}
build=$(mktemp -d)
# Swift's own backtrace can't run beside the address sanitizer.
export SWIFT_BACKTRACE=enable=no
trap 'rm -rf "$build"' EXIT

fuzz() {
    name=$1
    swiftc -O -g -use-ld=lld -sanitize=fuzzer,address -parse-as-library -package-name tapedeck -module-name "${name}Fuzz" \
        -D FUZZING "$sources"/HTTPCore/*.swift "$here/${name}Fuzz.swift" -o "$build/$name"
    mkdir -p "$build/found-$name" "$here/Regressions/$name"
    echo "$name: $seconds s"
    "$build/$name" -max_total_time="$seconds" -max_len=4096 -timeout=5 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$here/Regressions/$name/" "$build/found-$name" "$here/Corpus/$name" \
        "$here/Regressions/$name"
}

if [ -n "$only" ]; then
    fuzz "$only"
else
    for file in "$here"/*Fuzz.swift; do
        name=$(basename "$file" Fuzz.swift)
        fuzz "$name"
    done
fi
