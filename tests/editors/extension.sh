#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: extension.sh GPUCODE SOURCE_ROOT BUILD_FOLDER
# The extension without its editor, and its grammars with the libraries that the editor reads them with.
program=$(realpath "$1")
. "$2/tests/support/npm.sh"
need_node
node "$2/tests/editors/extension.js" "$program" "$2" || exit 1
need_packages "$3" vscode-textmate@9.2.0 vscode-oniguruma@2.0.1
exec node "$2/tests/editors/grammar.js" "$program" "$2"
