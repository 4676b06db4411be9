/* SPDX-License-Identifier: MIT */
/* An AFUC file as an image: which target its id means, what the headers say, and what in them does not fit. */
#include "isa/afuc/text/container.h"

#include "afuc_messages.h"

#include <stdio.h>
#include <string.h>

/*
 * The header forms (AFUC notes, header layouts and packet table). Every number from a header is a claim: a packet
 * table counts only where all of it is in the file and all its entries point at words in front of it.
 */

#define MOV_SOURCES(reg)                                                                                               \
    {                                                                                                                  \
        NULL, "mov $" reg " in word 1", "mov $" reg " in word 2", "mov $" reg " in word 3", "mov $" reg " in word 4",  \
            "mov $" reg " in word 5", "mov $" reg " in word 6", "mov $" reg " in word 7"                               \
    }
#define MOV_WORDS 8u /* how far into a section the a660 form's moves are looked for; they stand in words 1, 3 and 4 */

/* First words of gen8's BV and LPAC sections carry these in place of the chip's id. */
#define AFUC_ID_BV 0x8bcu
#define AFUC_ID_LPAC 0x8acu

static const char *const mov12_sources[MOV_WORDS] = MOV_SOURCES("12");
static const char *const mov13_sources[MOV_WORDS] = MOV_SOURCES("13");

/* Is the word a nop with something in its low 24 bits, the way a6xx and later keep numbers in code? */
static bool is_number(uint32_t word)
{
    return word >> 24 == 1;
}

static uint32_t word_number(uint32_t word)
{
    return word & 0xffffff;
}

/* Does `other` repeat the id of the first word? Id 0 says nothing: nops have it. */
static bool repeats_id(uint32_t first, uint32_t other)
{
    return is_number(other) && afuc_word_id(other) != 0 && afuc_word_id(other) == afuc_word_id(first);
}

/* The end of the name of a file matters, folders do not; case is ignored. */
static bool file_name_has(const char *file_name, const char *part)
{
    if (!file_name)
        return false;
    const char *slash = strrchr(file_name, '/');
    return strcasestr(slash ? slash + 1 : file_name, part) != NULL;
}

/* Is there a packet table `offset` words into the section at `start`? Nothing is read after the end. */
static bool is_table(const struct afuc_words *words, uint64_t start, uint64_t offset)
{
    if (offset < 2 || start + offset + AFUC_TABLE_WORDS > words->count)
        return false;
    for (unsigned i = 0; i < AFUC_TABLE_WORDS; i++)
        if (afuc_word(words, start + offset + i) >= offset)
            return false;
    return true;
}

/* Value of the first `mov $reg, imm << shift` of a section; returns its word in the section, 0: there is none. */
static unsigned find_mov(const struct afuc_words *words, uint32_t start, unsigned reg, uint32_t *value)
{
    for (unsigned i = 1; i < MOV_WORDS; i++) {
        uint32_t word = afuc_word(words, (uint64_t)start + i);
        uint64_t moved = (uint64_t)(word & 0xffff) << (word >> 21 & 31);
        if ((word & 0xfc1f0000) == (0x88000000 | reg << 16) && moved < GPUCODE_NONE) {
            *value = (uint32_t)moved;
            return i;
        }
    }
    return 0;
}

/* Adds a section that ends with its table, or at `end` where `table` is none. */
static void add_section(struct afuc_map *map, const struct afuc_words *words, const char *name, uint32_t start,
                        uint32_t end, uint32_t table, const char *start_source, const char *table_source)
{
    struct gpucode_section *section = &map->sections[map->count];
    bool has_table = table_source && is_table(words, start, table);
    *section = (struct gpucode_section){
        .name = name,
        .start = start,
        .size = has_table ? table + AFUC_TABLE_WORDS : end - start,
        .table = has_table ? table : GPUCODE_NONE,
        .start_source = start_source,
        .table_source = has_table ? table_source : NULL,
    };
    if (!has_table && table_source && table && map->named_table == GPUCODE_NONE) {
        map->named_table = table;
        map->named_section = map->count;
    }
    map->count++;
}

