#!/bin/sh
# SPDX-License-Identifier: MIT
# Flow and references of every instruction set; what a set has none of is refused with the reason.
. "$2/support/setting.sh"

cat >macro.mme <<'EOF'
parm $r2
loop:
	mov $r2 (add $r2 -0x1)
	exit branz $r2 #loop
	send $r2
parm $r3
	exit send $r3
	nop
EOF
cat >shader.asm <<'EOF'
.target ir3:a6xx
	mov.u32u32 r0.x, 5
	br p0.x, #out
	add.u r0.y, (neg)r0.x, c0.x
out:
	stg.u32 g[r0.x], r0.y, 1
	end
	nop
EOF
printf '.target hwsq:g94\nset1 #FB_PAUSE\naddr 0x1002dc\newait #FB_PAUSED 0x1\nexit\n' >script.hwsq
printf '.target a3xx\nmov.f32f32 r1.x, c0.x\nbr p0.x, #out\nadd.f r1.y, r1.x, r0.x\nout:\nend\n' >early.asm

# graphs
run 0 gpucode graph -t mme:fermi macro.mme
holds out 'start: program at 0x0, depth 0' '-> taken 0x1, stop' 'fxn4: routine at 0x4' '-> stop'
run 0 gpucode graph shader.asm
holds out '-> taken 0x3, next 0x2'
lacks out '0x5 '
run 0 gpucode graph early.asm --format=dot
holds out 'the end'
lacks out '(null)'
run 0 gpucode graph early.asm --json
holds out '"kind": "program"' '"kind": "stop"'
run 0 gpucode graph -t mme:fermi macro.mme --function fxn4
lacks out 'start: program'
run 2 gpucode graph script.hwsq
holds err 'code of hwsq has no branches: there is nothing to draw [cli-no-branches]'
run 2 gpucode graph --kind=handlers shader.asm
holds err 'code of ir3 handles no packets [cli-no-handlers]'
run 2 gpucode disasm --comments shader.asm
holds err cli-no-comments

# references
run 0 gpucode xref -t mme:fermi macro.mme '$r2'
holds out '   0x0  start' 'write   parm $r2' 'read    exit branz $r2'
run 0 gpucode xref -t mme:fermi macro.mme loop
holds out 'jump    exit branz $r2 #loop'
run 0 gpucode xref shader.asm r0.x
holds out 'write   mov.u32u32 r0.x, 5' 'read    add.u r0.y, (neg)r0.x, c0.x'
run 0 gpucode xref shader.asm memory
holds out 'stg.u32'
run 0 gpucode xref early.asm r1.x
holds out 'read    add.f r1.y, r1.x, r0.x'
run 0 gpucode xref script.hwsq 0x1002dc --json
holds out '"at_bytes": 1' '"name": "PFB.RAMCHIP_CFG.SELF_REFRESH"'
run 0 gpucode xref script.hwsq FB_PAUSE
holds out 'write   set1 #FB_PAUSE'
run 0 gpucode xref script.hwsq '#FB_PAUSED'
holds out 'read    ewait'
run 2 gpucode xref shader.asm r99.x
holds err cli-place
run 0 gpucode info --calls -t mme:fermi macro.mme
holds out fxn4
finish
