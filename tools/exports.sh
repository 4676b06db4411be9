#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: exports.sh VERSION KEPT HEADER...
# The version script of the shared library: each public function with the version that it came with. Those of released
# versions stand in KEPT, "NAME VERSION" a line; all others that the headers declare are new in VERSION.
set -eu
version=$1 kept=$2
shift 2
awk -v version="$version" '
    FILENAME == kept { if (NF == 2 && $1 !~ /^#/) since[$1] = $2; next }
    /^#/ { next }
    /GPUCODE_API/ { open = 1; text = "" }
    open {
        text = text " " $0
        # the name in front of the first parenthesis
        if (match(text, /gpucode_[a-z0-9_]+\(/)) {
            name = substr(text, RSTART, RLENGTH - 1)
            names[++count] = name
            declared[name] = 1
            open = 0
        }
    }
    # "0.10" behind "0.9"
    function order(text,    parts) {
        split(text, parts, ".")
        return parts[1] * 1000 + parts[2]
    }
    END {
        for (i = 1; i <= count; i++) {
            if (!(names[i] in since))
                since[names[i]] = version
            v = since[names[i]]
            lines[v] = lines[v] "        " names[i] ";\n"
            known[v] = 1
        }
        for (name in since)
            if (!(name in declared) && since[name] != version) {
                print "exports.sh: " name " of " since[name] " is not declared any more: the soname must change" >"/dev/stderr"
                exit 1
            }
        n = 0
        for (v in known) {
            sorted[++n] = v
            for (k = n; k > 1 && order(sorted[k]) < order(sorted[k - 1]); k--) {
                swap = sorted[k]; sorted[k] = sorted[k - 1]; sorted[k - 1] = swap
            }
        }
        for (k = 1; k <= n; k++) {
            print "GPUCODE_" sorted[k] " {\n    global:"
            printf "%s", lines[sorted[k]]
            print (k == 1 ? "    local:\n        *;\n" : "") "}" (k > 1 ? " GPUCODE_" sorted[k - 1] : "") ";"
        }
    }' kept="$kept" "$kept" "$@"
