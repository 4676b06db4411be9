/* SPDX-License-Identifier: MIT */
#include "builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct built_layout built_layouts[] = {
    {"a5xx_pfp", "afuc:a530", "a5xx header", FORM_A5XX, 0x5ff, {"PFP"}},
    {"a5xx_pm4", "afuc:a530", "a5xx header", FORM_A5XX, 0x5ff, {"CP"}},
    {"a5xx_pair", "afuc:a530", "a5xx pair", FORM_A5XX, 0x5ff, {"PFP", "PM4"}},
    {"a630", "afuc:a630", "plain", FORM_A6XX, 0x6ee, {"SQE"}},
    {"a650", "afuc:a650", "plain", FORM_A6XX, 0x6dd, {"SQE"}},
    {"a660", "afuc:a660", "a660 header", FORM_A660, 0x6dc, {"BR", "LPAC"}},
    {"a702", "afuc:a702", "plain", FORM_A6XX, 0x7aa, {"SQE"}},
    {"a730", "afuc:a730", "a7xx header", FORM_A7XX, 0x730, {"BR", "BV", "LPAC"}},
    {"a730_plain", "afuc:a730", "plain", FORM_PLAIN_A7XX, 0x730, {"BR", "BV", "LPAC"}},
    {"a740", "afuc:a740", "a7xx header", FORM_A7XX, 0x740, {"BR", "BV", "LPAC"}},
    {"gen70500", "afuc:gen70500", "a7xx header", FORM_A7XX, 0x512, {"BR", "BV", "LPAC"}},
    {"gen70900", "afuc:a750", "a7xx header", FORM_A7XX, 0x520, {"BR", "BV", "LPAC"}},
    {"gen71500", "afuc:gen71500", "a7xx header", FORM_A7XX, 0x310, {"BR", "BV"}},
    {"gen71700", "afuc:gen71700", "a7xx header", FORM_A7XX, 0x200, {"BR"}},
    {"gen80000", "afuc:gen80000", "gen8 header", FORM_GEN8, 0x500, {"BR", "BV", "LPAC", "DDE"}},
    {"gen80100", "afuc:gen80100", "gen8 header", FORM_GEN8, 0x700, {"BR", "BV", "LPAC", "DDE"}},
    {"gen80200", "afuc:gen80200", "gen8 header", FORM_GEN8, 0x510, {"BR", "BV", "LPAC", "DDE"}},
    {"gen70900_aqe", "afuc:a750", "AQE", FORM_AQE, 0x520, {"AQE"}},
    {"gen80000_aqe", "afuc:gen80000", "AQE", FORM_AQE, 0x500, {"AQE"}},
    {"gen80100_aqe", "afuc:gen80100", "AQE", FORM_AQE, 0x700, {"AQE"}},
    {"gen80200_aqe", "afuc:gen80200", "AQE", FORM_AQE, 0x510, {"AQE"}},
};
const unsigned built_layout_count = sizeof built_layouts / sizeof *built_layouts;

uint32_t random_word(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16);
}

static uint32_t number(uint32_t value)
{
    return 0x01000000 | value;
}

static uint32_t mov(unsigned reg, uint32_t value)
{
    return 0x88000000 | reg << 16 | value;
}

static void emit(struct built *built, uint32_t word)
{
    if (built->count < BUILT_WORDS_MAX)
        built->words[built->count++] = word;
}

/* The words of a section's header that do not depend on what follows; returns where its table offset belongs. */
static unsigned emit_header(struct built *built, const struct built_layout *layout, unsigned index, uint64_t *state)
{
    uint32_t first = (layout->form == FORM_A5XX ? 0 : 0x01000000) | layout->id << 12 | built->version;
    uint32_t version = random_word(state) % 0xfff + 1;
    const uint32_t gen8_ids[BUILT_SECTIONS_MAX] = {first, 0x018bc000 | version, 0x018ac000 | version, 0x01000000};
    switch (layout->form) {
    case FORM_A5XX:
        emit(built, first);
        emit(built, 0);
        emit(built, strcmp(layout->sections[0], "PFP") == 0 ? 0x00087001 : 0x88020883);
        return 1;
    case FORM_A6XX:
        emit(built, first);
        emit(built, 0);
        if (layout->id == 0x6ee)
            emit(built, number(random_word(state) & 0xfff));
        return 1;
    case FORM_A660:
        emit(built, index ? number(0x6ac << 12 | version) : first);
        if (index) {
            emit(built, 0);
            return 1;
        }
        emit(built, 0);
        emit(built, number(layout->id << 12 | version));
        emit(built, 0);
        emit(built, 0);
        return 3;
    case FORM_PLAIN_A7XX:
        emit(built, index ? number(version) : first);
        emit(built, 0);
        return 1;
    case FORM_A7XX:
    case FORM_GEN8:
        if (index) {
            emit(built, layout->form == FORM_GEN8 ? gen8_ids[index] : number(layout->id << 12 | version));
            emit(built, 0);
            if (layout->form == FORM_A7XX)
                emit(built, 0x01000000);
            return 1;
        }
        emit(built, first);
        emit(built, 0);
        emit(built, 0x01000000);
        emit(built, 0);
        emit(built, number(random_word(state) & 0xffffff));
        return 3;
    case FORM_AQE:
        emit(built, first);
        emit(built, 0);
        emit(built, number(random_word(state) % 0xff + 1));
        emit(built, number(random_word(state) % 0xff + 1));
        emit(built, number(random_word(state) & 0xffffff));
        emit(built, 0x01000000);
        return 0;
    }
    return 0;
}

