/* SPDX-License-Identifier: MIT */
/* An AFUC file as an image: which target its id means, what the headers say, and what in them does not fit. */
#include "isa/afuc/text/container.h"
#include "afuc_messages.h"

#include <stdio.h>
#include <string.h>

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
                           arena_format(arena, "%u", (unsigned)section->start), section->start_source))
            return false;
        if (section->table != GPUCODE_NONE &&
            !add_fact(layout, facts, arena_format(arena, "packet table of %s", section->name),
                      arena_format(arena, "%u", (unsigned)section->table), section->table_source))
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
                    arena_format(arena, "words %u to %u", (unsigned)map->trailer, (unsigned)map->trailer + 3));
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
