#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: version.sh SOURCE_ROOT VERSION
# All places that name the version name this one, and the newest entries of both changelogs are its.
set -u
cd "$1" || exit 1
version=$2 bad=0

# file text : the file has it
names()
{
    grep -qF -e "$2" "$1" || {
        echo "FAILED: $1 lacks: $2"
        bad=1
    }
}

names python/gpucode/_version.py "__version__ = \"$version\""
names docs/gpucode.1 "\"gpucode $version\""
names editors/vscode/package.json "\"version\": \"$version\""
names editors/vscode/README.md "gpucode-$version"
names docs/debugger.md "gpucode-$version.vsix"
[ "$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)" = "$version" ] || {
    echo "FAILED: CHANGELOG.md begins with another version"
    bad=1
}
[ "$(sed -n 's/^gpucode (\([0-9.]*\)).*/\1/p' debian/changelog | head -n 1)" = "$version" ] || {
    echo "FAILED: debian/changelog begins with another version"
    bad=1
}
exit $bad
