#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: client.sh GPUCODE SOURCE_FOLDER BUILD_FOLDER
# A session with the client library that Visual Studio Code's own adapters are tested with, fetched from the npm registry.
program=$(realpath "$1")
for tool in node npm; do
    if ! command -v $tool >/dev/null; then
        echo "skipped: no $tool"
        exit 77
    fi
done
mkdir -p "$3/npm" && cd "$3/npm" || exit 1
if [ ! -d node_modules/@vscode/debugadapter-testsupport ]; then
    if ! npm install --silent --no-audit --no-fund --ignore-scripts @vscode/debugadapter-testsupport@1.68.0 >npm.log 2>&1; then
        echo "skipped: npm cannot fetch the client library"
        exit 77
    fi
fi
NODE_PATH="$PWD/node_modules" exec node "$2/client.js" "$program" "$2/count.asm"