static void emit_trailer(struct built *built, uint64_t *state)
{
    static const char digits[] = "0123456789";
    unsigned month = random_word(state) % 12 + 1, day = random_word(state) % 31 + 1,
             year = 2020 + random_word(state) % 9;
    char text[16] = {digits[month / 10], digits[month % 10], digits[day / 10], digits[day % 10]};
    snprintf(built->date, sizeof built->date, "%04u-%02u-%02u", year % 10000, month % 100, day % 100);
    memcpy(text + 4, built->date, 4);
    memcpy(text + 8, "$USE\0\0\0R", 8);
    built->trailer = built->count;
    for (unsigned i = 0; i < 16; i += 4)
        emit(built, (uint32_t)(unsigned char)text[i] << 24 | (uint32_t)(unsigned char)text[i + 1] << 16 |
                        (uint32_t)(unsigned char)text[i + 2] << 8 | (unsigned char)text[i + 3]);
}

void build_image(struct built *built, const struct built_layout *layout, uint64_t seed, uint32_t code_words)
{
    uint64_t random = (seed + 1) * 0x9e3779b97f4a7c15u, *state = &random;
    *built = (struct built){.total = NO_TABLE, .trailer = NO_TABLE};
    built->version = random_word(state) & 0xfff;
    bool aligned = layout->form != FORM_A5XX && layout->form != FORM_A6XX;
    for (unsigned i = 0; i < BUILT_SECTIONS_MAX && layout->sections[i]; i++) {
        while (i && built->count % 8)
            emit(built, 0);
        struct built_section *section = &built->sections[built->section_count++];
        *section = (struct built_section){layout->sections[i], built->count, 0, NO_TABLE};
        unsigned claim = emit_header(built, layout, i, state);
        for (uint32_t end = built->count + code_words + random_word(state) % 16; built->count < end;)
            emit(built, random_word(state) | 0x80000000);
        if (layout->form != FORM_AQE) {
            while (aligned && layout->form != FORM_A660 && built->count % 8)
                emit(built, 0x01000000);
            uint32_t table = section->table = built->count - section->start;
            bool moves = layout->form == FORM_A660;
            built->words[section->start + claim] = moves                       ? mov(0x12, table)
                                                   : layout->form == FORM_A5XX ? table
                                                                               : number(table);
            for (unsigned entry = 0; entry < 128; entry++)
                emit(built, entry == 0x7e ? 0 : entry == 0x7d ? 1 : random_word(state) % table);
        }
        section->size = built->count - section->start;
    }
    if (layout->form == FORM_A7XX || layout->form == FORM_GEN8) {
        if (built->section_count > 1)
            built->words[2] = built->words[built->sections[1].start];
        emit_trailer(built, state);
    }
    if (layout->form == FORM_A5XX || layout->form == FORM_A6XX)
        for (unsigned i = random_word(state) % 4; i; i--)
            emit(built, 0);
    if (layout->form == FORM_A660)
        built->words[4] = mov(0x13, built->sections[1].start);
    if (aligned && layout->form != FORM_PLAIN_A7XX) {
        built->total = built->count;
        built->words[1] = number(built->count);
    }
}

unsigned char *built_file(const struct built *built, size_t *size)
{
    *size = 4 + (size_t)built->count * 4;
    unsigned char *bytes = calloc(1, *size);
    for (uint32_t i = 0; bytes && i < built->count; i++)
        for (unsigned j = 0; j < 4; j++)
            bytes[4 + i * 4 + j] = (unsigned char)(built->words[i] >> (8 * j));
    return bytes;
}
