#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: extension.sh GPUCODE SOURCE_ROOT BUILD_FOLDER
# The extension without its editor, and its grammars with the libraries that the editor reads them with.
program=$(realpath "$1")
. "$2/tests/support/npm.sh"
need_node
node "$2/tests/editors/extension.js" "$program" "$2" || exit 1
need_packages "$3" vscode-textmate@9.2.0 vscode-oniguruma@2.0.1
node "$2/tests/editors/grammar.js" "$program" "$2" || exit 1

# GPUCODE_VSCODE: out/server-main.js of Visual Studio Code's server; editors/vscode/README.md
if [ -z "$GPUCODE_VSCODE" ]; then
    echo 'the editor itself: skipped, GPUCODE_VSCODE does not name its server'
elif ! command -v chromium >/dev/null; then
    echo 'the editor itself: skipped, there is no chromium'
else
    need_packages "$3/.." puppeteer-core@24.0.0 esbuild@0.25.0 vscode-languageclient@9.0.1
    exec node "$2/tests/editors/vscode.mjs" "$program" "$2" "$GPUCODE_VSCODE" "$(command -v chromium)"
fi
