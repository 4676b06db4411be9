#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: valgrind.sh TEST ARGUMENTS...
# Runs a test with all programs of the build under valgrind's memcheck: the test itself, or what a script is given to try.
# Fails with the test, and when there is a finding.
command -v valgrind >/dev/null || { echo 'skipped: valgrind is not there'; exit 77; }
reports=$(mktemp -d)
chmod 777 "$reports" # a test may run programs as somebody else
trap 'rm -rf "$reports"' EXIT

is_program()
{
    case $1 in
    /bin/* | /usr/*) return 1 ;; # shells and interpreters
    esac
    [ -f "$1" ] && [ -x "$1" ] && [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]
}

memcheck="valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --log-file=$reports/%p.report"
first=
for argument; do
    if is_program "$argument"; then
        stub=$reports/$(basename "$argument")
        printf '#!/bin/sh\nexec %s %s "$@"\n' "$memcheck" "$(realpath "$argument")" >"$stub"
        chmod +x "$stub"
        argument=$stub
    fi
    [ -n "$first" ] || set --
    first=done
    set -- "$@" "$argument"
done
"$@"
code=$?
found=$(cat "$reports"/*.report 2>/dev/null)
[ -z "$found" ] || printf '%s\nvalgrind found something: the test counts as failed\n' "$found"
[ -z "$found" ] && exit $code
exit 1
