# SPDX-License-Identifier: MIT
# For scripts that look at the pixels of pictures; after setting.sh. `$dump` is the program that lists them.

# file, then an awk program that sets r, g, b, a (0 to 1) from u, v of a pixel's middle, x and y
pixels()
{
    checks=$((checks + 1))
    "$dump" "$1" >pixels || complain "$1 is no picture"
    awk "function byte(c) { return c <= 0 ? 0 : c >= 1 ? 255 : int(c * 255 + 0.5) }
        function off(got, wanted) { return got - wanted > 1 || wanted - got > 1 }
        NR == 1 { width = \$1; height = \$3; next }
        { x = \$1; y = \$2; u = (x + 0.5) / width; v = (y + 0.5) / height; r = g = b = 0; a = 1; $2
          if (off(\$3, byte(r)) || off(\$4, byte(g)) || off(\$5, byte(b)) || off(\$6, byte(a))) {
              print \$0 \": expected\", byte(r), byte(g), byte(b), byte(a); bad = 1; exit } }
        END { exit bad || NR < 2 }" pixels >wrong || complain "$1: $(cat wrong)"
}
