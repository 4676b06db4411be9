/* SPDX-License-Identifier: MIT */
/* Flags in front of operands, (neg) and (abs): what they do to a value, as p-code. */
#include "export/sleigh_learn.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Flags of an operand's text; *half: whether it has 16 bits, 0 and 1, 2 where nothing tells. */
unsigned sleigh_read_flags(const char *text, unsigned *half)
{
    const char *place = text + learner_flags_length(text);
    unsigned change = 0;
    for (; text < place; text = strchr(text, ')') + 1) {
        change |= strncmp(text, "(neg", 4) == 0 || strncmp(text, "(absneg", 7) == 0 ? SLEIGH_NEG : 0;
        change |= strncmp(text, "(abs", 4) == 0 ? SLEIGH_ABS : 0;
    }
    *half = !change ? 0 : *place == 'h' ? 1 : isdigit((unsigned char)*place) || *place == '-' ? 2 : 0;
    return change;
}

/* Of what kind the row's sources are, by the type at the end of its name: 'f', 's' (and 'u'), 'b'; 0: not known. */
char sleigh_sources_kind(const struct sleigh_row *row)
{
    const char *type = strchr(row->facts->mnemonic, '.');
    const char kind = type ? type[1] : 0;
    if (!kind || !strchr("fsub", kind) || (type[2] && (kind == 'b' || !isdigit((unsigned char)type[2]))))
        return 0; /* of those that choose (sel.b32) sets say different things */
    return kind == 'u' ? 's' : kind;
}

/*
 * The value with the operand's flags: the sign bit of floats, of integers and bits what they say. What the words do not
 * tell (is a number in a float's place one of 16 bits?), and what (abs) is to bits, is a function.
 */
void sleigh_flagged(const struct sleigh_row *row, unsigned flags, bool several, const char *value,
                    char code[SLEIGH_FLAGGED])
{
    const char kind = sleigh_sources_kind(row);
    const unsigned change = flags >> 2, half = flags & 3;
    const uint32_t sign = half == 1 ? 0x8000 : 0x80000000;
    const char *front = change & SLEIGH_NEG ? "-" : "";
    if (!change) {
        snprintf(code, SLEIGH_FLAGGED, "%s", value);
    } else if (several) {
        sleigh_note(row->sleigh, &row->sleigh->calls, "modified");
        snprintf(code, SLEIGH_FLAGGED, "modified(%s, %u:4)", value, change);
    } else if (kind == 'f' && half != 2) {
        if (change == (SLEIGH_NEG | SLEIGH_ABS))
            snprintf(code, SLEIGH_FLAGGED, "(%s | 0x%" PRIx32 ":4)", value, sign);
        else if (change == SLEIGH_ABS)
            snprintf(code, SLEIGH_FLAGGED, "(%s & 0x%" PRIx32 ":4)", value, ~sign);
        else
            snprintf(code, SLEIGH_FLAGGED, "(%s ^ 0x%" PRIx32 ":4)", value, sign);
    } else if (kind == 'b' && change == SLEIGH_NEG) {
        snprintf(code, SLEIGH_FLAGGED, "(~(%s))", value);
    } else if (kind == 's' && change == SLEIGH_NEG) {
        snprintf(code, SLEIGH_FLAGGED, "(-(%s))", value);
    } else if (kind == 's' && half != 1) { /* numbers have their sign in all bits */
        snprintf(code, SLEIGH_FLAGGED, "(%s((%s ^ (%s s>> 31:4)) - (%s s>> 31:4)))", front, value, value, value);
    } else if (kind == 's') {
        snprintf(code, SLEIGH_FLAGGED, "(%s((%s ^ ((%s << 16:4) s>> 31:4)) - ((%s << 16:4) s>> 31:4)))", front, value,
                 value, value);
    } else {
        sleigh_note(row->sleigh, &row->sleigh->calls, "modified");
        snprintf(code, SLEIGH_FLAGGED, "modified(%s, %u:4)", value, change);
    }
}
