/* SPDX-License-Identifier: MIT */
/* Comments of listings. */
#include "base/text.h"
#include "isa/ir3/a3xx/machine/machine.h"
#include "isa/ir3/machine/spaces.h"
#include "isa/scan.h"

/* Was the register named before in the text? */
static bool is_seen(const char *text, const char *token, size_t length)
{
    for (const char *at = text; at + length <= token; at++)
        if (memcmp(at, token, length) == 0 && !isa_name_byte(at[length]) && at[length] != '.' &&
            (at == text || !isa_name_byte(at[-1])))
            return true;
    return false;
}

/* "r1.y = uv, c0.x = scale": the names that users gave to registers of an instruction's text. */
static char *put_names(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    char text[GPUCODE_TEXT_MAX];
    const struct gpucode_format_options plain = {.style = options->style};
    const char *end = isa_format(text, insn, &plain), *limit = at + GPUCODE_TEXT_MAX / 2;
    const char *between = "\t; ";
    for (const char *token = text; token < end;) {
        size_t length = 0;
        while (token + length < end && (isa_name_byte(token[length]) || token[length] == '.'))
            length++;
        unsigned space;
        uint32_t number;
        char name[GPUCODE_NAME_MAX];
        if (shader_find_register(&a3xx_spaces, token, length, &space, &number) && !is_seen(text, token, length)) {
            char *name_end = isa_name_of(NULL, options->names, (enum gpucode_space)space, number, name);
            size_t named = (size_t)(name_end - name);
            if (named && (size_t)(limit - at) > named + length + 8) {
                at = text_put(text_string(at, between), token, length);
                at = text_put(TEXT_LITERAL(at, " = "), name, named);
                between = ", ";
            }
        }
        token += length ? length : 1;
    }
    return at;
}

bool a3xx_own_register(const char *text, size_t length, unsigned *space, uint32_t *number)
{
    return shader_find_register(&a3xx_spaces, text, length, space, number);
}

char *a3xx_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    if (insn->row != A3XX_RAW)
        return options->names ? put_names(at, insn, options) : at;
    int row = isa_decode_row(&a3xx_rows, 0, insn->bits);
    if (row == A3XX_RAW)
        return shader_category(insn->bits) == 7 ? TEXT_LITERAL(at, "\t; category 7, barriers of later generations")
                                                : TEXT_LITERAL(at, "\t; no instruction of A3XX");
    struct gpucode_insn nearly = *insn;
    nearly.row = (uint16_t)row;
    at = isa_format(TEXT_LITERAL(at, "\t; nearly "), &nearly, options);
    return TEXT_LITERAL(at, ", an operand of which is not allowed");
}
