/* SPDX-License-Identifier: MIT */
#include "difference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *const difference_names[DIFFERENCE_COUNT] = {
    "equal",       "target outside the code", "ignored bits", "register jump",  "bits of unknown meaning",
    "a6xx setbit", "a5xx load and jumpa",     "decimal step", "reversed field", "NOT ALLOWED",
};

static int32_t extend(uint32_t value, unsigned width)
{
    return (int32_t)(value << (32 - width)) >> (32 - width);
}

/* Does a branch, call or jump with a fixed target go outside the code? */
static bool goes_outside(unsigned generation, uint32_t word, uint32_t index, uint32_t count)
{
    int64_t target;
    switch (word >> 26) {
    case 0x30:
    case 0x31:
    case 0x32:
    case 0x33:
        target = (int64_t)index + extend(word & 0xffff, 16);
        break;
    case 0x35:
    case 0x38:
        target = extend(word & 0x3ffffff, 26);
        break;
    case 0x39:
        if (generation == 6)
            return false;
        target = extend(word & 0x3ffffff, 26);
        break;
    case 0x3b:
        target = (int64_t)index + 3;
        break;
    default:
        return false;
    }
    return target < 0 || target >= count;
}

/* Bits that nothing looks at, for words that decode. */
static uint32_t ignored_bits(unsigned generation, uint32_t word)
{
    bool old = generation <= 6;
    switch (word >> 26) {
    case 0x34: /* ret and iret */
        return word & 0x1ffffff;
    case 0x36: /* waitin */
    case 0x3b: /* setsecure */
        return word & 0x3ffffff;
    default:
        break;
    }
    uint32_t low = word & 31, sub = word >> 12 & 15;
    switch (word >> 27) {
    case 0x08: /* not with an immediate */
        return word & 0x03e00000;
    case 0x12:
        if (old)
            return word & 0xffc0;
        return sub == 6 ? word & 0xfc0 : sub == 7 || sub == 8 ? word & 0xc00 : 0;
    case 0x13:
        if (low == 8 || low == (old ? 0x14 : 0x19) || (generation == 8 && low == 0x1c))
            return word & 0x03e001e0;
        return word & 0xe0;
    default:
        return 0;
    }
}

static void put_register(char *text, unsigned number, bool destination)
{
    static const char *const names[2][32] = {
        {[0x1a] = "$sp", "$lr", "$rem", "$memdata", "$regdata", "$data"},
        {[0x1a] = "$sp", "$lr", "$rem", "$addr", "$usraddr", "$data"},
    };
    const char *name = names[destination][number & 31];
    if (name)
        strcpy(text, name);
    else
        sprintf(text, "$%02x", number);
}

static bool is_raw(const char *text, uint32_t word)
{
    char raw[16];
    snprintf(raw, sizeof raw, "[%08x]", word);
    return strncmp(text, raw, 10) == 0 && (text[10] == 0 || strncmp(text + 10, "\t; ", 3) == 0);
}

/* load or store with all of bits 15:12 printed */
static void expect_memory(char *text, uint32_t word, const char *mnemonic, bool load)
{
    char value[16], offset[16], flags[8] = "";
    put_register(value, word >> 16 & 31, load);
    put_register(offset, word >> 21 & 31, false);
    if (word & 0xb000)
        sprintf(flags, ".f%x", word >> 12 & 0xb);
    sprintf(text, "%s%s%s %s, [%s + 0x%x]%s", word >> 26 & 1 ? "(rep)" : "", mnemonic, flags, value, offset,
            word & 0xfff, word >> 14 & 1 ? "!" : "");
}

