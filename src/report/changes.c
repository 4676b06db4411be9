/* SPDX-License-Identifier: MIT */
/*
 * What has become of code that was analysed: of packets and functions, of the registers that functions use, and the
 * listings of changed functions.
 */
#include "report/sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLOBAL_FIRST 0x12 /* general registers that outlive a handler */
#define GLOBAL_LAST 0x19

/* A register that a function uses. */
struct use {
    uint32_t unit;
    unsigned section;
    unsigned space; /* as in struct gpucode_reference; of general registers only those that outlive a handler */
    uint32_t number;
    bool writes, exact; /* not exact: something unknown is added to `number` */
};

struct uses {
    struct use *list;
    size_t count, room;
    bool failed;
};

struct changes {
    struct gpucode_answer *answer;
    const struct gpucode_subject *subject[2]; /* GPUCODE_OLD, GPUCODE_NEW */
    struct gpucode_comparison *comparison;
    struct uses uses[2];
};

/* --- places --- */

/* The new image's name of a section, or the old one's. */
static const char *section_name(const struct changes *changes, const struct gpucode_compared_section *section)
{
    unsigned side = section->section[GPUCODE_NEW] == GPUCODE_NONE ? GPUCODE_OLD : GPUCODE_NEW;
    return subject_section(changes->subject[side], section->section[side]);
}

/* First unit of a function, GPUCODE_NONE: this side does not have it. */
static uint32_t start_of(const struct changes *changes, const struct gpucode_compared_section *section,
                         const struct gpucode_compared_function *function, unsigned side)
{
    const struct gpucode_function *found =
        gpucode_analysis_function(changes->subject[side]->analysis, section->section[side], function->function[side]);
    return found ? found->start : GPUCODE_NONE;
}

/* The new side's name of a function, of one that is gone the old side's: in listings, or in data. */
static void name_of(const struct changes *changes, const struct gpucode_compared_section *section,
                    const struct gpucode_compared_function *function, bool listed, char name[GPUCODE_NAME_MAX])
{
    unsigned side = function->change == GPUCODE_CHANGE_GONE ? GPUCODE_OLD : GPUCODE_NEW;
    (listed ? gpucode_subject_name : subject_plain_name)(changes->subject[side], section->section[side],
                                                         function->function[side], name);
}

static void put_start(const struct changes *changes, unsigned field, uint32_t start)
{
    if (start == GPUCODE_NONE)
        gpucode_answer_nothing(changes->answer, &report_changes[field]);
    else
        gpucode_answer_number(changes->answer, &report_changes[field], start);
}

static void put_text(const struct changes *changes, unsigned field, const char *text)
{
    gpucode_answer_text(changes->answer, &report_changes[field], text);
}

static void begin(const struct changes *changes, unsigned field)
{
    gpucode_answer_begin(changes->answer, &report_changes[field]);
}

static void end(const struct changes *changes)
{
    gpucode_answer_end(changes->answer);
}

/* --- registers that a changed function uses on one side alone --- */

static bool counts(const struct gpucode_reference *reference)
{
    if (reference->in_table || reference->kind > GPUCODE_REFERENCE_WRITE)
        return false;
    switch (reference->space) {
    case GPUCODE_SPACE_GENERAL:
        return reference->number >= GLOBAL_FIRST && reference->number <= GLOBAL_LAST;
    case GPUCODE_SPACE_CONTROL:
    case GPUCODE_SPACE_SQE:
    case GPUCODE_SPACE_GPU:
    case GPUCODE_SPACE_PIPE:
    case GPUCODE_SPACE_MEMORY:
        return true;
    default:
        return false;
    }
}

static bool take(void *user, const struct gpucode_reference *reference)
{
    struct uses *uses = user;
    if (!counts(reference))
        return true;
    if (uses->count == uses->room) {
        size_t room = uses->room ? 2 * uses->room : 256;
        struct use *larger = realloc(uses->list, room * sizeof *larger);
        uses->failed = !larger;
        if (!larger)
            return false;
        uses->list = larger;
        uses->room = room;
    }
    uses->list[uses->count++] = (struct use){.unit = reference->unit,
                                             .section = reference->section,
                                             .space = reference->space,
                                             .number = reference->number,
                                             .writes = reference->kind == GPUCODE_REFERENCE_WRITE,
                                             .exact = reference->exact};
    return true;
}

