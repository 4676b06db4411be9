#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: install.sh BUILD_FOLDER PREFIX SOURCE_ROOT CC...
# Installs what is built into a new folder and uses it there, as a packager does.
set -u
case $2 in
/*) ;;
*)
    echo "usage: install.sh BUILD_FOLDER PREFIX SOURCE_ROOT CC..." >&2
    exit 2
    ;;
esac
build=$1 prefix=$2 source=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! meson install -C "$build" --no-rebuild --quiet --destdir "$folder" >"$folder/log" 2>&1; then
    cat "$folder/log"
    exit 1
fi
"$(dirname "$0")/installed.sh" "$folder" "$prefix" "$source" "$@"
