#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: setup.sh [build|check|ci|web|web-check]
# Installs the Debian packages that the build needs, or the tests as well, or all that .ci/run wants: compilers, tools
# and what some tests are skipped without; or what the page is built with, or tested in. Does nothing, and needs no
# network, when all are there; says what it is about to do when not.
set -eu

packages='gcc libc6-dev meson ninja-build pkg-config libexpat1-dev zlib1g-dev libjansson-dev libedit-dev libncurses-dev
    libpng-dev libgraphviz-dev'
# Node from elsewhere brings npm with it, and excludes Debian's.
node=
command -v npm >/dev/null || node='nodejs npm'
case ${1:-build} in
build) ;;
check) packages="$packages libcmocka-dev" ;;
ci) packages="$packages libcmocka-dev ccache g++ clang libclang-rt-dev clang-format valgrind tmux python3 python3-jsonschema
    python3-dev python3-cffi python3-setuptools python3-pytest mypy python3-build python3-wheel abigail-tools debhelper dh-python lintian mmdebstrap elfutils zsh fish" ;;
web) packages="$packages clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev-wasm32 binaryen dpkg-dev $node" ;;
web-check) packages="$packages chromium" ;;
*)
    echo "usage: setup.sh [build|check|ci|web|web-check]" >&2
    exit 2
    ;;
esac

# Elsewhere than on Debian the names differ: then all that can be said is what is missing.
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    for program in cc meson ninja pkg-config; do
        command -v "$program" >/dev/null || {
            echo "setup: $program is missing, and this is no Debian; install what corresponds to:" $packages >&2
            exit 1
        }
    done
    exit 0
fi

missing=
for package in $packages; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
    *' installed') ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

root=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || {
        echo "setup: run as root, there is no sudo: apt-get install$missing" >&2
        exit 1
    }
    root=sudo
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
# lists may be missing or old: fetch them only when the first attempt fails
# another program that installs packages is waited for, ten minutes
install()
{
    $root apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends $missing </dev/null
}
install || {
    $root apt-get -o DPkg::Lock::Timeout=600 update </dev/null
    install
}
