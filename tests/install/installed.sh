#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: installed.sh DESTDIR PREFIX SOURCE_ROOT CC...
# What was installed into DESTDIR for PREFIX is complete and works.
set -u
root=$1 prefix=$2 source=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 checks=0
export LC_ALL=C

# text command... : the command succeeds
must()
{
    text=$1
    shift
    checks=$((checks + 1))
    "$@" >"$work/out" 2>&1 || {
        echo "FAILED: $text"
        cat "$work/out"
        bad=1
    }
}

# the program, its other names, and what it needs of the library's folder: nothing
must 'gpucode runs' "$root$prefix/bin/gpucode" --version
printf '[016ee001]\nmov $02, 0x1\n' >"$work/in.asm"
must 'gpucode assembles' "$root$prefix/bin/gpucode" asm "$work/in.asm" -o "$work/out.fw"
for name in afuc-disasm qrisc-disasm; do
    must "$name shows the code" sh -c "'$root$prefix/bin/$name' '$work/out.fw' | grep 'mov .02, 0x1'"
done
for name in afuc-asm qrisc-asm; do
    must "$name is there" test -x "$root$prefix/bin/$name"
done

must 'gpucode finds the program with libraries' "$root$prefix/bin/gpucode" debug --batch "$work/out.fw"

# manual, completion, documents, examples, files of editors
must 'manual page' test -s "$root$prefix/share/man/man1/gpucode.1"
if command -v man >/dev/null && command -v groff >/dev/null; then
    must 'man shows the manual page' man -l --warnings "$root$prefix/share/man/man1/gpucode.1"
fi
for file in bash-completion/completions/gpucode.bash zsh/site-functions/_gpucode fish/vendor_completions.d/gpucode.fish doc/gpucode/README.md \
    doc/gpucode/design.md doc/gpucode/manual doc/gpucode/examples/firmware/a6xx.asm doc/gpucode/examples/api/asm.c \
    gpucode/editors/vscode/package.json; do
    must "share/$file" test -e "$root$prefix/share/$file"
done
must 'no file of the build is among them' sh -c "! find '$root' -name meson.build | grep ."
must 'an installed example assembles' "$root$prefix/bin/gpucode" asm \
    "$root$prefix/share/doc/gpucode/examples/firmware/a6xx.asm" -o "$work/out.fw"

# Python: where its module was built, it works with the library beside it
module=$(find "$root$prefix" -path '*/gpucode/__init__.py')
if [ -n "$module" ]; then
    module=${module%/gpucode/__init__.py}
    interpreter=/usr/bin/python3
    [ -x "$interpreter" ] || interpreter=python3
    if "$interpreter" -c 'import cffi' 2>/dev/null; then
        library=$(dirname "$(find "$root$prefix" -name 'libgpucode.so.0')")
        PYTHONPATH=$module LD_LIBRARY_PATH=$library PYTHONDONTWRITEBYTECODE=1 "$interpreter" "$source/examples/python/asm.py" >"$work/out" 2>&1
        checks=$((checks + 1))
        diff -u "$source/examples/api/expected/asm.txt" "$work/out" || {
            echo 'FAILED: the installed Python module prints something else'
            bad=1
        }
    fi
fi

# libraries: each example program against the installed headers, pkg-config files and shared library
if ! command -v pkg-config >/dev/null; then
    echo 'note: there is no pkg-config'
    [ $bad = 0 ] && echo "$checks checks"
    exit $bad
fi
folder=$(dirname "$(find "$root$prefix" -name gpucode.pc)")
export PKG_CONFIG_PATH="$folder" PKG_CONFIG_SYSROOT_DIR="$root"
library=$(dirname "$folder")
for header in "$root$prefix"/include/gpucode/*.h; do
    name=$(basename "$header" .h)
    package=gpucode
    [ -f "$folder/gpucode-$name.pc" ] && package=gpucode-$name
    case $name in # a library may have several headers
    stream_decode | stream_source | stream_stage) [ -f "$folder/gpucode-stream.pc" ] && package=gpucode-stream ;;
    esac
    case $name in
    xml | stream | crash | picture | drawing) [ $package = gpucode ] && continue ;; # not built here
    esac
    # shellcheck disable=SC2046
    must "example $name compiles" "$@" -std=c11 -o "$work/$name" "$source/examples/api/$name.c" \
        $(pkg-config --cflags --libs "$package")
    [ -x "$work/$name" ] || continue
    checks=$((checks + 1))
    LD_LIBRARY_PATH="$library" "$work/$name" >"$work/out" 2>&1
    diff -u "$source/examples/api/expected/$name.txt" "$work/out" || {
        echo "FAILED: example $name prints something else"
        bad=1
    }
done
echo "$checks checks"
exit $bad