static uint32_t section_end(const struct gpucode_section *section)
{
    return section->start + section->size;
}

/*
 * Where the ME's firmware begins in a file that has both, which is this project's form (gpucode_image_join()): at a
 * 32-byte boundary after the PFP's packet table. GPUCODE_NONE: the file has one firmware, as drivers load them.
 */
static uint32_t find_a5xx_second(const struct afuc_words *words, const struct gpucode_section *first)
{
    uint32_t id = afuc_word_id(afuc_word(words, 0));
    if (first->table == GPUCODE_NONE || !id)
        return GPUCODE_NONE;
    for (uint32_t at = (section_end(first) + 7) / 8 * 8; at < words->count; at += 8) {
        uint32_t word = afuc_word(words, at), table = afuc_word(words, (uint64_t)at + 1);
        bool cut = table >= 2 && (uint64_t)at + table + AFUC_TABLE_WORDS > words->count;
        if (word >> 24 == 0 && afuc_word_id(word) == id && table >> 16 == 0 && (cut || is_table(words, at, table)))
            return at;
    }
    return GPUCODE_NONE;
}

static void find_a5xx(struct afuc_map *map, const struct afuc_words *words, const char *file_name)
{
    /* Both firmware files have the same id; only PFP is known to have this word. */
    bool pfp = afuc_word(words, 2) == 0x00087001;
    const char *name = pfp                               ? "PFP"
                       : file_name_has(file_name, "pfp") ? "PFP"
                       : file_name_has(file_name, "pm4") ? "PM4"
                                                         : "CP";
    map->form = "a5xx header";
    map->form_source = "generation";
    /* Programs without a table have code in word 1: no claim then, and nothing to warn of. */
    uint32_t second = afuc_word(words, 1), table = second & 0xffff;
    if (second >> 16 && !is_table(words, 0, table))
        table = 0;
    add_section(map, words, name, 0, words->count, table, "image start", "word 1 bits 15:0");
    uint32_t second_start = find_a5xx_second(words, &map->sections[0]);
    if (second_start == GPUCODE_NONE)
        return;
    map->form = "a5xx pair";
    map->form_source = "a second header after the packet table";
    map->sections[0].name = "PFP";
    add_section(map, words, "PM4", second_start, words->count, afuc_word(words, (uint64_t)second_start + 1) & 0xffff,
                "next 32-byte boundary with a header", "word 1 bits 15:0 of the section");
}

/* Start of the a660 form's LPAC section: what the code says, else the next 32-byte boundary with such a section. */
static bool find_lpac(const struct afuc_map *map, const struct afuc_words *words, uint32_t *start, const char **source)
{
    const struct gpucode_section *br = &map->sections[0];
    uint32_t header_end = br->table == GPUCODE_NONE ? 5 : section_end(br);
    unsigned at = find_mov(words, 0, 0x13, start);
    if (at) {
        *source = mov13_sources[at];
        if (*start >= header_end && *start < words->count)
            return true;
    }
    uint32_t table = 0;
    *start = (header_end + 7) / 8 * 8;
    *source = "table end of BR, 32-byte aligned";
    return br->table != GPUCODE_NONE && find_mov(words, *start, 0x12, &table) && is_table(words, *start, table);
}

