/* SPDX-License-Identifier: MIT */
/* gpucode stats: what shaders take, and what another version of them takes. */
#include "front/answer.h"
#include "front/code.h"
#include "front/fleet.h"
#include "front/grow.h"
#include "front/input.h"
#include "front/session.h"
#include "kit/kit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_STATS
#include <gpucode/answer_rows.h>
ANSWER_TABLE(stats, "What shaders take.");

/* What is counted, of what `info` tells of a shader: its member, and a member of that, or an item of a list. */
static const struct statistic {
    const char *name, *member, *of_member;
    unsigned item;
    bool more_is_better;
} statistics[] = {
    {"instructions", "instructions", NULL, 0, false},
    {"slots", "slots", NULL, 0, false},
    {"nop_slots", "nop_slots", NULL, 0, false},
    {"nops", "nops", NULL, 0, false},
    {"idle_slots", "idle_slots", NULL, 0, false},
    {"(ss)", "ss", NULL, 0, false},
    {"(sy)", "sy", NULL, 0, false},
    {"branches", "branches", NULL, 0, false},
    {"full", "full_registers", "vectors", 0, false},
    {"half", "half_registers", "vectors", 0, false},
    {"shared", "shared_vectors", NULL, 0, false},
    {"registers", "registers", NULL, 0, false},
    {"consts", "const_vectors", NULL, 0, false},
    {"constlen", "constlen", NULL, 0, false},
    {"waves", "waves", NULL, 0, true},
    {"cat0", "categories", NULL, 0, false},
    {"cat1", "categories", NULL, 1, false},
    {"cat2", "categories", NULL, 2, false},
    {"cat3", "categories", NULL, 3, false},
    {"cat4", "categories", NULL, 4, false},
    {"cat5", "categories", NULL, 5, false},
    {"cat6", "categories", NULL, 6, false},
    {"cat7", "categories", NULL, 7, false},
};
#define STATISTICS (sizeof statistics / sizeof *statistics)

struct shader {
    char *name; /* in its folder, or as it was given */
    const struct gpucode_target *target;
    bool known[STATISTICS]; /* the set tells it */
    uint64_t number[STATISTICS];
};

struct shaders {
    struct shader *list;
    size_t count, room, passed;
};

/* A shader of the first operand, and of the second; either may be null. */
struct pair {
    const struct shader *a, *b;
};

