# SPDX-License-Identifier: MIT
# For operations.session. one CHIP REGISTERS TEXT OPTION...: runs the lines of a text, with \n between them, and prints
# the registers.
one()
{
    printf '%b\nend\n' "$3" >one.asm
    target=ir3:$1 print=$2
    shift 3
    gpucode run -t "$target" one.asm --print "$print" "$@" 2>&1 | grep -v -e 'slots$' -e cli-not-given -e 'were used'
}
