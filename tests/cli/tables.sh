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
# the commands in brackets after an option are those that take it; what all take stands on its own
awk '/^\.TP/ { head = NR + 1; option = "" }
    NR == head && match($0, /--[a-z-]+/) { option = substr($0, RSTART, RLENGTH) }
    option && /^\.RB \( .*\)$/ { gsub(/[",()]|^\.RB/, ""); for (i = 1; i <= NF; i++) print "option\t" $i "\t" option }' page |
    sort >shown
grep '^option.*	--' table | grep -vE -- '	--(json|color|help|version|no-pager)$' | sort >wanted
diff wanted shown || complain 'the man page says otherwise which commands take an option'

# every option of every command is offered, and nothing else
for command in $(awk '/^command/ { print $2 }' table); do
    gpucode help --complete -- "$command" - | cut -f1 | sort >offered
    awk -v command="$command" '$1 == "option" && $2 == command { print $3 }' table | sort >wanted
    checks=$((checks + 1))
    diff wanted offered || complain "options of $command"
done
# WORD... : what is offered in place of the last one, into ./out
offers()
{
    run 0 gpucode help --complete -- "$@"
}
offers graph --form s
[ "$(cat out)" = svg ] || complain 'forms of graph'
offers disasm --form s
[ -s out ] && complain 'svg for disasm'
offers export --form te
holds out textmate
offers export --form js # graph has a form of that name, too
[ "$(cat out)" = json ] || complain 'forms of export'
run 0 gpucode export --form json -t afuc:a630
holds out '"isa": "afuc"'
offers graph --format d
holds out dot
offers run -t afuc:a630 --packet CP_MEM_WR
holds out CP_MEM_WRITE
offers run --packet @CP_SCRATCH
holds out '@CP_SCRATCH[0].REG'
offers run -t afuc:a630 --reg @IB1_B
holds out '@IB1_BASE='
offers xref a6xx.fw @IB1_B
holds out @IB1_BASE
offers decode --query=RB_MRT[0]
holds out '--query=RB_MRT[0].CONTROL'
offers run --trace instructions,mem
holds out instructions,memory
offers crash du
[ "$(cat out)" = :files ] || complain 'names of files'
offers run -o
[ -s out ] && complain 'an option that run does not take'
offers nonsense ''
[ -s out ] && complain 'a command that is not there'

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
    complete gpucode disasm --li
    lacks completed --listing
    complete gpucode disasm --color al
    holds completed always
    complete gpucode disasm --color = al
    [ "$(cat completed)" = always ] || complain '--color=al'
    complete gpucode disasm -t afuc : a63
    [ "$(cat completed)" = a630 ] || complain 'afuc:a63'
    complete gpucode disasm -t afuc :
    holds completed a630
    complete gpucode disasm -t hw
    holds completed hwsq:nv41
    lacks completed '\'
    complete gpucode run --policy afuc-del
    holds completed afuc-delay=
    complete gpucode run --packet "'CP_MEM_WR"
    holds completed CP_MEM_WRITE
    complete gpucode manual hwsq ewa
    holds completed ewait
    complete gpucode disasm comp
    holds completed completion.bash
    holds completion.bash 'complete -F _gpucode_link afuc-disasm'
fi
for shell in zsh fish; do
    run 0 gpucode help --completion $shell
    cp out completion.$shell
    holds out 'gpucode help --complete -- '
    if command -v $shell >/dev/null; then
        $shell -n completion.$shell || complain "the $shell completion is no $shell"
    fi
done
if command -v fish >/dev/null; then
    completes()
    {
        PATH=$(dirname "$program"):$PATH fish --no-config -c "source completion.fish; complete -C \"$1\"" >completed
        [ "$(cut -f 1 completed)" = "$2" ] || complain "fish: $1"
    }
    completes 'gpucode graph --form s' svg
    completes 'gpucode disasm --target=hwsq:nv41' --target=hwsq:nv41
    completes 'gpucode crash completion.f' completion.fish
fi
# zsh completes on a terminal alone. ^X completes the line and keeps what it is then; | shows spaces at its end.
if command -v zsh >/dev/null; then
    mkdir functions
    cp completion.zsh functions/_gpucode
    cat >settings.zsh <<'EOF'
fpath=($PWD/functions $fpath)
autoload -Uz compinit
compinit -u -D
zstyle ':completion:*' list false
show()
{
    zle complete-word
    print -r -- "$BUFFER|" >>completed
    BUFFER=
    print -n ty''ped
}
zle -N show
bindkey '^X' show
print rea''dy
EOF
    cat >terminal.zsh <<'EOF'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell '. ./settings.zsh'
zpty -r shell answer '*ready*'
for line; do
    zpty -w -n shell "$line"$'\x18'
    zpty -r shell answer '*typed*'
done
zpty -d shell
EOF
    rm -f completed
    PATH=$(dirname "$program"):$PATH TERM=xterm timeout 120 zsh -f terminal.zsh 'gpucode cra' \
        'gpucode run --policy=ir3-cou' 'gpucode disasm -t hwsq:nv41' 'gpucode graph --form s' 'gpucode crash completion.f'
    cat >wanted <<'EOF'
gpucode crash |
gpucode run --policy=ir3-count=|
gpucode disasm -t hwsq:nv41 |
gpucode graph --form svg |
gpucode crash completion.fish |
EOF
    cmp -s completed wanted || complain "zsh: $(cat completed)"
fi
finish