static void find_a6xx(struct afuc_map *map, const struct afuc_words *words, const struct afuc_chip *chip)
{
    uint32_t first = afuc_word(words, 0), second = afuc_word(words, 1), third = afuc_word(words, 2);
    uint32_t table = 0;
    unsigned at = find_mov(words, 0, 0x12, &table);
    bool plain = is_number(second) && is_table(words, 0, word_number(second));
    /* The a660 form repeats the id in word 2; where the table is cut off that has to do. */
    bool lpac = !plain && ((at && (is_table(words, 0, table) || (chip && chip->features & AFUC_LPAC))) ||
                           repeats_id(first, third));
    if (!lpac) {
        map->form = "plain";
        map->form_source = plain ? "word 1 is the packet table's offset" : "generation";
        add_section(map, words, "SQE", 0, words->count, is_number(second) ? word_number(second) : 0, "image start",
                    "word 1");
        return;
    }
    map->form = "a660 header";
    map->form_source = at ? mov12_sources[at] : "word 2 repeats the id";
    if (is_number(second))
        map->total = word_number(second);
    add_section(map, words, "BR", 0, words->count, table, "image start", mov12_sources[at]);
    uint32_t start;
    const char *source;
    if (find_lpac(map, words, &start, &source)) {
        struct gpucode_section *br = &map->sections[0];
        if (br->table == GPUCODE_NONE)
            br->size = start;
        at = find_mov(words, start, 0x12, &table);
        add_section(map, words, "LPAC", start, words->count, table, source, mov12_sources[at]);
    }
}

/*
 * Digits of a month, day and year, "$USE", three zeros and "R", as the bytes of the four words from `at` on read from
 * their tops.
 */
static bool is_trailer(const struct afuc_words *words, uint32_t at, char text[16])
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = afuc_word(words, (uint64_t)at + i);
        for (unsigned j = 0; j < 4; j++)
            text[i * 4 + j] = (char)(word >> (24 - 8 * j));
    }
    for (unsigned i = 0; i < 8; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    int month = (text[0] - '0') * 10 + text[1] - '0', day = (text[2] - '0') * 10 + text[3] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 && memcmp(text + 8, "$USE\0\0\0R", 8) == 0;
}

static void find_trailer(struct afuc_map *map, const struct afuc_words *words)
{
    struct gpucode_section *last = &map->sections[map->count - 1];
    if (words->count < 8)
        return;
    /* A section without a table runs to the end, and so the trailer can only be its last words. */
    uint32_t at = last->table != GPUCODE_NONE ? section_end(last) : words->count - 4;
    for (; at <= words->count - 4; at++) {
        char text[16];
        if (!is_trailer(words, at, text))
            continue;
        map->trailer = at;
        memcpy(map->date, text + 4, 4);
        memcpy(map->date + 4, (const char[]){'-', text[0], text[1], '-', text[2], text[3], '\0'}, 7);
        if (last->table == GPUCODE_NONE && at > last->start)
            last->size = at - last->start;
        return;
    }
}

/*
 * AQE files have the id of their chip's SQE and are told apart by two small numbers in words 2 and 3, where an SQE has
 * the first word of its BV section and the packet table's offset.
 */
static bool is_aqe(const struct afuc_words *words, const struct afuc_chip *chip, const char *file_name)
{
    uint32_t total = afuc_word(words, 1), a = afuc_word(words, 2), b = afuc_word(words, 3);
    if (chip && !(chip->features & AFUC_AQE))
        return false;
    if (file_name_has(file_name, "aqe"))
        return true;
    if (!is_number(total) || !is_number(a) || !is_number(b) || word_number(total) < 4)
        return false;
    if (word_number(total) == words->count)
        return word_number(a) < 0x1000 && word_number(b) < 0x1000;
    return word_number(a) && word_number(a) < 0x100 && word_number(b) && word_number(b) < 0x100;
}

/* Is a section accepted although its packet table is not a table? `index` counts from BR = 0. */
static bool is_cut_section(const struct afuc_map *map, const struct afuc_words *words, uint32_t start, unsigned index,
                           unsigned generation)
{
    uint32_t first = afuc_word(words, start), second = afuc_word(words, (uint64_t)start + 1);
    if (!is_number(first))
        return false;
    if (map->total != GPUCODE_NONE && index == 1 && first == afuc_word(words, 2) && word_number(first))
        return true;
    if (generation == AFUC_GEN8 && (afuc_word_id(first) == AFUC_ID_BV || afuc_word_id(first) == AFUC_ID_LPAC))
        return true;
    bool behind = is_number(second) && word_number(second) >= 2 &&
                  (uint64_t)start + word_number(second) + AFUC_TABLE_WORDS > words->count;
    if (map->total == GPUCODE_NONE)
        return behind;
    return map->total > words->count && (behind || words->count - start == 1);
}

