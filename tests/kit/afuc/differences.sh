#!/bin/sh
# SPDX-License-Identifier: MIT
# diff: the page of two firmwares, and two shaders compared by blocks.
. "$2/support/setting.sh"
cp "$root"/examples/firmware/*.asm .
run 0 gpucode asm a6xx.asm -o old.fw
sed 's/and $05, $14, 0xb00/and $05, $14, 0xf00/' a6xx.asm >new.asm
sed 's/^CP_MEM_WRITE:/CP_MEM_WRITE:\n    nop/' memory.asm >memory.new && cp memory.new memory.asm

# --- a page: no tag without its end, nothing from elsewhere
run 1 gpucode diff old.fw new.asm --html page.html
[ -s out ] && complain 'the page and the text'
holds page.html '<h1>old.fw → new.asm</h1>'
holds page.html '<tr><td>-  0x2c5         and $05, $14, 0x<del>b</del>00'
holds page.html '</td><td>+         0x2c6  and $05, $14, 0x<ins>f</ins>00'
holds page.html '<tr><td></td><td>+          0x7c  <ins>nop</ins>'
holds page.html '  + nop, 1 place'
lacks page.html 'http'
lacks page.html '<script'
# page: every tag has its end
well_formed()
{
    command -v python3 >/dev/null || return 0
    run 0 python3 - "$1" <<'END'
import html.parser
import sys
OPTIONAL = {"meta", "col", "td", "tr", "tbody", "p"}
class Check(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag not in OPTIONAL:
            self.open.append(tag)
    def handle_endtag(self, tag):
        if tag not in OPTIONAL:
            assert self.open.pop() == tag, (tag, self.getpos())
check = Check()
check.feed(open(sys.argv[1]).read())
assert not check.open, check.open
END
}
well_formed page.html
run 0 gpucode diff old.fw old.fw --html same.html
lacks same.html 'edits:'
mkdir folder
run 2 gpucode diff old.fw new.asm --html folder
run 2 gpucode diff old.fw new.asm --html old.fw

# --- registers that a function uses now, or no more
cp "$root"/examples/firmware/memory.asm .
sed 's/^CP_MEM_WRITE:/CP_MEM_WRITE:\n    cread $05, [$00 + @IB1_BASE]\n    mov $15, $05/' memory.asm >memory.new && cp memory.new memory.asm
run 0 gpucode asm a6xx.asm -o uses.fw
run 1 gpucode diff old.fw uses.fw
holds out '  now: writes $15, reads @IB1_BASE'
run 1 gpucode diff uses.fw old.fw
holds out '  now: no longer writes $15, no longer reads @IB1_BASE'
run 1 gpucode diff --json old.fw uses.fw
holds out '"register": "@IB1_BASE"'
holds out '"status": "new"'

# --- packets that changed are named, but for those with the handler that most have; each is where none have that
{
    printf '[016ee002]\n[#jumptbl]\nmov $02, 1\n'
    awk 'BEGIN { for (i = 0; i < 128; i++) printf "UNKN%d:\nmov $03, 0x%x\nwaitin\nmov $01, $data\n", i, i }'
    printf 'jumptbl:\n.jumptbl\n'
} >alone.asm
sed 's/^mov $03, 0x3$/mov $03, 0x333/' alone.asm >changed.asm
run 1 gpucode diff alone.asm changed.asm
holds out '  changed    1 UNKN3'
sed '/^UNKN[34]:/d; s/^UNKN2:/&UNKN3: UNKN4:/' alone.asm >shared.asm
sed 's/^mov $03, 0x\([29]\)$/mov $03, 0x33\1/' shared.asm >changed.asm
run 1 gpucode diff shared.asm changed.asm
holds out '  changed    4 UNKN9'
lacks out 'UNKN2 '

# --- two entries for interruptions, that of the packet table and that of boot: each has its partner
cat >entries.asm <<'END'
.target afuc:a630
[016ee002]
[#jumptbl]
    mov $02, #other
    swrite $02, [$00 + %PREEMPT_INSTR]
CP_NOP:
    waitin
    mov $01, $data
IN_PREEMPT:
    mov $03, 0x1
    iret
    nop
other:
    mov $03, 0x2
    iret
    nop
jumptbl:
    .jumptbl
END
run 0 gpucode info --calls entries.asm
[ "$(grep -c ' preempt ' out)" = 2 ] || complain 'two entries'
run 0 gpucode diff entries.asm entries.asm
lacks out ' gone'

# --- shaders
cat >one.asm <<'END'
@in(r0.x) x
rcp r0.y, r0.x
(ss)mul.f r0.z, r0.y, (0.5)
(rpt2)nop
cmps.f.lt p0.x, r0.x, r0.y
(rpt5)nop
br p0.x, #done
mad.f32 r0.w, r0.z, r0.z, r0.x
add.f r0.w, r0.w, r0.x
done:
end
END
sed 's/(0.5)/(2.0)/; s/^add.f.*/&\nadd.f r1.x, r0.x, r0.x/' one.asm >two.asm
run 0 gpucode diff one.asm one.asm
holds out 'blocks: 3 same'
run 1 gpucode diff one.asm two.asm
holds out 'blocks: 1 moved, 2 changed'
holds out '  (ss)mul.f r0.z, r0.y, (0.5) -> (ss)mul.f r0.z, r0.y, (2.0), 1 place'
holds out '+           0x8  add.f r1.x, r0.x, r0.x'
run 1 gpucode diff --json one.asm two.asm
holds out '"text": "+ add.f r1.x, r0.x, r0.x"'
# the same words that lead elsewhere; blocks that are new and gone
sed 's/^add.f/done: add.f/; s/^done:$//' one.asm >three.asm
run 1 gpucode diff one.asm three.asm
holds out 'changed'
lacks out 'edits:'
sed '/^mad/,/^add/d' one.asm >four.asm
run 1 gpucode diff one.asm four.asm
holds out '1 gone'
run 1 gpucode diff four.asm one.asm
holds out '1 new'
# their page has both sides beside each other
run 1 gpucode diff one.asm two.asm --html shader.html
[ -s out ] && complain 'the page and the text'
well_formed shader.html
holds shader.html '<h1>one.asm → two.asm</h1>'
holds shader.html 'blocks: 1 moved, 2 <mark>changed</mark>'
holds shader.html '<tr><td>-    0x1         (ss)mul.f r0.z, r0.y, (<del>0.5</del>)'
holds shader.html '</td><td>+           0x1  (ss)mul.f r0.z, r0.y, (<ins>2.0</ins>)'
holds shader.html '<tr><td></td><td>+           0x8  <ins>add.f r1.x, r0.x, r0.x</ins>'
lacks shader.html 'http'
run 1 gpucode diff one.asm four.asm --html shader.html
well_formed shader.html
holds shader.html '1 <del>gone</del>'
run 1 gpucode diff four.asm one.asm --html shader.html
holds shader.html '1 <ins>new</ins>'
run 0 gpucode diff one.asm one.asm --html shader.html
holds shader.html 'blocks: 3 same'
lacks shader.html '<table'
sed 's/add \$r2 -1/add $r2 -2/; s/^	exit$/	nop\n	exit/' "$root/examples/mme/macros.mme" >macros.mme
run 1 gpucode diff -t mme:fermi "$root/examples/mme/macros.mme" macros.mme --html macros.html
well_formed macros.html
holds macros.html 'mov $r2 (add $r2 -0x<del>1</del>)'
holds macros.html 'mov $r2 (add $r2 -0x<ins>2</ins>)'
printf '.target hwsq:nv41\nset1 #FB_PAUSE\nexit\n' >one.hwsq
printf '.target hwsq:nv41\nset0 #FB_PAUSE\nexit\n' >two.hwsq
run 1 gpucode diff one.hwsq two.hwsq --html script.html
holds script.html '<del>'
printf '\001\002\003\004' >data
run 2 gpucode diff -t data data data
holds err cli-cannot
run 2 gpucode diff -t data data data --html data.html
holds err cli-cannot
absent data.html
finish