static void free_shaders(struct shaders *shaders)
{
    for (size_t i = 0; i < shaders->count; i++)
        free(shaders->list[i].name);
    free(shaders->list);
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

static void take_numbers(struct shader *shader, const struct gpucode_answer_value *usage)
{
    for (size_t i = 0; i < STATISTICS; i++) {
        const struct gpucode_answer_value *value = gpucode_answer_member(usage, statistics[i].member);
        if (value && statistics[i].of_member)
            value = gpucode_answer_member(value, statistics[i].of_member);
        if (value && value->kind == GPUCODE_ANSWER_LIST) {
            value = value->first;
            for (unsigned k = 0; value && k < statistics[i].item; k++)
                value = value->next;
        }
        shader->known[i] = value && value->kind == GPUCODE_ANSWER_COUNT;
        shader->number[i] = shader->known[i] ? value->number : 0;
    }
}

/* Returns an exit code. */
static int count_input(struct session *session, const struct input *input, struct shader *shader)
{
    const struct kit *kit = kit_of(input->target);
    const struct info_view view = {.image = input->image,
                                   .info = gpucode_image_info(input->image),
                                   .names = input_names(input),
                                   .file = input->file.name,
                                   .size = input->size};
    if (!kit || !kit->info || !gpucode_target_facts(input->target)->threads)
        return complain(&session->diagnostics, CLI_CANNOT, input->file.name, NULL, gpucode_target_isa(input->target),
                        "stats");
    int code = input_check_whole(session, input);
    struct gpucode_answer *answer = gpucode_answer_create();
    if (!code)
        code = kit->info(session, &view, answer, INFO_BODY);
    if (!code && gpucode_answer_status(answer) != GPUCODE_OK)
        code = out_of_memory(&session->diagnostics);
    if (!code)
        take_numbers(shader, gpucode_answer_first(answer));
    shader->target = input->target;
    gpucode_answer_free(answer);
    return code;
}

/* Is a file of a folder something else than a shader? Without -t its bytes must say that it is one. */
static bool is_foreign(struct session *session, const char *path)
{
    struct diagnostics shown = session->diagnostics;
    struct file file;
    session->diagnostics.mute = true;
    const struct gpucode_target *target = NULL;
    bool good =
        code_target(session, &target) == EXIT_DONE && file_read(&file, path, &session->diagnostics) == EXIT_DONE;
    bool source = good && code_is_source(session, &file), object;
    bool readable = source || (good && object_unwrap(session, &file, &target, &object) == EXIT_DONE);
    bool lacked_memory = session->diagnostics.lacked_memory;
    session->diagnostics = shown;
    session->diagnostics.lacked_memory |= lacked_memory;
    if (!good)
        return false; /* what is wrong is told when it is opened */
    if (source)
        target = gpucode_source_target_of(file.bytes, file.size, file.name);
    file_free(&file);
    return readable && (!target || !gpucode_target_facts(target)->threads);
}

static int count_file(struct session *session, const char *path, const char *name, struct shaders *shaders)
{
    struct input input;
    struct shader *shader;
    if (!grow(&shaders->list, shaders->count, &shaders->room, sizeof *shaders->list))
        return out_of_memory(&session->diagnostics);
    shader = &shaders->list[shaders->count];
    *shader = (struct shader){.name = strdup(name)};
    if (!shader->name)
        return out_of_memory(&session->diagnostics);
    shaders->count++;
    int code = input_open(session, path, &input);
    if (code)
        return code;
    code = count_input(session, &input, shader);
    input_close(&input);
    return code;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* All that one operand names. Returns an exit code. */
static int count_all(struct session *session, const char *operand, struct shaders *shaders)
{
    struct arguments *arguments = &session->arguments, given = *arguments;
    const char *operands[] = {operand};
    struct fleet_files files;
    bool folder = is_folder(operand);
    arguments->operands = operands;
    arguments->operand_count = 1;
    int code = fleet_files(session, &files);
    *arguments = given;
    for (size_t i = 0; !code && i < files.count; i++) {
        const char *name = files.paths[i];
        if (folder && is_foreign(session, name)) {
            shaders->passed++;
            continue;
        }
        if (folder)
            for (name += strlen(operand); *name == '/';)
                name++;
        code = count_file(session, files.paths[i], name, shaders);
    }
    fleet_files_free(&files);
    return code;
}

/* --- telling ------------------------------------------------------------------------------------------------------ */

static bool has_changed(const struct pair *pair)
{
    return pair->b && memcmp(pair->a->number, pair->b->number, sizeof pair->a->number) != 0;
}

/* "-14  -0.31%" with the signs in columns. */
static void put_change(struct gpucode_answer *answer, uint64_t a, uint64_t b)
{
    int64_t change = (int64_t)(b - a);
    gpucode_answer_signed(answer, &fields[TOTAL_CHANGE], change);
    if (!change)
        gpucode_answer_format(answer, &fields[TOTAL_CHANGE_SHOWN], "%10s", "-");
    else if (a)
        gpucode_answer_format(answer, &fields[TOTAL_CHANGE_SHOWN], "%+10" PRId64 "  %+7.2f%%", change,
                              100.0 * (double)change / (double)a);
    else
        gpucode_answer_format(answer, &fields[TOTAL_CHANGE_SHOWN], "%+10" PRId64, change);
}

static void tell_total(struct gpucode_answer *answer, const struct pair *pairs, size_t count, unsigned which, bool two)
{
    uint64_t a = 0, b = 0, helped = 0, hurt = 0;
    bool known = false;
    for (size_t i = 0; i < count; i++) {
        uint64_t before = pairs[i].a->number[which], after = two ? pairs[i].b->number[which] : 0;
        known |= pairs[i].a->known[which] || (two && pairs[i].b->known[which]);
        a += before;
        b += after;
        helped += two && (statistics[which].more_is_better ? after > before : after < before);
        hurt += two && (statistics[which].more_is_better ? after < before : after > before);
    }
    if (!known)
        return;
    gpucode_answer_begin(answer, &fields[TOTAL]);
    gpucode_answer_text(answer, &fields[TOTAL_NAME], statistics[which].name);
    gpucode_answer_number(answer, &fields[TOTAL_A], a);
    if (two) {
        gpucode_answer_number(answer, &fields[TOTAL_B], b);
        put_change(answer, a, b);
        gpucode_answer_number(answer, &fields[HELPED], helped);
        gpucode_answer_number(answer, &fields[HURT], hurt);
        if (count > 1 && (helped || hurt))
            gpucode_answer_format(answer, &fields[TOTAL_CHANGE_SHOWN], "  %" PRIu64 " helped, %" PRIu64 " hurt", helped,
                                  hurt);
    }
    gpucode_answer_end(answer);
}

/* Text has, of two versions, what differs. */
static void tell_shader(struct gpucode_answer *answer, const struct pair *pair)
{
    if (pair->b && !has_changed(pair))
        gpucode_answer_quiet(answer);
    gpucode_answer_begin(answer, &fields[SHADER]);
    gpucode_answer_text(answer, &fields[SHADER_FILE], pair->a->name);
    gpucode_answer_text(answer, &fields[SHADER_TARGET], gpucode_target_name(pair->a->target));
    if (!pair->b)
        gpucode_answer_format(answer, &fields[SHADER_TARGET_SHOWN], "(%s)", gpucode_target_name(pair->a->target));
    gpucode_answer_begin(answer, &fields[VALUES]);
    for (size_t i = 0; i < STATISTICS; i++) {
        uint64_t a = pair->a->number[i], b = pair->b ? pair->b->number[i] : 0;
        if (!pair->a->known[i] && !(pair->b && pair->b->known[i]))
            continue;
        if (pair->b ? a == b : !a)
            gpucode_answer_quiet(answer);
        gpucode_answer_begin(answer, &fields[VALUE_]);
        gpucode_answer_text(answer, &fields[VALUE_NAME], statistics[i].name);
        gpucode_answer_number(answer, &fields[VALUE_A], a);
        if (pair->b)
            gpucode_answer_number(answer, &fields[VALUE_B], b);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}

static void tell_only(struct gpucode_answer *answer, unsigned list, const struct shaders *here,
                      const struct shaders *other)
{
    gpucode_answer_begin(answer, &fields[list]);
    for (size_t i = 0; i < here->count; i++) {
        size_t k = 0;
        while (k < other->count && strcmp(here->list[i].name, other->list[k].name) != 0)
            k++;
        if (k == other->count)
            gpucode_answer_text(answer, &fields[list + 1], here->list[i].name);
    }
    gpucode_answer_end(answer);
}

static void tell_head(struct gpucode_answer *answer, const struct session *session, const struct shaders sides[2],
                      const struct pair *pairs, size_t count)
{
    const char *const *names = session->arguments.operands;
    bool two = session->arguments.operand_count > 1;
    size_t changed = 0, passed = sides[0].passed + sides[1].passed;
    for (size_t i = 0; i < count; i++)
        changed += has_changed(&pairs[i]);
    gpucode_answer_text(answer, &fields[NAME_A], names[0]);
    if (two)
        gpucode_answer_text(answer, &fields[NAME_B], names[1]);
    gpucode_answer_number(answer, &fields[SHADERS], count);
    if (two)
        gpucode_answer_number(answer, &fields[CHANGED], changed);
    gpucode_answer_number(answer, &fields[PASSED], passed);
    if (passed)
        gpucode_answer_number(answer, &fields[PASSED_SHOWN], passed);
    if (two && is_folder(names[0])) {
        tell_only(answer, ONLY_A, &sides[0], &sides[1]);
        tell_only(answer, ONLY_B, &sides[1], &sides[0]);
    }
    if (two)
        gpucode_answer_format(answer, &fields[HEADING], "%-20s%10s%10s%10s", "", "a", "b", "change");
}

static int tell(struct session *session, const struct shaders sides[2], const struct pair *pairs, size_t count)
{
    bool two = session->arguments.operand_count > 1;
    struct gpucode_answer *answer = answer_begin(session);
    gpucode_answer_begin(answer, &fields[STATS]);
    tell_head(answer, session, sides, pairs, count);
    gpucode_answer_begin(answer, &fields[TOTALS]);
    for (unsigned i = 0; i < STATISTICS; i++)
        tell_total(answer, pairs, count, i, two);
    gpucode_answer_end(answer);
    if (count == 1 && !is_folder(session->arguments.operands[0])) /* the table says it all */
        gpucode_answer_quiet(answer);
    gpucode_answer_begin(answer, &fields[EACH]);
    for (size_t i = 0; i < count; i++)
        tell_shader(answer, &pairs[i]);
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
    return answer_end(session, answer);
}

/* The shaders of both sides by name; of two files one with the other, whatever they are called. */
static size_t pair_shaders(struct pair *pairs, struct shaders sides[2], bool two, bool by_name)
{
    size_t count = 0;
    for (size_t i = 0; i < sides[0].count; i++) {
        struct pair pair = {.a = &sides[0].list[i]};
        for (size_t k = 0; k < sides[1].count && !pair.b; k++)
            if (!by_name || strcmp(pair.a->name, sides[1].list[k].name) == 0)
                pair.b = &sides[1].list[k];
        if (!two || pair.b)
            pairs[count++] = pair;
    }
    return count;
}

int command_stats(struct session *session)
{
    struct arguments *arguments = &session->arguments;
    struct shaders sides[2] = {{0}};
    bool two = arguments->operand_count > 1, folder = is_folder(arguments->operands[0]);
    int code = two && folder != is_folder(arguments->operands[1])
                   ? complain(&session->diagnostics, CLI_STATS_SIDES, arguments->operands[1], NULL)
                   : EXIT_DONE;
    for (int i = 0; !code && i < arguments->operand_count; i++)
        code = count_all(session, arguments->operands[i], &sides[i]);
    struct pair *pairs = calloc(sides[0].count + 1, sizeof *pairs);
    if (!code && !pairs)
        code = out_of_memory(&session->diagnostics);
    size_t count = code ? 0 : pair_shaders(pairs, sides, two, folder);
    if (!code && !count)
        code = complain(&session->diagnostics, CLI_STATS_NONE, arguments->operands[0], "-t says what raw files are");
    if (!code)
        code = tell(session, sides, pairs, count);
    free(pairs);
    free_shaders(&sides[0]);
    free_shaders(&sides[1]);
    return code;
}
