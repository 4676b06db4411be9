#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: client.sh GPUCODE SOURCE_FOLDER BUILD_FOLDER
# A session with the client library of Visual Studio Code, fetched from the npm registry.
program=$(realpath "$1")
. "$2/../support/npm.sh"
need_node
need_packages "$3" vscode-languageserver-protocol@3.18.5
exec timeout 60 node "$2/client.js" "$program"
