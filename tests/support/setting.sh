# SPDX-License-Identifier: MIT
# For scripts that test the command line: `gpucode` is the program under test, the working directory is new and empty.
# usage of every script: NAME.sh GPUCODE TESTS_FOLDER; `$source_folder` is where it stands, `$root` the tree
set -u
program=$(realpath "$1")
source_folder=$(dirname "$(realpath "$0")")
root=$(realpath "$2/..")
folder=$(mktemp -d)
readonly folder # no script may have it for something else: it goes away
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset GPUCODE_REGISTERS NO_COLOR
export LC_ALL=C TERM=xterm
bad=0 checks=0

gpucode()
{
    "$program" "$@"
}

complain()
{
    echo "FAILED: $*"
    bad=1
}

# library: does the build have it? Files that it would read are refused at once without it.
built_with()
{
    case $1 in
    zlib) printf '\037\213' | gpucode decode - 2>&1 | grep -qF '[gzip-absent]' ;;
    expat) gpucode decode --registers "$root/README.md" "$root/fuzz/corpus/stream/all.rd" 2>&1 | grep -qF '[xml-absent]' ;;
    esac
    [ $? -ne 0 ]
}

# code command... : runs it into ./out and ./err, and compares the exit code
run()
{
    wanted=$1
    shift
    checks=$((checks + 1))
    "$@" >out 2>err </dev/null
    got=$?
    if [ "$got" -ne "$wanted" ]; then
        complain "exit code $got, not $wanted: $*"
        cat out err
    fi
    # what is wrong is said, and no message lacks what it is about
    if [ "$wanted $1" = '2 gpucode' ] && ! grep -qF error err; then
        complain "no error is told of: $*"
    fi
    if grep -qF '(null)' out err; then
        complain "(null) is written: $*"
    fi
    # a hint says more than what was given: else it is the file, or what the message is about
    hinted=
    while IFS= read -r err_line; do
        case $err_line in 'hint: '*) hinted=${err_line#hint: } ;; esac
    done <err
    case " $* " in
    *" ${hinted:-$folder} "*) complain "a hint is an argument: $*" ;;
    esac
}

# name text...: ./out followed by ./err must be golden/NAME.txt. With UPDATE_GOLDEN set, writes that file instead. In both
# cases it must hold the texts, which are what matters in it and do not come from the program.
golden()
{
    checks=$((checks + 1))
    cat out err >both
    golden_name=$1
    shift
    holds both "$@"
    set -- "$golden_name"
    if [ -n "${UPDATE_GOLDEN:-}" ]; then
        cp both "$source_folder/golden/$1.txt"
    elif ! diff -u "$source_folder/golden/$1.txt" both; then
        complain "golden/$1.txt differs"
    fi
}

# file text...: the file holds the texts
holds()
{
    holding=$1
    shift
    for held; do
        checks=$((checks + 1))
        grep -qF -e "$held" "$holding" || {
            complain "$holding lacks: $held"
            cat "$holding"
        }
    done
}

lacks()
{
    checks=$((checks + 1))
    if grep -qF -e "$2" "$1"; then
        complain "$1 has: $2"
    fi
}

same()
{
    checks=$((checks + 1))
    cmp "$1" "$2" || complain "$1 and $2 differ"
}

absent()
{
    checks=$((checks + 1))
    [ ! -e "$1" ] || complain "$1 is there"
}

finish()
{
    echo "$checks checks"
    [ "$checks" -gt 0 ] || bad=1
    exit $bad
}
