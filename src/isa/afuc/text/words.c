/* SPDX-License-Identifier: MIT */
/* What is known of words from their bits alone: their rows, looked up once for everything that asks about them. */
#include "isa/afuc/text/found.h"

#include "afuc_messages.h"
#include "isa/afuc/afuc.h"
#include "isa/scan.h"

#include <string.h>

static uint16_t word_of_row(int row)
{
    if (row < 0)
        return AFUC_WORD_RARE;
    const struct isa_row *facts = &afuc_rows.rows[row];
    return (uint16_t)((row + 1) | (facts->flows ? AFUC_WORD_FLOWS : 0) | (afuc_row_names(facts) ? AFUC_WORD_NAMES : 0) |
                      (row == AFUC_UBFX || row == AFUC_BFI ? AFUC_WORD_RARE : 0));
}

_Static_assert((int)AFUC_ROW_COUNT < (int)AFUC_WORD_ROW, "a row has its place in a word");

void afuc_decode_words(const struct gpucode_target *target, const unsigned char *bytes, uint32_t words,
                       uint16_t *restrict rows)
{
    struct {
        uint32_t ignored;
        uint16_t word;
    } of_row[AFUC_ROW_COUNT + 1];
    for (int row = -1; row < AFUC_ROW_COUNT; row++) {
        of_row[row + 1].word = word_of_row(row);
        of_row[row + 1].ignored = row < 0 ? 0 : (uint32_t)afuc_rows.rows[row].facts.ignored;
    }
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = afuc_word_at(bytes, i);
        int row = isa_decode_row(&afuc_rows, target->generation, word) + 1;
        rows[i] = (uint16_t)(of_row[row].word | (word & of_row[row].ignored ? AFUC_WORD_LOSSY : 0));
    }
}

uint32_t afuc_next_word(const uint16_t *rows, uint32_t first, uint32_t words, uint16_t row)
{
    const uint64_t each = UINT64_C(0x0001000100010001);
    for (; words - first >= 4; first += 4) {
        uint64_t four;
        memcpy(&four, &rows[first], sizeof four);
        four = (four & each * AFUC_WORD_ROW) ^ each * row;
        if ((four - each) & ~four & each << 15) /* a word of them is zero */
            break;
    }
    while (first < words && (rows[first] & AFUC_WORD_ROW) != row)
        first++;
    return first;
}

/* Labels that listings make up, where branches lead, and what is refused although its fields are right. */

bool afuc_is_lossless(const struct gpucode_insn *insn, uint32_t code_words)
{
    uint64_t target;
    return insn->exact && (!afuc_rows.rows[insn->row].flows || !isa_target_of(insn, &target) || target < code_words);
}

/* "l12" and "fxn12", the labels that listings make up. */
bool afuc_default_label(const char *name, size_t length, int64_t *address)
{
    enum { DIGITS = 9 };
    const char *end = name + length, *at = name;
    if (length > 1 && *at == 'l')
        at++;
    else if (length > 3 && at[0] == 'f' && at[1] == 'x' && at[2] == 'n')
        at += 3;
    if (at == name || end - at > DIGITS)
        return false;
    uint32_t number = 0;
    for (unsigned digit; at < end; at++) {
        digit = (unsigned char)(*at - '0');
        if (digit > 9)
            return false;
        number = number * 10 + digit;
    }
    *address = number;
    return true;
}

bool afuc_is_listing_label(const char *name, size_t length)
{
    int64_t address;
    return afuc_default_label(name, length, &address) || (length == 7 && memcmp(name, "jumptbl", 7) == 0);
}

int afuc_packet_of(const struct gpucode_target *target, const struct gpucode_names *names, const char *name,
                   size_t length)
{
    uint32_t number;
    if (length > 4 && memcmp(name, "UNKN", 4) == 0) {
        number = 0;
        for (size_t i = 4; i < length; i++) {
            if (name[i] < '0' || name[i] > '9')
                return -1;
            number = number < 1000 ? number * 10 + (unsigned)(name[i] - '0') : number;
        }
        return number < AFUC_TABLE_ENTRIES ? (int)number : -2;
    }
    if (afuc_is_listing_label(name, length))
        return -1;
    return isa_number_of(target->names, names, GPUCODE_SPACE_PACKET, name, length, &number) &&
                   number < AFUC_TABLE_ENTRIES
               ? (int)number
               : -1;
}

/*
 * Names that listings make up ("l12") say no more than their place, and after an edit not even that: a symbol map's are
 * not used.
 */
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

/*
 * Bit fields with the high bit first exist in no firmware, and a slip of the hand makes them; they need the
 * comment ";! reversed" after them.
 */
bool afuc_check(struct isa_scan *scan, struct isa_build *build, const char *start)
{
    (void)build;
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
