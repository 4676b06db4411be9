#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: commands.sh GPUCODE TESTS_FOLDER EVERY SHIM
# Each command with each of its allocations failing (every.c). With GPUCODE_LONG_TESTS every second one, else fewer.
. "$2/support/setting.sh"
every=$(realpath "$3") shim=$(realpath "$4")

# try [OUTPUT...] -- GPUCODE'S ARGUMENTS...
every_long=2 every_short=7
try()
{
    checks=$((checks + 1))
    stride=$every_long
    [ -n "${GPUCODE_LONG_TESTS:-}" ] || stride=$every_short
    files=
    while [ "$1" != -- ]; do
        files="$files $1"
        shift
    done
    shift
    # shellcheck disable=SC2086
    "$every" "$shim" $stride $files -- "$program" "$@" || complain "out of memory: $*"
}

firmware=$root/examples/firmware
gpucode asm "$firmware/a6xx.asm" -o a6xx.fw
gpucode asm "$firmware/a7xx.asm" -o a7xx.fw
cp "$root/tests/gpu/stream.asm" stream.asm
gpucode asm stream.asm -o stream.rd
cp "$root/examples/a3xx/floor.asm" "$root/examples/a3xx/planet.asm" "$root/examples/mme/macros.mme" .
gpucode asm floor.asm -o floor.bin
cat >macro.asm <<'END'
.target afuc:a630
.macro twice reg
	add \reg, \reg, \reg
.endm
.equ START 3
start:
	mov $02, START
loop:
	twice $02
	brne $02, 0x18, #loop
	nop
	cwrite $02, [$00 + @SCRATCH_REG0]
	waitin
	mov $01, $data
END
gpucode asm macro.asm -o macro.bin
echo '	mov $02,' >wrong.asm
cat >script.hwsq <<'END'
.target hwsq:g94
	data 0x1; addr 0x100210
	wait 8us
	set1 #FB_PAUSE; ewait #FB_PAUSED 1
	wait ~20us
	set0 #FB_PAUSE; ewait #FB_PAUSED 0
	exit
.entry 1
	wait 1us; exit
END
sed 's/wait 8us/wait 16us/' script.hwsq >other.hwsq
gpucode asm script.hwsq -o script.bin
{
    echo 'hwsq dump'
    gpucode disasm --as hex -t hwsq:g94 script.bin
} >dump.log 2>/dev/null
printf 'mov.f32f32 r0.x, c0.x\nadd.f r0.y, r0.x, (0.5)\n(rpt5)nop\nrcp r0.z, r0.y\n(ss)mul.f r0.w, r0.z, r0.x\nend\n' >shader.asm
gpucode asm -t a3xx shader.asm -o shader.bin
printf 'loop_start ins 0x2\n' >names.sym
cat >session.gdb <<'END'
break CP_NOP
catch packet CP_NOP
display $02
run
step 5
reverse-step 2
info registers
info breakpoints
x/8xw 0
disassemble
snapshot here
backtrace
watch $02
continue
print $02 + 1
restore here
END
cat >shader.gdb <<'END'
break 2
run
print r0.x
set r0.x = 3
next
reverse-continue
info registers
END

# text and files
try macro.elf -- asm macro.asm --form elf -o macro.elf
try out.bin -- asm macro.asm -o out.bin
try out.bin list map -- asm macro.asm -o out.bin --listing list --map map
try out.fw -- asm "$firmware/a6xx.asm" -o out.fw
try out.bin -- asm wrong.asm -o out.bin
try out.bin -- asm script.hwsq -o out.bin --as c
try out.bin -- asm floor.asm -o out.bin
try out.bin -- asm macros.mme -o out.bin
for options in '' '--json' '-v' '--symbols names.sym'; do
    # shellcheck disable=SC2086
    try out.text -- disasm $options a6xx.fw -o out.text
    # shellcheck disable=SC2086
    try -- disasm $options -t afuc:a630 macro.bin
done
try -- disasm -t hwsq:g94 script.bin
try -- disasm --as c -t hwsq:g94 script.bin
try -- disasm --json -t a3xx floor.bin
for file in a7xx.fw a6xx.fw macro.asm script.hwsq floor.asm; do
    try -- info "$file"
    try -- info --json "$file"
done
try -- verify a6xx.fw
try -- verify -t a3xx floor.bin shader.bin

