#!/usr/bin/env bash
# Installs the system packages that tapedeck needs: the one list of them, for the README, CI and the Dockerfile alike.
#
#   install-deps.sh [runtime|build|test|all]
#
# runtime  what the program stands on
# build    what building it needs, beside a Swift toolchain (https://www.swift.org/install/linux)
# test     what the tests run
# all      build and test (the default)
#
# Works with apt, on Debian 12 and Ubuntu 24.04. Quiet; asks nothing; does nothing when everything is there already.
set -euo pipefail

# libcurl4 brings OpenSSL (libssl3, libssl3t64 on Ubuntu), which HTTPS towards clients stands on, too.
runtime_packages=(libcurl4 libbrotli1 libzstd1 zlib1g libstdc++6 ca-certificates)
build_packages=(libcurl4-openssl-dev libssl-dev zlib1g-dev libbrotli-dev libzstd-dev pkg-config)
# A Swift toolchain from swift.org stands on these; Swift's own images have them.
build_packages+=(binutils g++ git libc6-dev libncurses6 libsqlite3-0 libxml2)
test_packages=(curl nginx-light openssl python3 python3-requests shellcheck strace wget)

say() { printf 'install-deps: %s\n' "$*" >&2; }

choose() {
    case "$1" in
        runtime) packages=("${runtime_packages[@]}") ;;
        build) packages=("${build_packages[@]}") ;;
        test) packages=("${test_packages[@]}") ;;
        all) packages=("${build_packages[@]}" "${test_packages[@]}") ;;
        *)
            say "unknown set of packages '$1'; there are runtime, build, test and all"
            exit 2
            ;;
    esac
}

# Where there is no apt it can only be said what is needed.
explain() {
    if [ "$(uname -s)" = Darwin ]; then
        say "on macOS libcurl and zlib come with the system; install the rest with Homebrew:"
        say "    brew install pkg-config openssl@3 brotli zstd nginx python shellcheck"
    else
        say "there is no apt-get here. Install what your system calls these Debian packages:"
        say "    ${packages[*]}"
    fi
    exit 1
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

find_missing() {
    missing=()
    for package in "${packages[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
}

# Whoever runs this may be root, as in a container, or needs sudo.
choose_root() {
    as_root=()
    [ "$(id -u)" = 0 ] && return
    if ! command -v sudo >/dev/null; then
        say "needs root, or sudo, to install: ${missing[*]}"
        exit 1
    fi
    as_root=(sudo)
}

# apt-get says much; it is shown only if it fails.
run_apt() {
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" >"$log" 2>&1 </dev/null; then
        cat "$log" >&2
        say "apt-get $1 failed; its words are above"
        exit 1
    fi
}

# A server that is installed for the tests must not start by itself: they start their own.
policy=/usr/sbin/policy-rc.d
forbid_services() {
    [ -e "$policy" ] && return
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
    has_policy=yes
}

clean_up() {
    rm -f "$log"
    if [ "$has_policy" = yes ]; then "${as_root[@]}" rm -f "$policy"; fi
}

choose "${1:-all}"
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then explain; fi
find_missing
[ ${#missing[@]} -eq 0 ] && exit 0

choose_root
log=$(mktemp)
has_policy=no
trap clean_up EXIT
say "installing ${missing[*]}"
forbid_services
run_apt update
run_apt install --no-install-recommends "${missing[@]}"