/* The reference prints raw, we an instruction: which, and its whole text. */
static enum difference explained(unsigned generation, uint32_t word, char *text)
{
    char a[16], b[16], d[16];
    uint32_t five = word >> 27;
    bool store = five == (generation == 5 ? 0x15u : 0x14u), load = five == 0x16;
    if (generation == 5 && word & 0x8000)
        store = load = false; /* cwrite, cread */
    if (generation == 5 && load) {
        expect_memory(text, word, "load", true);
        return DIFFERENCE_A5XX;
    }
    if ((store || load) && word & 0xb000) {
        expect_memory(text, word, load ? "load" : "store", load);
        return DIFFERENCE_UNKNOWN_BITS;
    }
    put_register(a, word >> 21 & 31, false);
    if (word >> 26 == 0x37 && !(word & 0xfffe0) && (word >> 20 & 1 || !(word & 31))) {
        put_register(b, word & 31, false);
        sprintf(text, word >> 20 & 1 ? "jumpd %s, %s" : "jumpd %s", a, b);
        return DIFFERENCE_REGISTER_JUMP;
    }
    if (generation == 6 && five == 0x13 && (word & 31) == 0x12 && !(word & 0xe0)) {
        put_register(b, word >> 16 & 31, false);
        put_register(d, word >> 11 & 31, true);
        char moves[8] = "";
        if (word >> 9 & 3)
            sprintf(moves, "(xmov%u)", word >> 9 & 3);
        sprintf(text, "%s%s%ssetbit %s, %s, %s", word >> 26 & 1 ? "(rep)" : "", moves, word >> 8 & 1 ? "(peek)" : "", d,
                a, b);
        return DIFFERENCE_SETBIT;
    }
    return DIFFERENCE_NOT_ALLOWED;
}

enum difference difference_of(unsigned generation, uint32_t word, uint32_t index, uint32_t count, const char *reference,
                              const char *ours)
{
    char expected[300];
    bool outside = goes_outside(generation, word, index, count);
    uint32_t ignored = ignored_bits(generation, word);
    if (strcmp(reference, ours) == 0) /* a text that loses bits would be equal too, and wrong */
        return (outside || ignored) && !is_raw(ours, word) ? DIFFERENCE_NOT_ALLOWED : DIFFERENCE_NONE;
    if (is_raw(reference, word)) {
        uint32_t jumpa = generation == 5 && word >> 26 == 0x39;
        int32_t target = extend(word & 0x3ffffff, 26);
        if (jumpa && outside)
            snprintf(expected, sizeof expected, "[%08x]\t; nearly jumpa #%d, the target is outside the code", word,
                     target);
        else if (jumpa)
            snprintf(expected, sizeof expected, "jumpa #l%d", target);
        if (jumpa)
            return strcmp(ours, expected) == 0 ? DIFFERENCE_A5XX : DIFFERENCE_NOT_ALLOWED;
        if (generation == 6 && word >> 27 == 0x13 && (word & 31) == 0x12 && ignored) {
            char plain[128];
            explained(generation, word & ~ignored, plain);
            snprintf(expected, sizeof expected, "[%08x]\t; nearly %s, with ignored bits 0x%x", word, plain, ignored);
            return strcmp(ours, expected) == 0 ? DIFFERENCE_IGNORED_BITS : DIFFERENCE_NOT_ALLOWED;
        }
        enum difference difference = explained(generation, word, expected);
        return difference != DIFFERENCE_NOT_ALLOWED && strcmp(ours, expected) == 0 ? difference
                                                                                   : DIFFERENCE_NOT_ALLOWED;
    }
    if (outside || ignored) {
        char text[128];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(reference, "\t"), reference);
        /* setsecure's target is not in its bits: only ignored bits count where both are wrong */
        if (ignored)
            snprintf(expected, sizeof expected, "[%08x]\t; nearly %s, with ignored bits 0x%x", word, text, ignored);
        else
            snprintf(expected, sizeof expected, "[%08x]\t; nearly %s, the target is outside the code", word, text);
        if (strcmp(ours, expected) != 0)
            return DIFFERENCE_NOT_ALLOWED;
        return ignored ? DIFFERENCE_IGNORED_BITS : DIFFERENCE_TARGET;
    }
    uint32_t five = word >> 27;
    if (generation >= 6 && (five == 0x15 || five == 0x17) && word & 0x8000 && word & 0x4000) {
        const char *at = strstr(reference, " + 0x");
        unsigned step;
        if (at && sscanf(at + 5, "%u", &step) == 1 && step == (word & 0xfff)) {
            snprintf(expected, sizeof expected, "%.*s + 0x%x]!", (int)(at - reference), reference, step);
            if (strcmp(ours, expected) == 0)
                return DIFFERENCE_DECIMAL_STEP;
        }
        return DIFFERENCE_NOT_ALLOWED;
    }
    if (generation >= 7 && five == 0x12 && (word >> 12 & 15) >= 7 && (word >> 12 & 15) <= 8) {
        snprintf(expected, sizeof expected, "%s\t;! reversed", reference);
        if ((word & 31) > (word >> 5 & 31) && strcmp(ours, expected) == 0)
            return DIFFERENCE_REVERSED;
    }
    return DIFFERENCE_NOT_ALLOWED;
}
