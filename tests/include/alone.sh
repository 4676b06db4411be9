#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles alone, as C and (where the compiler has it) as C++, and has an example program.
# usage: alone.sh INCLUDE CC...
set -u
include=$1
shift
bad=0 count=0
languages=c
if echo | "$@" -x c++ -fsyntax-only - 2>/dev/null; then
    languages='c c++'
else
    echo 'note: there is no C++ compiler'
fi
for header in "$include"/gpucode/*.h; do
    name=gpucode/$(basename "$header")
    [ -f "$include/../examples/api/$(basename "$header" .h).c" ] || {
        echo "$name has no example in examples/api"
        bad=1
    }
    for language in $languages; do
        standard=-std=c11
        [ $language = c++ ] && standard=-std=c++11
        echo "#include <$name>" | "$@" -x $language $standard -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
            -I"$include" - || {
            echo "$name does not compile alone as $language"
            bad=1
        }
        count=$((count + 1))
    done
done
echo "$count compilations"
[ $count -gt 0 ] && exit $bad
exit 1
