#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures of graphs; those in docs/ show what the program draws today. Where letters stand depends on fonts and on
# graphviz' version: nodes, edges and text are compared, not places.
. "$2/support/setting.sh"
export LSAN_OPTIONS="suppressions=$root/tests/support/graphviz.supp:print_suppressions=0"
cp "$root"/examples/firmware/*.asm . # the file's name stands in the picture
if ! gpucode graph --format=svg --function CP_NOP a6xx.asm >out 2>err; then
    holds err cli-no-drawing
    run 0 gpucode graph --format=dot --function CP_NOP a6xx.asm
    [ "$bad" = 0 ] || exit 1
    echo 'skipped: this build, or this system, has no graphviz'
    exit 77
fi

# file: the nodes and edges of a picture, and its text in lines from the left; older versions of graphviz call a graph
# without a name %3
contents()
{
    sed -n '/<title>%[0-9]*</d; s,.*<title>\(.*\)</title>.*,\1,p; s,.*<text[^>]*>\(.*\)</text>.*,\1,p' "$1" | sort
}

# name option... : docs/NAME.svg is what `graph` makes with these options
current()
{
    name=$1
    shift
    run 0 gpucode graph --format=svg "$@" a6xx.asm -o "$name.svg"
    [ -z "${UPDATE_GOLDEN:-}" ] || cp "$name.svg" "$root/docs/$name.svg"
    checks=$((checks + 1))
    contents "$name.svg" >now
    contents "$root/docs/$name.svg" >kept
    [ "$(wc -l <now)" -gt 50 ] || complain "$name.svg is all but empty"
    diff kept now || complain "docs/$name.svg is old: UPDATE_GOLDEN=1 meson test -C build kit/afuc/pictures"
}
current analysis-calls --kind=calls
current analysis-flow --function CP_COND_REG_EXEC

holds analysis-calls.svg '>CP_COND_REG_EXEC<'
holds analysis-flow.svg '#1a7f37'
holds analysis-flow.svg '#c62828'

# characters that SVG and graphviz take for their own
printf '.target afuc:a630\n[01630001]\n[#jumptbl]\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n' >'a<b>&"c\.asm'
run 0 gpucode graph --format=svg 'a<b>&"c\.asm'
holds out 'a&lt;b&gt;&amp;&quot;c\.asm'

# too many nodes for a picture: 4000 blocks
{
    printf '.target afuc:a630\n[01630001]\n[#jumptbl]\n'
    i=0
    while [ $i -lt 4000 ]; do
        printf 'a%u: breq $02, 0x0, #a%u\nnop\n' $i $i
        i=$((i + 1))
    done
    printf 'waitin\nmov $01, $data\njumptbl:\n.jumptbl\n'
} >large.asm
run 2 gpucode graph --format=svg large.asm -o large.svg
holds err cli-drawing-large
[ ! -e large.svg ] || complain 'a picture that was refused was written'
finish
