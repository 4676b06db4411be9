/* SPDX-License-Identifier: MIT */
/* Is a text a macro? Sources of other tools name no target, and neither do our listings, which those tools take. */
#include "isa/assembler.h"
#include "isa/mme/mme.h"

#include <string.h>

static size_t word_length(const struct isa_scan *scan)
{
    size_t length = 0;
    while (scan->at + length < scan->end && isa_name_byte(scan->at[length]))
        length++;
    return length;
}

/* Does the rest of the line name a register as no other set writes them: $r1? */
static bool names_register(const struct isa_scan *scan)
{
    for (const char *at = scan->at; scan->end - at > 2 && *at != '\n'; at++)
        if (at[0] == '$' && at[1] == 'r' && at[2] >= '0' && at[2] < '0' + MME_REGISTERS &&
            (scan->end - at == 3 || !isa_name_byte(at[3])))
            return true;
    return false;
}

/* To the end of the line, over a comment that goes on after it. */
static void pass_line(struct isa_scan *scan)
{
    for (isa_skip_line(scan); scan->at < scan->end && *scan->at != '\n'; isa_skip_line(scan))
        scan->at++;
}

/* 1: only macros have such a statement; 0: it says nothing and is passed over; -1: no macro has it. */
static int judge_statement(struct isa_scan *scan, isa_elsewhere *elsewhere)
{
    size_t length = word_length(scan);
    const char *word = scan->at;
    scan->at += length;
    isa_skip_line(scan);
    if (length && scan->at < scan->end && *scan->at == ':') {
        scan->at++;
        return 0;
    }
    if (length == 4 && memcmp(word, "exit", 4) == 0 && word_length(scan))
        return judge_statement(scan, elsewhere);
    bool directive = *word == '.'; /* nearly all of them stand for several sets */
    if (!directive && !(length && isa_find_mnemonic(scan->isa, word, length)))
        return -1;
    if (!directive && (!elsewhere(scan->isa, word, length) || names_register(scan)))
        return 1;
    pass_line(scan);
    return 0;
}

static const struct gpucode_target *detect_macro(const struct isa *set, isa_elsewhere *elsewhere, const char *text,
                                                 size_t length)
{
    struct isa_scan scan = {.at = text, .end = text + length, .isa = set, .target = set->targets.list};
    if (length > sizeof MME_MARK - 1 && memcmp(text, MME_MARK, sizeof MME_MARK - 1) == 0)
        return set->targets.list;
    for (;;) {
        isa_skip_space(&scan);
        if (scan.at < scan.end && *scan.at == '\n') {
            scan.at++;
            continue;
        }
        int verdict = scan.at < scan.end ? judge_statement(&scan, elsewhere) : -1;
        if (verdict)
            return verdict > 0 ? set->targets.list : NULL;
    }
}

const struct isa_assembler mme_assembler = {.detect = detect_macro};