static int compare_uses(const void *a, const void *b)
{
    const struct use *left = a, *right = b;
    if (left->space != right->space)
        return left->space < right->space ? -1 : 1;
    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    if (left->writes != right->writes)
        return left->writes ? 1 : -1;
    return (left->exact > right->exact) - (left->exact < right->exact);
}

static size_t first_use(const struct uses *uses, unsigned section, uint32_t unit)
{
    size_t low = 0, high = uses->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct use *use = &uses->list[middle];
        if (use->section < section || (use->section == section && use->unit < unit))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Writes what a function uses to `list`, or, with a null one, counts it. */
static size_t gather_uses(const struct gpucode_analysis *analysis, const struct uses *uses, unsigned section,
                          const struct gpucode_function *function, struct use *list)
{
    size_t all = 0;
    for (uint32_t i = 0; function && i < function->block_count; i++) {
        const struct gpucode_block *block = gpucode_analysis_block(analysis, section, function->blocks[i]);
        for (size_t k = first_use(uses, section, block->start);
             k < uses->count && uses->list[k].section == section && uses->list[k].unit < block->end; k++, all++)
            if (list)
                list[all] = uses->list[k];
    }
    return all;
}

/* What a function uses, sorted, each once; *count is how many. Null: out of memory. */
static struct use *uses_of(const struct changes *changes, unsigned side, unsigned section, uint32_t index,
                           size_t *count)
{
    const struct gpucode_analysis *analysis = changes->subject[side]->analysis;
    const struct gpucode_function *function = gpucode_analysis_function(analysis, section, index);
    size_t all = gather_uses(analysis, &changes->uses[side], section, function, NULL), kept = 0;
    struct use *list = calloc(all + 1, sizeof *list);
    if (!list)
        return NULL;
    gather_uses(analysis, &changes->uses[side], section, function, list);
    qsort(list, all, sizeof *list, compare_uses);
    for (size_t i = 0; i < all; i++)
        if (!kept || compare_uses(&list[kept - 1], &list[i]) != 0)
            list[kept++] = list[i];
    *count = kept;
    return list;
}

#define USE_NAME_MAX (GPUCODE_NAME_MAX + 16)

/* "@IB1_BASE", "$14", "CP_SCRATCH[0].REG", "memory". */
static void name_use(const struct gpucode_subject *subject, const struct use *use, char name[USE_NAME_MAX])
{
    const struct gpucode_reference reference = {.kind = use->writes ? GPUCODE_REFERENCE_WRITE : GPUCODE_REFERENCE_READ,
                                                .space = use->space,
                                                .number = use->number,
                                                .exact = true};
    const char *space = gpucode_space_name(gpucode_image_info(subject->image)->target, use->space);
    if (use->space == GPUCODE_SPACE_MEMORY)
        snprintf(name, USE_NAME_MAX, "memory");
    else if (!gpucode_analysis_reference_name(subject->analysis, &reference, name, GPUCODE_NAME_MAX + 1))
        snprintf(name, USE_NAME_MAX, "%s 0x%x", space ? space : "register", (unsigned)use->number);
    if (!use->exact && strlen(name) + 9 < USE_NAME_MAX)
        strcat(name, " and more");
}

struct changed_use {
    const struct changes *changes;
    const char *section, *function;
};

static void put_use_data(const struct changed_use *what, const struct use *use, bool added)
{
    const struct changes *changes = what->changes;
    char name[USE_NAME_MAX];
    name_use(changes->subject[added ? GPUCODE_NEW : GPUCODE_OLD], use, name);
    begin(changes, REGISTER);
    put_text(changes, REGISTER_SECTION, what->section);
    put_text(changes, REGISTER_FUNCTION, what->function);
    put_text(changes, REGISTER_NAME, name);
    put_text(changes, REGISTER_ACCESS, use->writes ? "write" : "read");
    put_text(changes, REGISTER_STATUS, gpucode_change_name(added ? GPUCODE_CHANGE_NEW : GPUCODE_CHANGE_GONE));
    end(changes);
}

static void put_use_text(const struct changed_use *what, const struct use *use, bool added)
{
    const struct changes *changes = what->changes;
    char name[USE_NAME_MAX];
    name_use(changes->subject[added ? GPUCODE_NEW : GPUCODE_OLD], use, name);
    begin(changes, USE);
    put_text(changes, USE_HOW,
             added         ? use->writes ? "writes" : "reads"
             : use->writes ? "no longer writes"
                           : "no longer reads");
    put_text(changes, USE_NAME, name);
    end(changes);
}

static void each_use(const struct changes *changes, const struct gpucode_compared_section *section,
                     const struct gpucode_compared_function *function, const struct changed_use *what,
                     void (*put)(const struct changed_use *what, const struct use *use, bool added))
{
    struct use *list[2];
    size_t count[2] = {0, 0}, at[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++)
        list[i] = uses_of(changes, i, section->section[i], function->function[i], &count[i]);
    if (!list[0] || !list[1])
        gpucode_answer_fail(changes->answer, GPUCODE_ERROR_MEMORY);
    while (list[0] && list[1] && (at[0] < count[0] || at[1] < count[1])) {
        int order = at[0] == count[0] ? 1 : at[1] == count[1] ? -1 : compare_uses(&list[0][at[0]], &list[1][at[1]]);
        if (order)
            put(what, order < 0 ? &list[0][at[0]] : &list[1][at[1]], order > 0);
        at[0] += order <= 0;
        at[1] += order >= 0;
    }
    free(list[0]);
    free(list[1]);
}

/* --- kinds of edits --- */

struct kind {
    const char *text;
    unsigned count, order;
};

static int compare_kinds(const void *a, const void *b)
{
    const struct kind *left = a, *right = b;
    int order = strcmp(left->text, right->text);
    return order ? order : (left->order > right->order) - (left->order < right->order);
}

static int compare_counts(const void *a, const void *b)
{
    const struct kind *left = a, *right = b;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

/* Edits that differ by registers alone are of one kind. */
static unsigned gather_kinds(const struct gpucode_comparison *comparison, struct kind *kinds, unsigned total)
{
    unsigned count = 0;
    for (unsigned i = 0; i < total; i++) {
        const struct gpucode_edit *edit = gpucode_comparison_edit(comparison, i);
        kinds[i] = (struct kind){edit->kind, edit->count, i};
    }
    qsort(kinds, total, sizeof *kinds, compare_kinds);
    for (unsigned i = 0; i < total; i++) {
        if (count && strcmp(kinds[count - 1].text, kinds[i].text) == 0)
            kinds[count - 1].count += kinds[i].count;
        else
            kinds[count++] = kinds[i];
    }
    qsort(kinds, count, sizeof *kinds, compare_counts);
    return count;
}

static void put_kinds(const struct changes *changes)
{
    unsigned total = 0;
    while (gpucode_comparison_edit(changes->comparison, total))
        total++;
    struct kind *kinds = calloc((size_t)total + 1, sizeof *kinds);
    unsigned count = kinds ? gather_kinds(changes->comparison, kinds, total) : 0;
    if (!kinds)
        gpucode_answer_fail(changes->answer, GPUCODE_ERROR_MEMORY);
    begin(changes, KINDS);
    for (unsigned i = 0; i < count; i++) {
        const struct gpucode_edit *edit = gpucode_comparison_edit(changes->comparison, kinds[i].order);
        bool one = edit->count == kinds[i].count; /* the registers are known */
        sides_put_kind(changes->answer, KINDS, one ? edit->text : kinds[i].text, kinds[i].count);
    }
    end(changes);
    free(kinds);
}

/* --- data --- */

static void put_functions(const struct changes *changes, const struct gpucode_compared_section *section)
{
    char name[GPUCODE_NAME_MAX];
    for (uint32_t i = 0; i < section->function_count; i++) {
        const struct gpucode_compared_function *function = &section->functions[i];
        name_of(changes, section, function, false, name);
        begin(changes, FUNCTION);
        put_text(changes, FUNCTION_SECTION, section_name(changes, section));
        put_text(changes, FUNCTION_NAME, name);
        put_start(changes, FUNCTION_OLD, start_of(changes, section, function, GPUCODE_OLD));
        put_start(changes, FUNCTION_NEW, start_of(changes, section, function, GPUCODE_NEW));
        put_text(changes, FUNCTION_STATUS, gpucode_change_name(function->change));
        end(changes);
    }
}

static void put_packets(const struct changes *changes, const struct gpucode_compared_section *section)
{
    char name[GPUCODE_NAME_MAX];
    for (unsigned i = 0; section->has_packets && i < GPUCODE_COMPARED_PACKETS; i++) {
        gpucode_analysis_packet_name(changes->subject[GPUCODE_NEW]->analysis, i, name, sizeof name);
        begin(changes, PACKET);
        put_text(changes, PACKET_SECTION, section_name(changes, section));
        put_text(changes, PACKET_NAME, name);
        put_text(changes, PACKET_STATUS, gpucode_change_name(section->packets[i]));
        end(changes);
    }
}

static void put_registers(const struct changes *changes, const struct gpucode_compared_section *section)
{
    char name[GPUCODE_NAME_MAX];
    for (uint32_t i = 0; i < section->function_count; i++) {
        const struct gpucode_compared_function *function = &section->functions[i];
        if (function->change != GPUCODE_CHANGE_CHANGED)
            continue;
        name_of(changes, section, function, false, name);
        each_use(changes, section, function, &(struct changed_use){changes, section_name(changes, section), name},
                 put_use_data);
    }
}

static void put_list(const struct changes *changes, unsigned list,
                     void (*put)(const struct changes *changes, const struct gpucode_compared_section *section))
{
    const struct gpucode_compared_section *section;
    begin(changes, list);
    for (unsigned i = 0; (section = gpucode_comparison_section(changes->comparison, i)); i++)
        put(changes, section);
    end(changes);
}

static void put_edits(const struct changes *changes)
{
    const struct gpucode_edit *edit;
    begin(changes, EDITS);
    for (unsigned i = 0; (edit = gpucode_comparison_edit(changes->comparison, i)); i++) {
        begin(changes, EDIT);
        put_text(changes, EDIT_TEXT, edit->text);
        put_text(changes, EDIT_KIND, edit->kind);
        gpucode_answer_number(changes->answer, &report_changes[EDIT_COUNT], edit->count);
        end(changes);
    }
    end(changes);
}

/* --- text --- */

/* Has the packet the handler that most have? Those are counted, but not named. */
static bool is_usual(const struct changes *changes, const struct gpucode_compared_section *section, unsigned packet)
{
    unsigned most = 0, same = 0;
    uint32_t handlers[GPUCODE_COMPARED_PACKETS] = {0};
    const struct gpucode_image *image = changes->subject[GPUCODE_NEW]->image;
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++)
        gpucode_image_handler(image, section->section[GPUCODE_NEW], i, &handlers[i]);
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++) {
        unsigned count = 0;
        for (unsigned k = 0; k < GPUCODE_COMPARED_PACKETS; k++)
            count += handlers[i] == handlers[k];
        most = count > most ? count : most;
        same = handlers[i] == handlers[packet] ? count : same;
    }
    return most > 1 && same == most;
}

