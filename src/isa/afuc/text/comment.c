/* SPDX-License-Identifier: MIT */
/* Comments of listings, and names in the text. */
#include "base/text.h"
#include "isa/afuc/text/meaning.h"
#include "isa/scan.h"

#include <string.h>

static bool meaning_of(const struct gpucode_insn *insn, struct afuc_meaning *meaning)
{
    return afuc_meaning_of(insn, afuc_last_letter(&afuc_rows.rows[insn->row]), meaning);
}

/* The registers that a5xx firmware has in two banks; bit 11 is the bank. Told where they are selected for writing. */
static bool in_second_bank(const struct gpucode_insn *insn, uint32_t number)
{
    unsigned destination = insn->bits >> 16 & 31;
    return insn->target->generation == AFUC_A5XX && (insn->row == AFUC_OR_IMM || insn->row == AFUC_MOV_IMM_A5XX) &&
           (destination == REG_ADDR || destination == REG_USRADDR) && number >= 0xe000 && number <= 0xffff &&
           number & 0x800;
}

char *afuc_put_meaning(char *at, const struct gpucode_target *target, const struct gpucode_names *names,
                       enum gpucode_space space, uint32_t number)
{
    char *text = TEXT_LITERAL(at, "\t; ");
    if (space == GPUCODE_SPACE_PIPE) {
        *text = '|';
        /* those of a5xx have no names in the reference, so that only the user's stand here */
        const struct isa_names *builtin = target->generation == AFUC_A5XX ? NULL : target->names;
        char *end = isa_name_of(builtin, names, space, number, text + 1);
        return end > text + 1 ? end : text_hex_fixed(TEXT_LITERAL(text, "0x"), number, 3);
    }
    char *end = isa_name_of(target->names, names, space, number, text);
    return end > text ? end : at;
}

/* The name of the GPU register that an immediate may mean, or of the pipe register selected through $addr. */
char *afuc_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    struct afuc_meaning meaning;
    if (!meaning_of(insn, &meaning) || afuc_immediate_name(at, insn, options) > at)
        return at;
    char *end = afuc_put_meaning(at, insn->target, options->names, meaning.space, meaning.number);
    /* the reference has no name for it, so it stands there on request alone */
    if (end > at || options->style != AFUC_STYLE_NAMES || !in_second_bank(insn, meaning.number))
        return end;
    end = afuc_put_meaning(at, insn->target, options->names, GPUCODE_SPACE_GPU, meaning.number & ~0x800u);
    return end > at ? TEXT_LITERAL(end, ", bank 1") : at;
}

/* Would the assembler take all of the name for one of a register, and for no label of a packet? */
static bool reads_as_register(const struct gpucode_insn *insn, const struct gpucode_names *names,
                              const struct afuc_meaning *meaning, const char *name, size_t length)
{
    uint32_t number;
    if (!length || !isa_name_byte(*name) || (*name >= '0' && *name <= '9'))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isa_name_byte(name[i]) && !strchr("[].", name[i]))
            return false;
    return afuc_packet_of(insn->target, names, name, length) == -1 && !afuc_is_listing_label(name, length) &&
           isa_number_of(insn->target->names, names, meaning->space, name, length, &number) &&
           number == meaning->number;
}

char *afuc_immediate_text(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    struct afuc_meaning meaning;
    if (!meaning_of(insn, &meaning) || !meaning.plain)
        return at;
    char *start = at;
    if (meaning.space == GPUCODE_SPACE_PIPE)
        *start++ = '|';
    char *end = isa_name_of(insn->target->names, options->names, meaning.space, meaning.number, start);
    return reads_as_register(insn, options->names, &meaning, start, (size_t)(end - start)) ? end : at;
}

/* Can a packet's label have this name? Others have it where listings make up names. */
static bool names_packet(const char *name, size_t length)
{
    return !afuc_is_listing_label(name, length) && !(length >= 4 && memcmp(name, "UNKN", 4) == 0);
}

char *afuc_name(const struct gpucode_target *target, const struct gpucode_names *names, enum gpucode_space space,
                uint32_t number, char *at)
{
    if (!names) /* a test proves it of the built-in names */
        return isa_name_of(target->names, NULL, space, number, at);
    char *end = isa_name_of(target->names, names, space, number, at), *plain = at;
    if (end == at)
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
