#!/usr/bin/env bash
# Fuzzes what reads octets from outside: run.sh [SECONDS] [NAME]. Each for SECONDS (60); NAME is a file here without "Fuzz.swift".
# An input that breaks a claim is left in Regressions/NAME, where the tests replay it. FUZZ_BUILD names a folder that keeps the
# compiled modules for the next time.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
seconds=${1:-60}
only=${2:-}
work=$(mktemp -d)
build=${FUZZ_BUILD:-$work/build}
package=$(basename "$root" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9_]/_/g')
# Swift's own backtrace can't run beside the address sanitizer.
export SWIFT_BACKTRACE=enable=no
trap 'rm -rf "$work"' EXIT

# The modules with counters in them; SwiftPM links no executable around a main function that is libFuzzer's own.
swift build -c release -j 2 --package-path "$root" --scratch-path "$build" --target FuzzTargets \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -g >"$work/build.log" || {
    tail -20 "$work/build.log"
    exit 1
}

# The C modules that the Swift ones stand on.
maps=(-Xcc "-I$root/Sources/CShims/include")
for map in "$build"/release/*.build/module.modulemap "$root"/Sources/C*/module.modulemap "$root"/Sources/C*/include/module.modulemap; do
    if [ -f "$map" ]; then maps+=(-Xcc "-fmodule-map-file=$map"); fi
done

fuzz() {
    name=$1
    cat >"$work/$name.swift" <<ENTRY
import FuzzTargets

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    fuzz$name([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}
ENTRY
    find "$build"/release/ -name '*.o' -path '*.build/*' >"$work/objects"
    swiftc -O -use-ld=lld -sanitize=fuzzer,address -parse-as-library -package-name "$package" -module-name "${name}Entry" \
        -I "$build/release/Modules" "${maps[@]}" "$work/$name.swift" "@$work/objects" \
        -lcurl -lz -lbrotlidec -lbrotlienc -lbrotlicommon -lzstd -o "$work/$name"
    mkdir -p "$work/found-$name" "$here/Regressions/$name"
    echo "$name: $seconds s"
    "$work/$name" -max_total_time="$seconds" -max_len=4096 -timeout=5 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$here/Regressions/$name/" "${dictionary[@]}" "$work/found-$name" "$here/Corpus/$name" \
        "$here/Regressions/$name"
}

for file in "$here"/*Fuzz.swift; do
    name=$(basename "$file" Fuzz.swift)
    case $name in
    JSONText | CassetteFile | Configuration) dictionary=("-dict=$here/json.dict") ;;
    *) dictionary=() ;;
    esac
    if [ -z "$only" ] || [ "$only" = "$name" ]; then fuzz "$name"; fi
done
