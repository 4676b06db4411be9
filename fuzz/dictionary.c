/* SPDX-License-Identifier: MIT */
/*
 * Words of the sources of all instruction sets, as libFuzzer and AFL++ read dictionaries: mnemonics from the rows,
 * names of packets and control registers. For targets whose input is text.
 */
#include <gpucode/insn.h>
#include <gpucode/names.h>
#include <gpucode/target.h>
#include <stdio.h>
#include <string.h>

static void print_word(const char *word)
{
    putchar('"');
    for (; *word; word++)
        if (*word == '"' || *word == '\\')
            printf("\\%c", *word);
        else
            putchar(*word);
    puts("\"");
}

int main(void)
{
    const struct gpucode_target *target;
    const char *set = "";
    puts("# made from the rows of the instruction sets");
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        struct gpucode_row row;
        char name[GPUCODE_NAME_MAX];
        if (strcmp(gpucode_target_isa(target), set) == 0)
            continue;
        set = gpucode_target_isa(target);
        for (unsigned k = 0; gpucode_row(target, k, &row); k++) {
            struct gpucode_row before;
            if (row.mnemonic && *row.mnemonic &&
                (!k || !gpucode_row(target, k - 1, &before) || strcmp(before.mnemonic, row.mnemonic) != 0))
                print_word(row.mnemonic);
        }
        static const unsigned spaces[] = {GPUCODE_SPACE_PACKET, GPUCODE_SPACE_CONTROL, GPUCODE_SPACE_FLAG};
        for (unsigned k = 0; k < sizeof spaces / sizeof *spaces; k++)
            for (uint32_t number = 0; gpucode_name_next(target, spaces[k], &number); number++)
                if (gpucode_name_of(target, NULL, spaces[k], number, name, sizeof name))
                    print_word(name);
    }
    return 0;
}
