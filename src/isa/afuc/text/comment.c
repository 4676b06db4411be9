/* SPDX-License-Identifier: MIT */
/* Comments of listings, and names in the text. */
#include "base/text.h"
#include "isa/afuc/afuc.h"
#include "isa/scan.h"

/* The name of the GPU register that an immediate may mean, or of the pipe register selected through $addr. */
char *afuc_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    const struct isa_row *row = &afuc_rows.rows[insn->row];
    char last = row->field_count ? row->fields[row->field_count - 1].letter : 0;
    if ((last != 'i' && last != 'n') || insn->row == AFUC_NOT_IMM)
        return at;
    uint32_t value = last == 'i' ? insn->bits & 0xffff : insn->bits & 0xfff;
    char *text = TEXT_LITERAL(at, "\t; ");
    if (insn->row == AFUC_MOV_IMM || insn->row == AFUC_MOV_IMM_A5XX) {
        unsigned shift = insn->bits >> 21 & 31;
        value <<= shift;
        if ((insn->bits >> 16 & 31) == 0x1d && shift >= 16) {
            value &= ~UINT32_C(0x40000); /* "do not step the address" */
            if ((value & 0xffffff) == 0) {
                *text = '|';
                char *end = isa_name_of(insn->target->names, options->names, GPUCODE_SPACE_PIPE, value >> 24, text + 1);
                if (end > text + 1)
                    return end;
                return text_hex_fixed(TEXT_LITERAL(text, "0x"), value >> 24, 3);
            }
        }
    }
    if (value < 0x100)
        return at;
    char *end = isa_name_of(insn->target->names, options->names, GPUCODE_SPACE_GPU, value, text);
    return end > text ? end : at;
}

/* Can a packet's label have this name? Others have it where listings make up names. */
static bool names_packet(const char *name, size_t length)
{
    return !afuc_is_listing_label(name, length) && !(length >= 4 && memcmp(name, "UNKN", 4) == 0);
}

char *afuc_name(const struct gpucode_target *target, const struct gpucode_names *names, enum gpucode_space space,
                uint32_t number, char *at)
{
    char *end = isa_name_of(target->names, names, space, number, at), *plain = at;
    if (!names || end == at) /* a test proves it of the built-in names */
        return end;
    while (plain < end && isa_name_byte(*plain))
        plain++;
    uint32_t read;
    size_t length = (size_t)(plain - at), rest = (size_t)(end - plain);
    bool second = space != GPUCODE_SPACE_PACKET && rest == 4 && memcmp(plain, "+0x1", 4) == 0;
    bool good = length && !(*at >= '0' && *at <= '9') && (!rest || second) &&
                isa_number_of(target->names, names, space, at, length, &read) && read + second == number &&
                (space != GPUCODE_SPACE_PACKET || names_packet(at, length));
    return good ? end : at;
}
