#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the three files of projects/gpucode for a checkout of OSS-Fuzz. Where the tree is published and who is asked are
# facts of whoever hands it in; nothing is written while one of them is missing.
#
#     hand_in.sh OSS_FUZZ HOMEPAGE REPOSITORY CONTACT...      the first contact is the primary one
set -eu
wrong() {
    echo "hand_in: $*" >&2
    exit 2
}
[ $# -ge 4 ] || wrong 'usage: hand_in.sh OSS_FUZZ HOMEPAGE REPOSITORY CONTACT...'
target=$1/projects homepage=$2 repository=$3
shift 3
[ -d "$target" ] || wrong "$target: no such folder; the first argument is a checkout of OSS-Fuzz"
for address in "$homepage" "$repository"; do
    case $address in
    *[!A-Za-z0-9./:_~%+-]*) wrong "$address: no address" ;;
    https://?*.?*) ;;
    *) wrong "$address: an address that begins with https:// is needed" ;;
    esac
done
for contact; do
    case $contact in
    *[!A-Za-z0-9.@_+-]* | *@*@*) wrong "$contact: no mail address" ;;
    ?*@?*.?*) ;;
    *) wrong "$contact: no mail address" ;;
    esac
done
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$target/gpucode"
{
    printf 'homepage: "%s"\nmain_repo: "%s"\nprimary_contact: "%s"\n' "$homepage" "$repository" "$1"
    shift
    [ $# = 0 ] || printf 'auto_ccs:\n'
    for contact; do
        printf '  - "%s"\n' "$contact"
    done
    grep -v '^#' "$here/project.yaml"
} >"$target/gpucode/project.yaml"
grep -v '^# For projects' "$here/Dockerfile" | sed "s|@REPOSITORY@|$repository|" >"$target/gpucode/Dockerfile"
cp "$here/../../.clusterfuzzlite/build.sh" "$target/gpucode/build.sh"
echo "$target/gpucode: project.yaml, Dockerfile, build.sh"