/* The sections after BR: each starts at the 32-byte boundary after the table of the one before. */
static void find_followers(struct afuc_map *map, const struct afuc_words *words, unsigned generation)
{
    static const char *const names[AFUC_SECTIONS_MAX] = {"BR", "BV", "LPAC", "DDE"};
    static const char *const sources[AFUC_SECTIONS_MAX] = {"table end of BR, 32-byte aligned",
                                                           "table end of BV, 32-byte aligned",
                                                           "table end of LPAC, 32-byte aligned", NULL};
    unsigned limit = generation == AFUC_GEN8 ? 4 : 3;
    for (unsigned index = 1, before = 0; index < limit; before = index++) {
        const struct gpucode_section *last = &map->sections[map->count - 1];
        uint32_t start = (section_end(last) + 7) / 8 * 8;
        if (last->table == GPUCODE_NONE || start >= words->count)
            return;
        uint32_t first = afuc_word(words, start), second = afuc_word(words, (uint64_t)start + 1);
        bool table = is_number(first) && is_number(second) && is_table(words, start, word_number(second));
        if (!table && !is_cut_section(map, words, start, index, generation))
            return;
        /* gen8 gives LPAC an id of its own and DDE none, so that a missing section does not shift the names. */
        if (generation == AFUC_GEN8 && map->total != GPUCODE_NONE) {
            unsigned known = afuc_word_id(first) == AFUC_ID_LPAC ? 2 : index > 1 && word_number(first) == 0 ? 3 : 0;
            index = known > index ? known : index;
        }
        add_section(map, words, names[index], start, words->count, is_number(second) ? word_number(second) : 0,
                    sources[before], "word 1 of the section");
    }
}

static void find_a7xx(struct afuc_map *map, const struct afuc_words *words, unsigned generation,
                      const struct afuc_chip *chip, const char *file_name)
{
    uint32_t first = afuc_word(words, 0), second = afuc_word(words, 1), third = afuc_word(words, 2);
    uint32_t fourth = afuc_word(words, 3);
    bool by_second = is_number(second) && is_table(words, 0, word_number(second));
    bool by_fourth = is_number(fourth) && is_table(words, 0, word_number(fourth));
    bool total_fits = is_number(second) && word_number(second) >= word_number(fourth) + AFUC_TABLE_WORDS;
    if (!by_second && !by_fourth && is_aqe(words, chip, file_name)) {
        map->form = "AQE";
        map->form_source = "small numbers in words 2 and 3, no packet table";
        if (is_number(second))
            map->total = word_number(second);
        add_section(map, words, "AQE", 0, words->count, 0, "image start", NULL);
        return;
    }
    /* Where neither table is there (a cut file), word 3 as a number or the id of BV in word 2 speak for the header. */
    bool cut_header =
        is_number(second) && ((is_number(fourth) && word_number(fourth) && total_fits) || repeats_id(first, third) ||
                              (is_number(third) && afuc_word_id(third) == AFUC_ID_BV));
    if (by_fourth ? total_fits || !by_second : !by_second && cut_header) {
        map->form = generation == AFUC_GEN8 ? "gen8 header" : "a7xx header";
        map->form_source = by_fourth ? "word 3 is the packet table's offset" : "words 1 to 3 are numbers";
        if (is_number(second))
            map->total = word_number(second);
        add_section(map, words, "BR", 0, words->count, is_number(fourth) ? word_number(fourth) : 0, "image start",
                    "word 3");
    } else {
        map->form = "plain";
        map->form_source = by_second ? "word 1 is the packet table's offset" : "generation";
        add_section(map, words, "BR", 0, words->count, is_number(second) ? word_number(second) : 0, "image start",
                    "word 1");
    }
    find_followers(map, words, generation);
    find_trailer(map, words);
}

