#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: client.sh GPUCODE SOURCE_FOLDER BUILD_FOLDER
# A session with the client library that Visual Studio Code's own adapters are tested with, fetched from the npm registry.
program=$(realpath "$1")
. "$2/../support/npm.sh"
need_node
need_packages "$3" @vscode/debugadapter-testsupport@1.68.0
exec node "$2/client.js" "$program" "$2/count.asm"