static void put_fate(const struct changes *changes, const struct gpucode_compared_section *section,
                     enum gpucode_change change)
{
    char name[GPUCODE_NAME_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++)
        count += section->packets[i] == change;
    if (!count)
        return;
    begin(changes, FATE);
    put_text(changes, FATE_STATUS + change, gpucode_change_name(change));
    gpucode_answer_number(changes->answer, &report_changes[FATE_COUNT], count);
    begin(changes, FATE_PACKETS);
    for (unsigned i = 0; change != GPUCODE_CHANGE_SAME && i < GPUCODE_COMPARED_PACKETS; i++) {
        if (section->packets[i] != change || (change <= GPUCODE_CHANGE_CHANGED && is_usual(changes, section, i)))
            continue;
        gpucode_analysis_packet_name(changes->subject[GPUCODE_NEW]->analysis, i, name, sizeof name);
        put_text(changes, FATE_PACKET, name);
    }
    end(changes);
    end(changes);
}

static void put_others(const struct changes *changes, const struct gpucode_compared_section *section)
{
    char name[GPUCODE_NAME_MAX];
    begin(changes, OTHERS);
    for (uint32_t i = 0; i < section->function_count; i++) {
        const struct gpucode_compared_function *function = &section->functions[i];
        unsigned side = function->change == GPUCODE_CHANGE_GONE ? GPUCODE_OLD : GPUCODE_NEW;
        if (function->change < GPUCODE_CHANGE_NEW)
            continue;
        name_of(changes, section, function, true, name);
        begin(changes, OTHER);
        put_text(changes, OTHER_STATUS + function->change, gpucode_change_name(function->change));
        put_text(changes, OTHER_NAME, name);
        gpucode_answer_number(changes->answer, &report_changes[OTHER_AT], start_of(changes, section, function, side));
        end(changes);
    }
    end(changes);
}

