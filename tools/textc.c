/* SPDX-License-Identifier: MIT */
/* textc NAME FILE: a text file as the C array NAME, which ends in a zero. Runs on the build machine. */
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "textc: cannot read %s\n", argc > 2 ? argv[2] : "the file");
        return 1;
    }
    printf("extern const char %s[];\nconst char %s[] = {\n", argv[1], argv[1]);
    int byte;
    for (unsigned column = 0; (byte = getc(file)) != EOF; column++)
        printf("'\\x%02x',%s", (unsigned)byte, column % 16 == 15 ? "\n" : "");
    printf("0};\n");
    return ferror(file) || fflush(stdout) != 0;
}
