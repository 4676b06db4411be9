#!/bin/sh
# SPDX-License-Identifier: MIT
. "$2/support/setting.sh"

run 0 gpucode --version
holds out 'gpucode '
run 0 gpucode --help
holds out 'usage: gpucode COMMAND'
for command in disasm asm info verify targets explain manual help; do
    run 0 gpucode $command --help
    holds out "usage: gpucode $command"
    run 0 gpucode $command --version
    holds out 'gpucode '
    run 0 gpucode help $command
    holds out "usage: gpucode $command"
    holds out '--json'
    holds out '--color WHEN'
done
run 0 gpucode help
for command in disasm asm info verify targets explain manual help; do
    holds out "  $command"
done

# no line is wider than 80 columns; what is for code of one set stands below its name
awk 'length > 80 { exit 1 }' out || complain 'the overview is too wide'
for command in $(gpucode help --completion table | awk '/^command/ { print $2 }'); do
    run 0 gpucode help "$command"
    awk 'length > 80 { exit 1 }' out || complain "the help of $command is too wide"
done
run 0 gpucode help run
awk '/^for code of/ { set = $4 } /^ +(-t, )?--(packet|plot|const|target) / { print set $1 }' out | sort >shown
printf '%s\n' afuc:--packet a3xx:--const hwsq:--plot ir3:--const -t, | sort >wanted
diff shown wanted || complain 'options stand below the wrong set'
run 0 gpucode help --json run
holds out '"isa": "hwsq"'
# a set's option is refused for code of another, whatever the command
printf '.target hwsq:nv41\nexit\n' >script.hwsq
gpucode asm script.hwsq -o script.bin
run 2 gpucode disasm -t hwsq:nv41 --syntax mesa script.bin
holds err 'option --syntax is not for hwsq code'
for command in run debug; do
    run 2 gpucode $command --in r0.x=1 script.hwsq
    holds err 'option --in is not for hwsq code'
done

run 2 gpucode
golden no-command 'gpucode: error: ' '[cli-no-command]' '`gpucode help`'
run 2 gpucode disasn x
golden command "'disasn' [cli-command]" "did you mean 'disasm'?"
run 2 gpucode disasm
golden few 'FILE... [cli-few]' 'usage: gpucode disasm'
run 2 gpucode run a b
golden many "'b' [cli-many]" 'usage: gpucode run [OPTION...] FILE'
run 2 gpucode disasm --verbos x
golden option "'--verbos' [cli-option]" "did you mean '--verbose'?"
run 2 gpucode disasm -q x
golden letter "'-q' [cli-option]" '`gpucode help disasm`'
run 2 gpucode disasm -o
golden option-argument "'-o' needs" '[cli-option-argument]'
run 2 gpucode disasm --raw=yes x
golden option-surplus "'--raw' takes no" '[cli-option-surplus]'
run 2 gpucode disasm --color=sometimes x
golden option-choice "'sometimes' [cli-option-choice]" 'auto always never'
run 2 gpucode disasm -o a -o b x
golden option-twice "'-o' is given twice [cli-option-twice]"
run 2 gpucode disasm -t afuc:a63 x
golden target "'afuc:a63' [cli-target]" "did you mean 'afuc:a630'?"
run 2 gpucode disasm nowhere
golden open 'nowhere: error: ' 'No such file or directory [cli-open]'
run 2 gpucode disasm .
golden directory '[cli-many-output]' 'with -o'
run 2 gpucode explain expcted
golden explain-unknown "'expcted' [cli-code]" "did you mean 'expected'?"
run 2 gpucode manual vuc
golden manual-isa "'vuc' [cli-isa]"
run 2 gpucode manual afuc cwrte
golden manual-mnemonic "'cwrte' [cli-mnemonic]" "did you mean 'cwrite'?"
run 2 gpucode --json
for command in asm targets manual help; do # no option is taken and not heeded
    run 2 gpucode $command --hex x
    holds err "unknown option '--hex'"
done
run 2 gpucode targets --registers x
run 2 gpucode disasm --json nowhere
golden open-json '{"severity": "error", "code": "cli-open", "file": "nowhere", '
run 2 gpucode disasm --json
golden few-json '{"severity": "error", "code": "cli-few", '

# -- ends the options, - is standard input
run 2 gpucode disasm -- --raw
holds err '--raw: error: cannot open'
printf '\0\0\0\0\001\340\156\001\0\0\0\001' >tiny.fw
"$program" disasm - <tiny.fw >from-stdin
run 0 gpucode disasm tiny.fw
same out from-stdin

# colours: never into a file, unless asked for; asked for beats NO_COLOR
run 2 gpucode disasm --color=always nowhere
holds err "$(printf '\033')"
NO_COLOR=1 run 2 gpucode disasm --color=always nowhere
holds err "$(printf '\033')"
run 2 gpucode disasm nowhere
lacks err "$(printf '\033')"

# every code that is listed is explained
run 0 gpucode explain
cut -d' ' -f1 out >codes
[ "$(wc -l <codes)" -gt 30 ] || complain 'few codes'
[ "$(sort codes | uniq -d | wc -l)" -eq 0 ] || complain 'codes are listed twice'
while read -r code; do
    run 0 gpucode explain "$code"
    [ -s out ] || complain "$code has no explanation"
done <codes
run 0 gpucode explain cli-hex
golden explain 'With --hex the input is text'
[ "$(awk 'length > 80' out)" = '' ] || complain 'an explanation is wider than a terminal'

# output that cannot be written is our fault, not the user's
if [ -w /dev/full ]; then
    "$program" targets >/dev/full 2>err
    [ $? -eq 3 ] || complain 'writing to a full device'
    holds err '<stdout>: error: cannot write'
    run 3 gpucode disasm tiny.fw -o /dev/full
fi
run 2 gpucode disasm tiny.fw -o nowhere/out
# an option that several commands have says in each what it does there
run 0 gpucode help fuzz
holds out 'the folder of the campaign'
lacks out 'write the result to FILE'
run 0 gpucode help disasm
holds out 'write the result to FILE, - is standard output'
lacks out 'campaign'
run 0 gpucode help debug --json
lacks out '; debug: '
# commands stand in groups, the one that is looked for in need before the others
run 0 gpucode help
[ "$(grep -c '^[a-z].*:$' out)" -ge 6 ] || complain 'help has no groups'
sed -n '/^a hung GPU/,/^$/p' out | grep -q '^  crash ' || complain 'crash is not where a hung GPU is'
finish