struct listed {
    const struct changes *changes;
    const struct gpucode_compared_section *section;
};

static uint32_t line_of(const void *user, unsigned side, uint32_t unit, char text[SIDES_TEXT_MAX])
{
    const struct listed *listed = user;
    if (!gpucode_subject_text(listed->changes->subject[side], listed->section->section[side], unit, text))
        strcpy(text, "(no instruction)");
    return unit;
}

static void put_listing(const struct changes *changes, const struct gpucode_compared_section *section,
                        const struct gpucode_compared_function *function)
{
    char name[GPUCODE_NAME_MAX];
    const struct listed listed = {changes, section};
    const struct sides sides = {function->lines, function->line_count, &listed, line_of};
    begin(changes, CHANGED);
    name_of(changes, section, function, false, name);
    put_text(changes, CHANGED_NAME, name);
    name_of(changes, section, function, true, name);
    put_text(changes, CHANGED_LISTED, name);
    put_start(changes, CHANGED_OLD, start_of(changes, section, function, GPUCODE_OLD));
    put_start(changes, CHANGED_NEW, start_of(changes, section, function, GPUCODE_NEW));
    if (!sides_put(changes->answer, LINES, &sides))
        put_text(changes, ELSEWHERE, "the words are the same and lead elsewhere");
    begin(changes, USES);
    each_use(changes, section, function, &(struct changed_use){changes, NULL, NULL}, put_use_text);
    end(changes);
    end(changes);
}

