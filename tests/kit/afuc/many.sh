# SPDX-License-Identifier: MIT
# For places.session. many COUNT LINES: firmware whose packet goes one of so many ways, each of them the lines (\n between
# them; @ is the number of the way) and then to a jump by $02. Prints how many labels its listing has for numbers, and what
# is said of places that are not known.
many()
{
    awk -v count="$1" -v lines="$2" 'BEGIN {
        print ".target afuc:a630\n[016ee001]\n[#jumptbl]\njump #there\nnop\nCP_NOP:"
        for (way = 1; way <= count; way++) {
            text = lines
            gsub("@", way, text)
            printf "way%d:\nbrne $01, b0, #way%d\nnop\n%s\njump #go\nnop\n", way, way + 1, text
        }
        printf "way%d:\nmov $02, #there\ngo:\njumpd $02\nnop\n", way
        print "CP_WAIT_FOR_IDLE:\nmov $02, #there\ncall #pass\nnop\njumpd $02\nnop"
        print "pass:\nbrne $01, b0, #over\nnop\nmov $02, #there\nover:\nret\nnop"
        print "maker:\nmov $02, #there\nret\nnop\nthere:\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl"
    }' >many.asm
    gpucode asm many.asm -o many.fw && gpucode disasm --edit many.fw >edit.asm
    grep -c '$02, .*#l' edit.asm
}