/*
 * Finds the sections. `chip` is what the id says, or null; `file_name` may be null. Never fails: where the headers make
 * no sense all words are one section without a table.
 */
static void afuc_find_sections(struct afuc_map *map, const struct afuc_words *words, unsigned generation,
                               const struct afuc_chip *chip, const char *file_name)
{
    *map = (struct afuc_map){.total = GPUCODE_NONE, .named_table = GPUCODE_NONE, .trailer = GPUCODE_NONE};
    if (words->count == 0) {
        map->form = "no image";
        map->form_source = "size";
    } else if (generation == AFUC_A5XX) {
        find_a5xx(map, words, file_name);
    } else if (generation == AFUC_A6XX) {
        find_a6xx(map, words, chip);
    } else {
        find_a7xx(map, words, generation, chip, file_name);
    }
}

#define FACTS_MAX 24

static void warn_of_file(const struct gpucode_image_options *options, message_id message, const char *hint, ...)
{
    va_list args;
    va_start(args, hint);
    report_v(&options->on_diagnostic, &(struct place){.file = options->file_name}, message, hint, args);
    va_end(args);
}

/* Appends a fact; false when there is no memory. Its texts come from the arena and are null when that had none. */
static bool add_fact(struct isa_layout *layout, struct gpucode_image_fact *facts, const char *name, const char *value,
                     const char *source)
{
    if (!name || !value || !source || layout->info.fact_count == FACTS_MAX)
        return false;
    facts[layout->info.fact_count++] = (struct gpucode_image_fact){name, value, source};
    return true;
}

static bool list_id(struct isa_layout *layout, struct arena *arena, struct gpucode_image_fact *facts,
                    const struct gpucode_target *known)
{
    const struct gpucode_image_info *info = &layout->info;
    if (info->id == GPUCODE_NONE)
        return true;
    const struct afuc_chip *chip = known ? known->chip : NULL;
    unsigned word = info->prefix ? 0 : 1; /* raw words count the zero word too */
    return add_fact(layout, facts, "id", arena_format(arena, "%03x", (unsigned)info->id),
                    arena_format(arena, "word %u bits 23:12", word)) &&
           add_fact(layout, facts, "version", arena_format(arena, "%03x", (unsigned)info->version),
                    arena_format(arena, "word %u bits 11:0", word)) &&
           add_fact(layout, facts, "firmware", chip ? chip->firmware : "not known", "table of firmware ids");
}

static bool list_sections(struct isa_layout *layout, struct arena *arena, struct gpucode_image_fact *facts,
                          const struct afuc_map *map)
{
    for (unsigned i = 0; i < map->count; i++) {
        const struct gpucode_section *section = &map->sections[i];
        if (i && !add_fact(layout, facts, arena_format(arena, "start of %s", section->name),
                           arena_format(arena, "0x%x", (unsigned)section->start), section->start_source))
            return false;
        if (section->table != GPUCODE_NONE &&
            !add_fact(layout, facts, arena_format(arena, "packet table of %s", section->name),
                      arena_format(arena, "0x%x", (unsigned)section->table), section->table_source))
            return false;
    }
    return true;
}

static bool list_map(struct isa_layout *layout, struct arena *arena, struct gpucode_image_fact *facts,
                     const struct afuc_map *map)
{
    if (!add_fact(layout, facts, "layout", map->form, map->form_source))
        return false;
    if (map->total != GPUCODE_NONE &&
        !add_fact(layout, facts, "total words", arena_format(arena, "%u", (unsigned)map->total), "word 1 bits 23:0"))
        return false;
    if (!list_sections(layout, arena, facts, map))
        return false;
    return map->trailer == GPUCODE_NONE ||
           add_fact(layout, facts, "build date", map->date,
                    arena_format(arena, "words 0x%x to 0x%x", (unsigned)map->trailer, (unsigned)map->trailer + 3));
}