static void put_section(const struct changes *changes, const struct gpucode_compared_section *section)
{
    unsigned counted[GPUCODE_CHANGE_GONE + 1] = {0};
    for (uint32_t i = 0; i < section->function_count; i++)
        counted[section->functions[i].change]++;
    begin(changes, SECTION);
    put_text(changes, SECTION_NAME, section_name(changes, section));
    if (gpucode_comparison_section(changes->comparison, 1))
        put_text(changes, SECTION_HEAD, section_name(changes, section));
    begin(changes, FATES);
    for (unsigned k = 0; section->has_packets && k <= GPUCODE_CHANGE_GONE; k++)
        put_fate(changes, section, k);
    end(changes);
    sides_put_counts(changes->answer, COUNTS, counted);
    put_others(changes, section);
    begin(changes, LISTINGS);
    for (uint32_t i = 0; i < section->function_count; i++)
        if (section->functions[i].change == GPUCODE_CHANGE_CHANGED)
            put_listing(changes, section, &section->functions[i]);
    end(changes);
    end(changes);
}

/* --- all --- */

static bool any_difference(const struct gpucode_comparison *comparison)
{
    const struct gpucode_compared_section *section;
    for (unsigned s = 0; (section = gpucode_comparison_section(comparison, s)); s++)
        for (uint32_t i = 0; i < section->function_count; i++)
            if (section->functions[i].change > GPUCODE_CHANGE_MOVED)
                return true;
    return false;
}

static enum gpucode_status find_uses(struct changes *changes)
{
    enum gpucode_status status = GPUCODE_OK;
    for (unsigned i = 0; status == GPUCODE_OK && i < 2; i++) {
        status = gpucode_analysis_references(changes->subject[i]->analysis, take, &changes->uses[i]);
        if (changes->uses[i].failed)
            status = GPUCODE_ERROR_MEMORY;
    }
    return status;
}

enum gpucode_status gpucode_report_changes(const struct gpucode_subject *before, const struct gpucode_subject *after,
                                           struct gpucode_answer *answer, bool *differ)
{
    if (!before || !after || !before->image || !after->image || !before->analysis || !after->analysis)
        return GPUCODE_ERROR_ARGUMENT;
    struct changes changes = {.answer = answer, .subject = {before, after}};
    enum gpucode_status status = gpucode_compare(before->analysis, after->analysis, &changes.comparison);
    if (status != GPUCODE_OK)
        return status;
    status = find_uses(&changes);
    if (status == GPUCODE_OK) {
        begin(&changes, CHANGES);
        put_list(&changes, FUNCTIONS, put_functions);
        put_list(&changes, PACKETS, put_packets);
        put_list(&changes, REGISTERS, put_registers);
        put_edits(&changes);
        put_list(&changes, SECTIONS, put_section);
        put_kinds(&changes);
        end(&changes);
        status = gpucode_answer_status(answer);
    }
    if (differ)
        *differ = any_difference(changes.comparison);
    free(changes.uses[0].list);
    free(changes.uses[1].list);
    gpucode_comparison_free(changes.comparison);
    return status;
}
