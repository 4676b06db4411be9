#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: extension.sh GPUCODE SOURCE_ROOT BUILD_FOLDER
# The extension without its editor, and its grammars with the libraries that the editor reads them with.
program=$(realpath "$1")
for tool in node npm; do
    if ! command -v $tool >/dev/null; then
        echo "skipped: no $tool"
        exit 77
    fi
done
mkdir -p "$3/npm" && cd "$3/npm" || exit 1
node "$2/tests/editors/extension.js" "$program" "$2" || exit 1
if [ ! -d node_modules/vscode-oniguruma ]; then
    if ! npm install --prefix . --silent --no-audit --no-fund --ignore-scripts vscode-textmate@9.2.0 vscode-oniguruma@2.0.1 >npm.log 2>&1; then
        echo "skipped: npm cannot fetch the grammar libraries"
        exit 77
    fi
fi
NODE_PATH="$PWD/node_modules" exec node "$2/tests/editors/grammar.js" "$program" "$2"