/* Says where the target, the headers and the file contradict each other. */
static void warn_of_target(const struct isa_layout *layout, const struct gpucode_image_options *options,
                           const struct gpucode_target *known)
{
    const struct gpucode_target *target = layout->info.target;
    char id[8];
    snprintf(id, sizeof id, "%03x", (unsigned)layout->info.id & 0xfff);
    if (!known) {
        warn_of_file(options, MSG_IMAGE_ID, "check the target", id, target->name);
        return;
    }
    const struct afuc_chip *chip = known->chip, *told = target->chip;
    bool agrees =
        told ? told->id == chip->id : target->generation == known->generation && target->names == known->names;
    if (!agrees)
        warn_of_file(options, MSG_IMAGE_TARGET, "leave the target out to go by the id", id, known->name, target->name);
}

static void warn_of_map(const struct isa_layout *layout, const struct gpucode_image_options *options,
                        const struct afuc_map *map)
{
    char a[16], b[16];
    if (map->total != GPUCODE_NONE && map->total != layout->info.units) {
        snprintf(a, sizeof a, "%u", (unsigned)map->total);
        snprintf(b, sizeof b, "%u", (unsigned)layout->info.units);
        warn_of_file(options, MSG_IMAGE_TOTAL, map->total > layout->info.units ? "the file may be cut off" : NULL, a,
                     b);
    }
    if (map->named_table != GPUCODE_NONE) {
        snprintf(a, sizeof a, "%u", (unsigned)map->named_table);
        warn_of_file(options, MSG_IMAGE_TABLE, "its 128 words must be in the file and point in front of it",
                     map->sections[map->named_section].name, a);
    }
}

/* All words from the first byte on, no header. */
static void lay_out_raw(struct isa_layout *layout, struct afuc_map *map, const char *why)
{
    struct gpucode_image_info *info = &layout->info;
    info->units = (uint32_t)(layout->size / 4);
    *map = (struct afuc_map){.form = "raw words",
                             .form_source = why,
                             .count = info->units ? 1 : 0,
                             .total = GPUCODE_NONE,
                             .named_table = GPUCODE_NONE,
                             .trailer = GPUCODE_NONE};
    map->sections[0] = (struct gpucode_section){.name = info->target->generation == AFUC_A5XX ? "CP" : "SQE",
                                                .size = info->units,
                                                .table = GPUCODE_NONE,
                                                .start_source = "file start"};
}

/* Copies the map's results into the arena. */
static enum gpucode_status keep_map(struct isa_layout *layout, struct arena *arena, const struct afuc_map *found,
                                    const struct gpucode_target *known)
{
    struct gpucode_image_info *info = &layout->info;
    struct afuc_map *map = arena_alloc(arena, sizeof *map);
    struct gpucode_image_fact *facts = arena_array(arena, FACTS_MAX, sizeof *facts);
    if (!map || !facts)
        return GPUCODE_ERROR_MEMORY;
    *map = *found;
    info->layout = map->form;
    info->sections = map->sections;
    info->section_count = map->count;
    info->trailer = map->trailer;
    memcpy(info->date, map->date, sizeof info->date);
    info->facts = facts;
    return list_id(layout, arena, facts, known) && list_map(layout, arena, facts, map) ? GPUCODE_OK
                                                                                       : GPUCODE_ERROR_MEMORY;
}

