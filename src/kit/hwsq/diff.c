/* SPDX-License-Identifier: MIT */
/* gpucode diff of HWSQ: two scripts compared by what they do, not by how they are written. */
#include "front/input.h"
#include "front/json.h"
#include "front/session.h"
#include "front/values.h"
#include "kit/hwsq/actions.h"
#include "kit/hwsq/kit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    struct side side[2];
    uint16_t *lengths; /* of the longest common run of effects from (i, k) on */
    unsigned differences;
};

static uint16_t *length_at(const struct diff *diff, size_t i, size_t k)
{
    return &diff->lengths[i * (diff->side[1].count + 1) + k];
}

static void show_difference(struct diff *diff, const char *what, const struct action *a, const struct action *b)
{
    const struct action *shown = a ? a : b;
    const struct input *input = diff->side[a ? 0 : 1].input;
    char text[256];
    action_named(input, shown, text, sizeof text);
    diff->differences++;
    if (diff->session->json) {
        struct json json = {.out = stdout};
        json_object(&json, NULL);
        json_string(&json, "difference", what);
        json_string(&json, "action", text);
        if (a)
            json_number(&json, "time_clocks_a", a->time);
        if (b)
            json_number(&json, "time_clocks_b", b->time);
        json_end(&json);
        return;
    }
    double from = (double)(a ? a->time : 0) / GPUCODE_HWSQ_UNIT_CLOCKS;
    double to = (double)(b ? b->time : 0) / GPUCODE_HWSQ_UNIT_CLOCKS;
    if (a && b)
        printf("~ %12.10g us -> %.10g us  %s\n", from, to, text);
    else
        printf("%c %12.10g us  %s\n", a ? '-' : '+', a ? from : to, text);
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
    diff->differences++;
    if (diff->session->json) {
        struct json json = {.out = stdout};
        json_object(&json, NULL);
        json_string(&json, "difference", "end");
        json_string(&json, "end_a", a->text);
        json_string(&json, "end_b", b->text);
        json_number(&json, "time_clocks_a", a->time);
        json_number(&json, "time_clocks_b", b->time);
        json_end(&json);
        return;
    }
    printf("= %12.10g us -> %.10g us  %s -> %s\n", (double)a->time / GPUCODE_HWSQ_UNIT_CLOCKS,
           (double)b->time / GPUCODE_HWSQ_UNIT_CLOCKS, a->text, b->text);
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
    walk_effects(diff);
    compare_ends(diff);
    free(diff->lengths);
    return diff->differences ? EXIT_FINDINGS : EXIT_DONE;
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