# analysis
sed 's/0x18/0x19/' macro.asm >macro2.asm
for options in 'graph macro.asm' 'graph --json macro.asm' 'xref a6xx.fw CP_NOP' 'lint macro.asm' 'diff macro.asm macro2.asm' \
    'diff --json macro.asm macro2.asm' 'info --privileges macro.asm' 'disasm --comments a6xx.fw'; do
    # shellcheck disable=SC2086
    try -- $options
done
try out.html -- diff --html out.html macro.asm macro2.asm
# thousands of allocations: handlers run on the machine, of which none may be left out
checks=$((checks + 1))
"$every" "$shim" 0 -- "$program" info --privileges a6xx.fw || complain 'out of memory: info --privileges a6xx.fw'

# crash dumps
cp "$root"/fuzz/corpus/crash/*.devcore .
for options in '' '--json' '--verbose' '--section registers' '--firmware a6xx.fw'; do
    # shellcheck disable=SC2086
    try -- crash $options a6xx.devcore
done
try out.txt -- crash --redact out.txt a6xx.devcore

# what has been read, or not, is given back once: streams out of dumps, names out of XML, archives, logs, snapshots
cp "$root/tests/xml/own.xml" "$root/tests/gpu/msm.log" "$root/fuzz/corpus/crash/short.snapshot" .
gzip -c stream.rd >stream.rd.gz
gpucode asm "$root/examples/streams/frame.asm" -o frame.rd
every_short=2
try -- decode work.devcore --work running
try -- decode --registers own.xml frame.rd
every_short=5
try -- disasm --registers own.xml -t afuc:a630 macro.bin
every_short=7
try -- decode stream.rd.gz
try -- decode --lint stream.rd
try trace.json -- decode --perfetto trace.json stream.rd
try -- crash short.snapshot
try -- crash msm.log --firmware a6xx.fw
try page.html -- crash --html page.html a6xx.devcore
try -- extract a6xx.devcore
try -- run a6xx.fw --crash made.devcore --packet 'CP_MEM_WRITE 0x10 0x900 1'
try -- replay stream.rd --firmware a6xx.fw --time-line
printf 'info registers\n' >look.gdb
try -- debug --batch -x look.gdb --stream stream.rd a6xx.fw
try -- debug --batch -x look.gdb --devcore a6xx.devcore a6xx.fw

# editors: an answer that lacks a part is none
message()
{
    printf 'Content-Length: %s\r\n\r\n%s' ${#1} "$1"
}
if gpucode help | grep -q '^  lsp'; then
    file='"textDocument":{"uri":"file:///t.asm"' text='.target afuc:a630\nstart:\n mov $02, 3\nloop:\n brne $02, 0x18, #loop\n nop\n waitin\n mov $01, $data\n'
    {
        message '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
        message '{"jsonrpc":"2.0","method":"initialized","params":{}}'
        message '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{'"$file"',"languageId":"afuc","version":1,"text":"'"$text"'"}}}'
        id=2
        for method in documentSymbol semanticTokens/full foldingRange; do
            message '{"jsonrpc":"2.0","id":'$id',"method":"textDocument/'$method'","params":{'"$file"'}}}'
            id=$((id + 1))
        done
        for method in hover completion definition; do
            message '{"jsonrpc":"2.0","id":'$id',"method":"textDocument/'$method'","params":{'"$file"'},"position":{"line":4,"character":18}}}'
            id=$((id + 1))
        done
        message '{"jsonrpc":"2.0","id":'$id',"method":"textDocument/formatting","params":{'"$file"'},"options":{"tabSize":8,"insertSpaces":false}}}'
        message '{"jsonrpc":"2.0","id":99,"method":"shutdown"}'
        message '{"jsonrpc":"2.0","method":"exit"}'
    } >editor
    export EVERY_INPUT=editor
    every_long=7 every_short=0
    try -- lsp # thousands of allocations
    every_long=2 every_short=7
    unset EVERY_INPUT
fi

if gpucode help | grep -q '^  dap'; then
    request()
    {
        message '{"seq":'$1',"type":"request","command":"'$2'","arguments":{'"${3:-}"'}}'
    }
    {
        request 1 initialize '"adapterID":"x"'
        request 2 launch '"program":"script.hwsq","stopOnEntry":true'
        request 3 setBreakpoints '"source":{"path":"script.hwsq"},"breakpoints":[{"line":4}]'
        request 4 configurationDone
        request 5 stackTrace '"threadId":1'
        request 6 scopes '"frameId":1'
        request 7 variables '"variablesReference":1'
        request 8 evaluate '"expression":"$pc","context":"repl"'
        request 9 disassemble '"memoryReference":"0x0","instructionCount":4'
        request 10 disconnect
    } >editor
    export EVERY_INPUT=editor
    try -- dap
    unset EVERY_INPUT
fi

# names, routines, patterns
printf 'CP_NOP:\n\tmov $02, $data\n\twaitin\n\tmov $01, $data\n' >nop.asm
printf '* 0x0020 copy\n' >two.sym
try out.fw -- asm --patch CP_NOP=nop.asm a6xx.fw -o out.fw
try out.sym -- symbols --from a6xx.fw --to a6xx.fw two.sym -o out.sym
try -- search macro.asm 'mov $x, *; ...; waitin'
try -- stats planet.asm
try -- explain script.hwsq

# inputs made at random: a machine without memory is not a finding
try -- fuzz script.hwsq --runs 20
try -- fuzz macros.mme --section set_masked --runs 20 --parameters 3

# machines
for options in '' '--json' '--trace' '--trace registers,memory' '--trace state' '--trace --json'; do
    # shellcheck disable=SC2086
    try -- run $options macro.asm
    # shellcheck disable=SC2086
    try -- run $options a6xx.fw --packet 'CP_MEM_WRITE 0x100000 0 0xcafe' --dump 0x100000:2
done
try -- run a7xx.fw --packet 'CP_NOP 1' --reg '$02=3'
for options in '' '--json' '--trace' '--plot out.svg'; do
    # shellcheck disable=SC2086
    try out.svg -- run $options script.hwsq
done
for options in '' '--json' '--trace' '--cycles' '--local-size 4 --local-id r1.x'; do
    # shellcheck disable=SC2086
    try -- run $options --in r0.x=1.0 --const c0.x=2.0 -t a3xx shader.bin
done
try out.png -- run --image 4x4 planet.asm -o out.png
try -- run --param 3 macros.mme
try out.info -- coverage --lcov out.info macro.asm
try -- coverage --json a6xx.fw --packet 'CP_NOP 1'
try -- coverage script.hwsq
try -- explain script.hwsq
try -- lint shader.bin -t a3xx
try -- lint --json script.hwsq
try out.asm -- schedule shader.asm -t a3xx -o out.asm
try out.bin -- schedule shader.bin -t a3xx -o out.bin
try -- diff script.hwsq other.hwsq
try -- diff --json script.hwsq other.hwsq
try -- diff script.hwsq script.bin -t hwsq:g94
try -- decode stream.rd
try -- decode --json stream.rd
try -- decode stream.rd --query '*'
try -- decode --diff 0:2 stream.rd
try -- decode --marks stream.rd
try -- decode --passes --query '*' stream.rd
try -- decode --exe '*' --draws stream.rd
gpucode decode --source stream.rd -o stream.rdasm
try out.rdasm -- decode --source stream.rd -o out.rdasm
try out.rd -- encode stream.rdasm -o out.rd
try -- decode --where 0x1000ac stream.rd
try page.html -- decode --all --html page.html stream.rd
try -- decode --extract-shaders out stream.rd
try -- decode --query RB_CNTL stream.rd
try out.html -- decode --html out.html stream.rd
try -- replay stream.rd --firmware a6xx.fw
try -- replay stream.rd --firmware a6xx.fw --against decode
try -- replay stream.rd --firmware a6xx.fw --against decode --json
try out.1.hwsq -- extract dump.log -t hwsq:g94 -o out
try out.1.bin out.2.bin -- extract stream.rd -o out
try names_ghidra.py names_ida.py names.rz -- export names -o . a6xx.fw
try -- export --json -t hwsq:nv50 sleigh
try -- debug --batch -x session.gdb a6xx.fw
try -- debug --batch --json -x session.gdb macro.asm
try -- debug --batch -x shader.gdb -t a3xx shader.bin
try -- debug --batch -x shader.gdb script.hwsq

# texts
for words in targets 'targets --json' 'explain cli-hex' 'manual hwsq' 'manual afuc add' 'help' 'help run' 'help --completion bash'; do
    # shellcheck disable=SC2086
    try -- $words
done
finish
