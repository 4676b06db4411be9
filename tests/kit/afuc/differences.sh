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
holds page.html '<h1>old.fw &rarr; new.asm</h1>'
holds page.html '<td class=u>709<td class=o>and $05, $14, 0x<mark>b</mark>00<td class=u>710<td class=a>and $05, $14, 0x<mark>f</mark>00'
holds page.html '<td class=u><td class=h><td class=u>124<td class=a>nop'
holds page.html '<code>+ nop</code>'
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
lacks same.html '<h2>Edits'
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
holds out '  now: writes $15 no more, reads @IB1_BASE no more'
run 1 gpucode diff --json old.fw uses.fw
holds out '"register": "@IB1_BASE"'
holds out '"status": "new"'

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
holds out '+           8  add.f r1.x, r0.x, r0.x'
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
# their page: blocks with both sides, those without a difference counted
run 1 gpucode diff one.asm two.asm --html shader.html
[ -s out ] && complain 'the page and the text'
well_formed shader.html
holds shader.html '<h1>one.asm &rarr; two.asm</h1>'
holds shader.html 'block <span class=dim>0 &rarr; 0</span> <b class=changed>changed</b>'
holds shader.html '<td class=u>1<td class=o>(ss)mul.f r0.z, r0.y, (<mark>0.5</mark>)<td class=u>1<td class=a>(ss)mul.f r0.z, r0.y, (<mark>2.0</mark>)'
holds shader.html '<td class=u><td class=h><td class=u>8<td class=a>add.f r1.x, r0.x, r0.x'
holds shader.html '1 block without a difference'
lacks shader.html 'http'
run 1 gpucode diff one.asm four.asm --html shader.html
well_formed shader.html
holds shader.html '<b class=gone>gone</b>'
run 1 gpucode diff four.asm one.asm --html shader.html
holds shader.html 'block <span class=dim>&ndash; &rarr; 6</span> <b class=new>new</b>'
run 0 gpucode diff one.asm one.asm --html shader.html
holds shader.html '3 blocks without a difference'
lacks shader.html '<table'
sed 's/add \$r2 -1/add $r2 -2/; s/^	exit$/	nop\n	exit/' "$root/examples/mme/macros.mme" >macros.mme
run 1 gpucode diff -t mme:fermi "$root/examples/mme/macros.mme" macros.mme --html macros.html
well_formed macros.html
holds macros.html 'mov $r2 (add $r2 -0x<mark>1</mark>)<td class=u>8<td class=a>mov $r2 (add $r2 -0x<mark>2</mark>)'
printf '.target hwsq:nv41\nset1 #FB_PAUSE\nexit\n' >one.hwsq
printf '.target hwsq:nv41\nset0 #FB_PAUSE\nexit\n' >two.hwsq
run 1 gpucode diff one.hwsq two.hwsq --html script.html
holds script.html '<mark>'
printf '\001\002\003\004' >data
run 2 gpucode diff -t data data data
holds err cli-cannot
run 2 gpucode diff -t data data data --html data.html
holds err cli-cannot
absent data.html
finish
