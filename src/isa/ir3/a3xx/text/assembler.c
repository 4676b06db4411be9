/* SPDX-License-Identifier: MIT */
/* Statements of A3XX sources that are not instructions: raw words, columns of a dump; and whose source a text is. */
#include "a3xx_messages.h"
#include "base/text.h"
#include "isa/ir3/a3xx/a3xx.h"

static uint64_t padding_word(const struct gpucode_target *target)
{
    (void)target;
    return 0; /* nop */
}

/* Eight hex digits and the x that some tools put after them. */
static bool take_half_word(const char **at, const char *end, uint64_t *word)
{
    unsigned count = 0;
    for (; *at < end && count < 8 && text_hex_digit(**at) >= 0; ++*at, count++)
        *word = *word << 4 | (unsigned)text_hex_digit(**at);
    if (count == 8 && *at < end && **at == 'x')
        ++*at;
    return count == 8;
}

/* "hi_lo", each with an x or without. */
static bool take_word(const char **at, const char *end, uint64_t *word)
{
    const char *start = *at;
    *word = 0;
    if (take_half_word(at, end, word) && *at < end && **at == '_' && (++*at, take_half_word(at, end, word)))
        return true;
    *at = start;
    return false;
}

enum column { NO_COLUMN, A_WORD, A_STEP, BAD_COLUMN };

/* "0003[hi_lo]", "0003[         ]" (a step of a repeat) or "hi_lo" at *at; moves after it. */
static enum column take_column(const char **at, const char *end, uint64_t *word)
{
    const char *mark = *at;
    if (take_word(&mark, end, word) && (mark == end || !(isa_name_byte(*mark) || *mark == ':'))) {
        *at = mark;
        return A_WORD;
    }
    mark = *at;
    while (mark < end && *mark >= '0' && *mark <= '9')
        mark++;
    if (mark == *at || mark == end || *mark != '[')
        return NO_COLUMN;
    const char *inside = ++mark;
    while (mark < end && *mark == ' ')
        mark++;
    if (mark < end && *mark == ']') {
        *at = mark + 1;
        return A_STEP;
    }
    bool good = take_word(&mark, end, word);
    while (mark < end && *mark == ' ')
        mark++;
    if (!good || mark == end || *mark != ']') {
        *at = inside;
        return BAD_COLUMN;
    }
    *at = mark + 1;
    return A_WORD;
}

/* A dump's column is passed over when a text follows; alone it is the instruction. */
static int read_column(struct asm_context *context, struct isa_scan *scan)
{
    uint64_t word;
    switch (take_column(&scan->at, scan->end, &word)) {
    case NO_COLUMN:
        return 0;
    case BAD_COLUMN:
        isa_fail(scan, scan->at, 1, MSG_A3XX_COLUMN, NULL, NULL, 0, NULL);
        return -1;
    case A_STEP: {
        const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = newline ? newline : scan->end;
        return 1;
    }
    default:
        isa_skip_line(scan);
        if (scan->at < scan->end && *scan->at != '\n')
            return 2;
        asm_emit(context, word, 8);
        return 1;
    }
}

static int read_statement(struct asm_context *context, struct isa_scan *scan)
{
    char c = *scan->at;
    if (c == '@')
        return a3xx_directive(context, scan);
    if (c == '.' && scan->end - scan->at > 5 && memcmp(scan->at, ".insn", 5) == 0 && !isa_name_byte(scan->at[5])) {
        struct isa_build build;
        if (!isa_parse(scan, &build))
            return -1;
        asm_emit(context, build.bits, 8);
        return 1;
    }
    return text_hex_digit(c) >= 0 ? read_column(context, scan) : 0;
}

/* --- is this an A3XX source? ------------------------------------------------------------------------------------- */

/* Who asks which set a text belongs to, and about whom. */
struct candidate {
    const struct isa *set;
    isa_elsewhere *elsewhere;
};

/* 1 an instruction that only A3XX has, 0 one that says nothing, -1 none of A3XX's. */
static int judge_mnemonic(const struct candidate *candidate, const char *word, size_t length)
{
    for (size_t prefix = length; prefix; prefix--) {
        if (prefix < length && word[prefix] != '.')
            continue;
        if (isa_find_mnemonic(candidate->set, word, prefix))
            return !candidate->elsewhere(candidate->set, word, prefix);
    }
    return -1;
}

static int judge_line(const struct candidate *candidate, const char *at, const char *end)
{
    uint64_t word;
    const char *mark = at;
    if (take_column(&mark, end, &word) != NO_COLUMN && *at != ':')
        return 1;
    if (*at == '@')
        return 1;
    if (*at == '(') {
        static const char *const flags[] = {"(sy)", "(ss)", "(jp)", "(rpt", "(ul)", "(sat)"};
        for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
            if ((size_t)(end - at) >= strlen(flags[i]) && memcmp(at, flags[i], strlen(flags[i])) == 0)
                return 1;
        return -1;
    }
    if (*at == '.') /* directives that all sets have, but for the raw word */
        return end - at > 5 && memcmp(at, ".insn", 5) == 0 && !isa_name_byte(at[5]);
    if (!isa_name_byte(*at))
        return -1;
    size_t length = 0;
    while (at + length < end && (isa_name_byte(at[length]) || at[length] == '.'))
        length++;
    const char *behind = at + length;
    while (behind < end && (*behind == ' ' || *behind == '\t'))
        behind++;
    if (behind < end && *behind == ':') {
        for (behind++; behind < end && (*behind == ' ' || *behind == '\t' || *behind == '\r');)
            behind++;
        return behind == end || *behind == ';' ? 0 : judge_line(candidate, behind, end);
    }
    return judge_mnemonic(candidate, at, length);
}

/* The first line that says something decides. */
static const struct gpucode_target *detect_source(const struct isa *set, isa_elsewhere *elsewhere, const char *text,
                                                  size_t length)
{
    const struct candidate candidate = {set, elsewhere};
    for (const char *at = text, *end = text + length; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        while (at < stop && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        int verdict = at == stop || *at == ';' ? 0 : judge_line(&candidate, at, stop);
        if (verdict)
            return verdict > 0 ? &set->targets.list[0] : NULL;
        at = stop + 1;
    }
    return NULL;
}

const struct isa_assembler a3xx_assembler = {
    .directives = a3xx_directives,
    .statement = read_statement,
    .detect = detect_source,
    .padding = padding_word,
    .declaration = shader_declaration,
};
