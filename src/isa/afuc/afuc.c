/* SPDX-License-Identifier: MIT */
/* AFUC as an instruction set: the struct that plugs it into everything else. */
#include "isa/afuc/afuc.h"

#include "base/text.h"
#include "isa/scan.h"

#include "afuc_rows.inc"

/* The name of bl before 2024. */
static const struct isa_old_name old_names[] = {{"preemptleave", "bl"}, {NULL, NULL}};
static const char *const generations[] = {"a5xx", "a6xx", "a7xx", "gen8", NULL};

bool afuc_target_of(const struct gpucode_insn *insn, int64_t *target)
{
    uint32_t word = (uint32_t)insn->bits;
    switch (insn->row) {
    case AFUC_BRNE_IMM:
    case AFUC_BREQ_IMM:
    case AFUC_BRNE_BIT:
    case AFUC_BREQ_BIT:
    case AFUC_JUMP:
        *target = (int64_t)insn->address + (int16_t)word;
        return true;
    case AFUC_CALL:
    case AFUC_BL:
    case AFUC_JUMPA:
    case AFUC_JUMPA_A5XX:
        *target = word & 0x3ffffff;
        if (*target >= 0x2000000)
            *target -= 0x4000000;
        return true;
    case AFUC_SETSECURE:
        *target = (int64_t)insn->address + 3;
        return true;
    default:
        return false;
    }
}

bool afuc_is_lossless(const struct gpucode_insn *insn, uint32_t code_words)
{
    int64_t target;
    return insn->exact && (!afuc_target_of(insn, &target) || (target >= 0 && target < code_words));
}

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

/* "l12" and "fxn12", the labels that listings make up. */
static bool default_label(const char *name, size_t length, int64_t *address)
{
    size_t prefix = length > 1 && name[0] == 'l' ? 1 : length > 3 && memcmp(name, "fxn", 3) == 0 ? 3 : 0;
    if (!prefix || length - prefix > 9)
        return false;
    *address = 0;
    for (size_t i = prefix; i < length; i++) {
        if (name[i] < '0' || name[i] > '9')
            return false;
        *address = *address * 10 + (name[i] - '0');
    }
    return true;
}

bool afuc_is_listing_label(const char *name, size_t length)
{
    int64_t address;
    return default_label(name, length, &address) || (length == 7 && memcmp(name, "jumptbl", 7) == 0);
}

/* Maps of listings that were edited have made-up labels at places that they no longer tell; they say nothing. */
enum isa_label_use afuc_label_use(const struct isa_layout *layout, unsigned section, uint32_t unit,
                                  const struct gpucode_names *names, const char *name, size_t length)
{
    const struct gpucode_section *place = section < layout->info.section_count ? &layout->info.sections[section] : NULL;
    uint32_t handler;
    if (afuc_is_listing_label(name, length))
        return ISA_LABEL_MADE_UP;
    int packet = afuc_packet_of(layout->info.target, names, name, length);
    if (packet == -1)
        return ISA_LABEL_FREE;
    if (packet == -2 || memcmp(name, "UNKN", 4) == 0)
        return ISA_LABEL_MADE_UP;
    if (!place || place->table == GPUCODE_NONE) /* no table to be filled */
        return ISA_LABEL_FREE;
    bool same = afuc_handler(layout, section, (unsigned)packet, &handler) && handler == unit;
    return same ? ISA_LABEL_MADE_UP : ISA_LABEL_OTHER;
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

/*
 * Bit fields with the high bit first exist in no firmware, and a slip of the hand makes them; they need the
 * comment ";! reversed" behind them.
 */
static bool check(struct isa_scan *scan, struct isa_build *build, const char *start)
{
    if (build->row != &afuc_rows.rows[AFUC_UBFX] && build->row != &afuc_rows.rows[AFUC_BFI])
        return true;
    if ((build->bits & 31) <= (build->bits >> 5 & 31))
        return true;
    static const char mark[] = ";! reversed";
    const char *at = scan->at;
    while (at < scan->end && (*at == ' ' || *at == '\t'))
        at++;
    if ((size_t)(scan->end - at) >= sizeof mark - 1 && memcmp(at, mark, sizeof mark - 1) == 0)
        return true;
    size_t span = (size_t)(scan->at - start);
    scan->error.set = false;
    return isa_fail(scan, start, span, MSG_AFUC_REVERSED, "the order is low bit, high bit", NULL, 0, NULL);
}

const struct isa afuc_isa = {
    .name = "afuc",
    .alias = "qrisc",
    .title = "AFUC (QRisc), microcode of Adreno command processors",
    .unit_bytes = 4,
    .facts = {.packets = true,
              .protected_registers = true,
              .calls = true,
              .delay_slots = true,
              .fixed_size = true,
              .words = true},
    .generations = generations,
    .targets = afuc_targets,
    .target_count = AFUC_TARGET_COUNT,
    .rows = &afuc_rows,
    .operand_classes = afuc_kinds,
    .syntax = {.comment = ";", .newlines_are_space = true},
    .old_names = old_names,
    .comment = afuc_comment,
    .default_label = default_label,
    .own_register = afuc_own_register,
    .own_mark = '$',
    .label_use = afuc_label_use,
    .check = check,
    .layout = afuc_layout,
    .handler = afuc_handler,
    .disassemble = afuc_disassemble,
    .assembler = &afuc_assembler,
    .machine = &afuc_machine,
};
