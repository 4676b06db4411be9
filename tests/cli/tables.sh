#!/bin/sh
# SPDX-License-Identifier: MIT
# What comes from the command table: completions and the man page.
. "$2/support/setting.sh"
man=$root/docs/gpucode.1

run 0 gpucode help --completion table
cp out table
[ "$(grep -c '^command' table)" -ge 8 ] || complain 'few commands'
# roff writes - as \-
sed 's/\\-/-/g' "$man" >page
while IFS="$(printf '\t')" read -r kind command option; do
    checks=$((checks + 1))
    case $kind in
    command) grep -Eq "^\.(BI|B) \"?$command( |\$)" page || complain "the man page lacks command $command" ;;
    option) grep -qF -e "$option" page || complain "the man page lacks $option of $command" ;;
    esac
done <table
# and nothing that does not exist
grep -oE -- '--[a-z]+(-[a-z]+)*' page | sort -u >shown
while read -r option; do
    grep -q -e "	$option\$" table || complain "the man page has $option, which no command takes"
done <shown
# the commands in brackets behind an option are those that take it; what all take stands on its own
awk '/^\.TP/ { head = NR + 1; option = "" }
    NR == head && match($0, /--[a-z-]+/) { option = substr($0, RSTART, RLENGTH) }
    option && /^\.RB \( .*\)$/ { gsub(/[",()]|^\.RB/, ""); for (i = 1; i <= NF; i++) print "option\t" $i "\t" option }' page |
    sort >shown
grep '^option.*	--' table | grep -vE -- '	--(json|color|help|version)$' | sort >wanted
diff wanted shown || complain 'the man page says otherwise which commands take an option'

run 0 gpucode help --completion bash
cp out completion.bash
if command -v bash >/dev/null; then
    bash -n completion.bash || complain 'the bash completion is no bash'
    complete()
    {
        bash -c 'source ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); PATH=$0:$PATH
            _gpucode; printf "%s\n" "${COMPREPLY[@]}"' "$(dirname "$program")" "$@" >completed
    }
    complete gpucode dis
    holds completed disasm
    complete gpucode asm --li
    holds completed --listing
    complete gpucode disasm --li
    lacks completed --listing
    complete gpucode disasm --color al
    holds completed always
    complete gpucode explain cli-he
    holds completed cli-hex
    complete gpucode disasm -t afuc : a63
    holds completed a630
    complete gpucode disasm -t hw
    holds completed hwsq:nv41
    lacks completed '\'
    complete gpucode run --policy afuc-del
    holds completed afuc-delay=
    complete gpucode run --packet CP_MEM_WR
    holds completed CP_MEM_WRITE
    complete gpucode manual hw
    holds completed hwsq
    complete gpucode manual hwsq ewa
    holds completed ewait
    holds completion.bash 'complete -F _gpucode_link afuc-disasm'
    lacks completion.bash 'complete -o filenames'
fi
run 0 gpucode help --completion zsh
cp out _gpucode
holds _gpucode '#compdef gpucode'
if command -v zsh >/dev/null; then
    zsh -n _gpucode || complain 'the zsh completion is no zsh'
fi
while IFS="$(printf '\t')" read -r kind command option; do
    checks=$((checks + 1))
    [ "$kind" = command ] && option=$command
    grep -qF -e "$option" completion.bash || complain "the bash completion lacks $option"
    grep -qF -e "$option" _gpucode || complain "the zsh completion lacks $option"
done <table
finish
