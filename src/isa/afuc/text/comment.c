/* SPDX-License-Identifier: MIT */
/* Comments of listings, and names in the text. */
#include "base/text.h"
#include "isa/afuc/afuc.h"
#include "isa/scan.h"

#include <string.h>

/* What the instruction's immediate may mean as the number of a register. */
struct meaning {
    enum gpucode_space space;
    uint32_t number;
    bool plain; /* the immediate alone is the number: its name could stand in its place */
};

static bool meaning_of(const struct gpucode_insn *insn, struct meaning *meaning)
{
    const struct isa_row *row = &afuc_rows.rows[insn->row];
    if (!afuc_row_names(row) || insn->row == AFUC_NOT_IMM)
        return false;
    uint32_t value = row->fields[row->field_count - 1].letter == 'i' ? insn->bits & 0xffff : insn->bits & 0xfff;
    *meaning = (struct meaning){GPUCODE_SPACE_GPU, value, true};
    if (insn->row == AFUC_MOV_IMM || insn->row == AFUC_MOV_IMM_A5XX) {
        unsigned shift = insn->bits >> 21 & 31;
        meaning->number = value << shift;
        meaning->plain = shift == 0;
        if ((insn->bits >> 16 & 31) == REG_ADDR && shift >= 16) {
            uint32_t pipe = meaning->number & ~UINT32_C(0x40000); /* "do not step the address" */
            if ((pipe & 0xffffff) == 0)
                *meaning = (struct meaning){GPUCODE_SPACE_PIPE, pipe >> 24, shift == 24 && value <= 0xff};
            else
                meaning->number = pipe;
        }
    }
    return meaning->space == GPUCODE_SPACE_PIPE || meaning->number >= 0x100;
}

/* The registers that a5xx firmware has in two banks; bit 11 is the bank. Told where they are selected for writing. */
static bool in_second_bank(const struct gpucode_insn *insn, uint32_t number)
{
    unsigned destination = insn->bits >> 16 & 31;
    return insn->target->generation == AFUC_A5XX && (insn->row == AFUC_OR_IMM || insn->row == AFUC_MOV_IMM_A5XX) &&
           (destination == REG_ADDR || destination == REG_USRADDR) && number >= 0xe000 && number <= 0xffff &&
           number & 0x800;
}

/* The name of the GPU register that an immediate may mean, or of the pipe register selected through $addr. */
char *afuc_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    struct meaning meaning;
    if (!meaning_of(insn, &meaning) || afuc_immediate_name(at, insn, options) > at)
        return at;
    char *text = TEXT_LITERAL(at, "\t; ");
    if (meaning.space == GPUCODE_SPACE_PIPE) {
        *text = '|';
        char *end = isa_name_of(insn->target->names, options->names, meaning.space, meaning.number, text + 1);
        return end > text + 1 ? end : text_hex_fixed(TEXT_LITERAL(text, "0x"), meaning.number, 3);
    }
    char *end = isa_name_of(insn->target->names, options->names, GPUCODE_SPACE_GPU, meaning.number, text);
    if (end > text)
        return end;
    /* the reference has no name for it, so it stands there on request alone */
    if (options->style != AFUC_STYLE_NAMES || !in_second_bank(insn, meaning.number))
        return at;
    end = isa_name_of(insn->target->names, options->names, GPUCODE_SPACE_GPU, meaning.number & ~0x800u, text);
    return end > text ? TEXT_LITERAL(end, ", bank 1") : at;
}

/* Would the assembler take all of the name for one of a register, and for no label of a packet? */
static bool reads_as_register(const struct gpucode_insn *insn, const struct gpucode_names *names,
                              const struct meaning *meaning, const char *name, size_t length)
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
    struct meaning meaning;
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
