#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: libraries.sh FOLDER
# Makes FOLDER/sysroot: wasi-libc alone (with /usr as sysroot clang takes headers that wasi-libc lacks from the host), and
# zlib, expat and jansson compiled for WebAssembly from Debian's sources. Asks for those once; the lists that apt
# fetches for them stay in FOLDER, so that the machine's own are as before.
set -eu

here=$(dirname "$(readlink -f "$0")")
mkdir -p "$1"
folder=$(readlink -f "$1")
sysroot=$folder/sysroot
[ ! -f "$sysroot/done" ] || exit 0
mkdir -p "$sysroot/lib/pkgconfig" "$folder/sources"
ln -sfn /usr/include/wasm32-wasi "$sysroot/include"
ln -sfn /usr/lib/wasm32-wasi "$sysroot/lib/wasm32-wasi"

cd "$folder/sources"
apt=$folder/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" \
    >"$apt/sources.list"
get()
{
    apt-get -q -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}
echo "web: fetching the sources of zlib, expat and jansson from Debian"
get update >/dev/null
get source zlib expat jansson >apt.log 2>&1 || {
    cat apt.log >&2
    exit 1
}

# compile NAME FLAGS FILES...: lib/libNAME.a
compile()
{
    name=$1
    flags=$2
    shift 2
    mkdir -p "$folder/objects/$name"
    for file; do
        # shellcheck disable=SC2086
        "$here/cc.sh" "$sysroot" -O2 -w $flags -c "$file" -o "$folder/objects/$name/$(basename "$file" .c).o"
    done
    rm -f "$sysroot/lib/lib$name.a"
    llvm-ar-14 rcs "$sysroot/lib/lib$name.a" "$folder/objects/$name"/*.o
}

# package FILE NAME VERSION LIBRARY INCLUDES
package()
{
    printf 'Name: %s\nDescription: %s for WebAssembly\nVersion: %s\nLibs: -L%s/lib -l%s\nCflags: -I%s\n' \
        "$2" "$2" "$3" "$sysroot" "$4" "$5" >"$sysroot/lib/pkgconfig/$1.pc"
}

z=$(echo "$folder"/sources/zlib-*/)
compile z '-DHAVE_UNISTD_H' "$z"adler32.c "$z"crc32.c "$z"deflate.c "$z"infback.c "$z"inffast.c "$z"inflate.c \
    "$z"inftrees.c "$z"trees.c "$z"zutil.c "$z"compress.c "$z"uncompr.c "$z"gzclose.c "$z"gzlib.c "$z"gzread.c \
    "$z"gzwrite.c
package zlib zlib 1.2.13 z "$z"

e=$(echo "$folder"/sources/expat-*/expat/)
[ -d "$e" ] || e=$(echo "$folder"/sources/expat-*/)
: >"${e}lib/expat_config.h"
compile expat "-I${e}lib -DXML_POOR_ENTROPY -DXML_NS -DXML_DTD -DXML_CONTEXT_BYTES=1024 -DBYTEORDER=1234 \
    -DHAVE_MEMMOVE -DXML_STATIC" "${e}lib/xmlparse.c" "${e}lib/xmltok.c" "${e}lib/xmlrole.c"
package expat expat 2.5.0 expat "${e}lib -DXML_STATIC"

j=$(echo "$folder"/sources/jansson-*/)
cat >"${j}src/jansson_config.h" <<END
#define JSON_INLINE inline
#define JSON_INTEGER_IS_LONG_LONG 1
#define JSON_HAVE_LOCALECONV 0
#define JSON_HAVE_ATOMIC_BUILTINS 1
#define JSON_HAVE_SYNC_BUILTINS 1
#define JSON_PARSER_MAX_DEPTH 2048
END
cat >"${j}src/jansson_private_config.h" <<END
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
#define HAVE_STRTOLL 1
#define HAVE_SNPRINTF 1
#define INITIAL_HASHTABLE_ORDER 3
END
compile jansson "-DHAVE_CONFIG_H -I${j}src" "${j}"src/*.c
package jansson jansson 2.14 jansson "${j}src"
touch "$sysroot/done"
