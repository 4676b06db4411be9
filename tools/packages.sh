#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: packages.sh build|lintian|install [FOLDER]
# Debian packages of the last commit, made in FOLDER (build-debian): `build` makes them, without the tests unless
# DEB_BUILD_OPTIONS says otherwise; `lintian` has them checked; `install` puts them on a bare Debian of this one's release, in
# a folder of its own, runs the README's session and the examples there, and takes them off again, which needs root, mmdebstrap
# and Debian's archive. Exit code: 0 good, 1 not, 77 something is missing.
set -eu
action=${1:-}
cd "$(dirname "$0")/.."
folder=$(realpath -m "${2:-build-debian}")
[ -z "${OLD:-}" ] || OLD=$(realpath "$OLD")
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)

lack()
{
    echo "packages: skipped, $*"
    exit 77
}

case $action in
build)
    command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null && command -v dh_python3 >/dev/null ||
        lack 'there is no dpkg-buildpackage, debhelper or dh-python'
    rm -rf "$folder"
    mkdir -p "$folder"
    git archive --prefix="gpucode-$version/" HEAD | tar -C "$folder" -x
    cd "$folder/gpucode-$version"
    export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-nocheck noautodbgsym}"
    profiles=
    case $DEB_BUILD_OPTIONS in *nocheck*) profiles=-Pnocheck ;; esac
    # shellcheck disable=SC2086
    dpkg-buildpackage -us -uc -ui $profiles >"$folder/log" 2>&1 || {
        tail -n 40 "$folder/log"
        exit 1
    }
    ls "$folder"/*.deb
    ;;
lintian)
    command -v lintian >/dev/null || lack 'there is no lintian'
    lintian --allow-root --fail-on error,warning --info "$folder"/*.changes
    ;;
install)
    command -v mmdebstrap >/dev/null || lack 'there is no mmdebstrap'
    [ "$(id -u)" = 0 ] || lack 'only root may set up a Debian'
    . /etc/os-release
    root=$folder/root
    rm -rf "$root"
    mmdebstrap --quiet --variant=minbase "$VERSION_CODENAME" "$root" >"$folder/bare.log" 2>&1 || {
        tail -n 5 "$folder/bare.log"
        lack "Debian's archive cannot be reached"
    }
    mkdir "$root/packages"
    cp "$folder"/*"_${version}"_*.deb "$root/packages"
    # what belongs to what was packed, not to what the tree has become
    cd "$folder/gpucode-$version"
    if [ -n "${OLD:-}" ]; then
        mkdir "$root/packages/old"
        cp "$OLD"/*.deb "$root/packages/old"
    fi
    cp debian/tests/session tests/docs/sessions.py tools/packages_inside.sh "$root/packages"
    code=0
    chroot "$root" sh /packages/packages_inside.sh >"$folder/install.log" 2>&1 </dev/null || code=$?
    [ $code = 0 ] || tail -n 40 "$folder/install.log"
    rm -rf --one-file-system "$root"
    [ $code != 0 ] || tail -n 3 "$folder/install.log"
    exit $code
    ;;
*)
    sed -n 's/^# usage/usage/p' "$0" >&2
    exit 2
    ;;
esac