enum gpucode_status afuc_layout(struct isa_layout *layout, struct arena *arena,
                                const struct gpucode_image_options *options)
{
    struct gpucode_image_info *info = &layout->info;
    const struct afuc_words file = {layout->bytes, (uint32_t)(layout->size / 4)};
    bool prefixed = file.count >= 1 && afuc_word(&file, 0) == 0;
    bool has_id = prefixed && file.count >= 2;
    uint32_t first = has_id ? afuc_word(&file, 1) : 0;
    /* The top byte of a first word is 0 (a5xx) or 1 (later). */
    const struct gpucode_target *known =
        has_id && first >> 24 <= 1 ? afuc_target_of_id(layout->set, afuc_word_id(first)) : NULL;
    if (!options->target && !known)
        return GPUCODE_ERROR_UNSUPPORTED;

    info->format = "afuc";
    info->target = options->target ? options->target : known;
    info->target_given = options->target != NULL;
    info->id = has_id ? afuc_word_id(first) : GPUCODE_NONE;
    info->version = has_id ? first & 0xfff : GPUCODE_NONE;
    info->id_known = known != NULL;
    info->tail = (uint32_t)(layout->size % 4);

    struct afuc_map map;
    if (options->raw || !prefixed) {
        lay_out_raw(layout, &map, options->raw ? "asked for" : "the first word of the file is not zero");
        return keep_map(layout, arena, &map, known);
    }
    info->prefix = 4;
    info->units = file.count - 1;
    struct afuc_words words = {layout->bytes + 4, info->units};
    /* The id's chip says what to expect only where the target agrees with it on the instruction set. */
    const struct gpucode_target *chip = known && known->generation == info->target->generation ? known : info->target;
    afuc_find_sections(&map, &words, info->target->generation, chip->chip, options->file_name);
    /* code without a header, as short sources have it, has no id that could contradict the target */
    if (has_id && info->target_given && first >> 24 <= 1 && first & 0xffffff)
        warn_of_target(layout, options, known);
    const struct afuc_chip *named = known ? known->chip : NULL;
    if (named && known->generation == AFUC_A6XX && info->target->generation == AFUC_A6XX && map.count &&
        !(named->features & AFUC_LPAC) && strcmp(map.sections[0].name, "BR") == 0) {
        char id[8];
        snprintf(id, sizeof id, "%03x", (unsigned)info->id & 0xfff);
        warn_of_file(options, MSG_IMAGE_FORM, NULL, id, named->name);
    }
    warn_of_map(layout, options, &map);
    if (info->tail)
        warn_of_file(options, MSG_IMAGE_TAIL, NULL);
    return keep_map(layout, arena, &map, known);
}

/* Is that the whole firmware of one processor of an a5xx? */
static bool is_a5xx_firmware(const struct isa_layout *layout)
{
    const struct gpucode_image_info *info = &layout->info;
    return info->target->generation == AFUC_A5XX && info->prefix == 4 && !info->tail && info->section_count == 1 &&
           info->sections[0].table != GPUCODE_NONE;
}

bool afuc_join(const struct isa_layout *first, const struct isa_layout *second, struct buffer *joined)
{
    static const unsigned char zeros[AFUC_SECTION_BYTES];
    if (!is_a5xx_firmware(first) || !is_a5xx_firmware(second) || first->info.id != second->info.id)
        return false;
    buffer_append(joined, first->bytes, first->size);
    size_t over = (first->size - first->info.prefix) % AFUC_SECTION_BYTES;
    buffer_append(joined, zeros, over ? AFUC_SECTION_BYTES - over : 0);
    buffer_append(joined, second->bytes + second->info.prefix, second->size - second->info.prefix);
    return true;
}

bool afuc_handler(const struct isa_layout *layout, unsigned section, unsigned entry, uint32_t *handler)
{
    const struct gpucode_image_info *info = &layout->info;
    if (section >= info->section_count || entry >= AFUC_TABLE_WORDS || info->sections[section].table == GPUCODE_NONE)
        return false;
    const struct afuc_words words = {layout->bytes + info->prefix, info->units};
    *handler = afuc_word(&words, (uint64_t)info->sections[section].start + info->sections[section].table + entry);
    return true;
}
