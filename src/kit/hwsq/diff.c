/* SPDX-License-Identifier: MIT */
/* gpucode diff of HWSQ: two scripts compared by what they do, not by how they are written. */
#include "cli_hwsq_messages.h"
#include "front/answer.h"
#include "front/arguments.h"
#include "front/input.h"
#include "front/session.h"
#include "kit/hwsq/kit.h"

#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "kit/hwsq/answer.def"
#define ANSWER_PART_DIFF
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table script_diff_answer_table = {"diff", "How two scripts differ.", fields,
                                                              sizeof fields / sizeof *fields};

#define ACTIONS_MAX 4000 /* the comparison takes the product of both */

/* The actions that have an effect, of one script. */
struct side {
    const struct input *input;
    struct actions actions;
    const struct action **effects;
    size_t count;
};

static void close_side(struct side *side)
{
    free(side->effects);
    actions_free(&side->actions);
}

static int open_side(struct session *session, const struct input *input, struct side *side)
{
    side->input = input;
    struct kit_settings asked = {0};
    struct gpucode_setting *settings = NULL;
    uint64_t limit = script_limit(input);
    int code = value_number(session, OPTION_HWSQ_LIMIT, "a number of opcodes", &limit);
    if (!code)
        code = script_settings(session, input, &asked);
    if (!code)
        code = policies_read(session, asked.list, &settings);
    if (!code)
        code = actions_record(session, side->input, settings, limit, &side->actions);
    free(settings);
    side->effects = calloc(side->actions.count + 1, sizeof *side->effects);
    for (size_t i = 0; side->effects && i < side->actions.count; i++)
        if (action_is_effect(&side->actions.items[i]))
            side->effects[side->count++] = &side->actions.items[i];
    if (!code && !side->effects)
        code = out_of_memory(&session->diagnostics);
    if (!code && side->count > ACTIONS_MAX)
        code = complain(&session->diagnostics, CLI_HWSQ_DIFF_LARGE, side->input->file.name, NULL);
    return code;
}

static bool same_effect(const struct action *a, const struct action *b)
{
    return a->kind == b->kind && a->number == b->number && a->value == b->value;
}

struct diff {
    struct session *session;
    struct gpucode_answer *answer;
    struct side side[2];
    uint16_t *lengths; /* of the longest common run of effects from (i, k) on */
    unsigned differences;
};

static uint16_t *length_at(const struct diff *diff, size_t i, size_t k)
{
    return &diff->lengths[i * (diff->side[1].count + 1) + k];
}

static double units(uint64_t clocks)
{
    return (double)clocks / GPUCODE_HWSQ_UNIT_CLOCKS;
}

static void show_difference(struct diff *diff, const char *what, const struct action *a, const struct action *b)
{
    const struct action *shown = a ? a : b;
    const struct input *input = diff->side[a ? 0 : 1].input;
    char text[256];
    action_named(input, shown, text, sizeof text);
    diff->differences++;
    struct gpucode_answer *answer = diff->answer;
    gpucode_answer_begin(answer, &fields[DIFFERENCE]);
    gpucode_answer_text(answer, &fields[KIND], what);
    if (a && b)
        gpucode_answer_format(answer, &fields[SHOWN], "~ %12.10g us -> %.10g us", units(a->time), units(b->time));
    else
        gpucode_answer_format(answer, &fields[SHOWN], "%c %12.10g us", a ? '-' : '+', units(shown->time));
    gpucode_answer_text(answer, &fields[ACTION], text);
    if (a)
        gpucode_answer_number(answer, &fields[TIME_A], a->time);
    if (b)
        gpucode_answer_number(answer, &fields[TIME_B], b->time);
    gpucode_answer_end(answer);
}

/* Effects in the order of both; those that both have and that only another time differs by are moved. */
static void walk_effects(struct diff *diff)
{
    const struct side *a = &diff->side[0], *b = &diff->side[1];
    size_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        if (i < a->count && k < b->count && same_effect(a->effects[i], b->effects[k])) {
            if (a->effects[i]->time != b->effects[k]->time)
                show_difference(diff, "moved", a->effects[i], b->effects[k]);
            i++;
            k++;
        } else if (k == b->count || (i < a->count && *length_at(diff, i + 1, k) >= *length_at(diff, i, k + 1))) {
            show_difference(diff, "removed", a->effects[i++], NULL);
        } else {
            show_difference(diff, "added", NULL, b->effects[k++]);
        }
    }
}

/* How each script ends is an effect as well. */
static void compare_ends(struct diff *diff)
{
    const struct gpucode_stop *a = &diff->side[0].actions.stop, *b = &diff->side[1].actions.stop;
    bool same = a->reason == b->reason && a->time == b->time;
    if (same)
        return;
    struct gpucode_answer *answer = diff->answer;
    diff->differences++;
    gpucode_answer_begin(answer, &fields[DIFFERENCE]);
    gpucode_answer_text(answer, &fields[KIND], "end");
    gpucode_answer_format(answer, &fields[SHOWN], "= %12.10g us -> %.10g us", units(a->time), units(b->time));
    gpucode_answer_text(answer, &fields[END_A], a->text);
    gpucode_answer_text(answer, &fields[END_B], b->text);
    gpucode_answer_number(answer, &fields[TIME_A], a->time);
    gpucode_answer_number(answer, &fields[TIME_B], b->time);
    gpucode_answer_end(answer);
}

static int compare_scripts(struct diff *diff)
{
    size_t rows = diff->side[0].count + 1, columns = diff->side[1].count + 1;
    diff->lengths = calloc(rows * columns, sizeof *diff->lengths);
    if (!diff->lengths)
        return out_of_memory(&diff->session->diagnostics);
    for (size_t i = rows - 1; i-- > 0;)
        for (size_t k = columns - 1; k-- > 0;) {
            uint16_t down = *length_at(diff, i + 1, k), right = *length_at(diff, i, k + 1);
            *length_at(diff, i, k) = same_effect(diff->side[0].effects[i], diff->side[1].effects[k])
                                         ? (uint16_t)(*length_at(diff, i + 1, k + 1) + 1)
                                         : (down > right ? down : right);
        }
    diff->answer = answer_begin(diff->session);
    walk_effects(diff);
    compare_ends(diff);
    free(diff->lengths);
    int code = answer_end(diff->session, diff->answer);
    return code ? code : diff->differences ? EXIT_FINDINGS : EXIT_DONE;
}

int script_diff(struct session *session, const struct input *first, const struct input *second)
{
    struct diff diff = {.session = session};
    int code = open_side(session, first, &diff.side[0]);
    if (!code)
        code = open_side(session, second, &diff.side[1]);
    if (!code)
        code = compare_scripts(&diff);
    close_side(&diff.side[1]);
    close_side(&diff.side[0]);
    return code;
}
