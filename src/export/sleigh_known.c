/* SPDX-License-Identifier: MIT */
/* Values of actions that are known without running: conditions on modifiers, of which a constructor has one choice. */
#include "export/sleigh_emit.h"

#include <ctype.h>
#include <string.h>

/* The number of a register by its name; a name that the target lacks has none: 0. */
static uint64_t number_of_name(const struct sleigh_emit *emit, const char *space, const char *name)
{
    const struct gpucode_target *target = emit->code->row->sleigh->target;
    uint32_t number = 0;
    for (enum gpucode_space s = 0; s < GPUCODE_SPACE_COUNT; s++)
        if (strcmp(gpucode_space_name(target, s), space) == 0)
            gpucode_number_of(target, NULL, s, name, strlen(name), &number);
    return number;
}

static bool known_binary(const char *text, uint64_t a, uint64_t b, uint64_t *number)
{
    static const char *const signs[] = {"||", "&&", "==", "!=", "<", ">", "<=", ">=", "+"};
    const uint64_t results[] = {a || b, a && b, a == b, a != b, a<b, a> b, a <= b, a >= b, a + b};
    for (unsigned i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strcmp(text, signs[i]) == 0) {
            *number = results[i];
            return true;
        }
    return false;
}

bool sleigh_known(const struct sleigh_emit *emit, unsigned index, uint64_t *number)
{
    const struct gpucode_action *n = &emit->nodes[index];
    const struct sleigh_row *row = emit->code->row;
    struct gpucode_row_field field;
    uint64_t a = 0, b = 0;
    switch (n->kind) {
    case GPUCODE_ACTION_NUMBER:
        *number = n->number;
        return true;
    case GPUCODE_ACTION_NAME:
        *number = emit->space ? number_of_name(emit, emit->space, n->text) : 0;
        return emit->space != NULL;
    case GPUCODE_ACTION_FIELD:
        *number = sleigh_chosen(row, n->letter);
        return strchr(row->absent, n->letter) || !sleigh_field(row, n->letter, &field) || *number != 0;
    case GPUCODE_ACTION_STATE:
        *number = row->sleigh->brief;
        return strcmp(n->text, "brief") == 0;
    case GPUCODE_ACTION_UNARY:
        *number = 0;
        if (*n->text != '!' || !sleigh_known(emit, n->first, &a))
            return false;
        *number = !a;
        return true;
    case GPUCODE_ACTION_BINARY: {
        bool left = sleigh_known(emit, n->first, &a), right = sleigh_known(emit, n->second, &b);
        *number = 0;
        if (strcmp(n->text, "&&") == 0 && ((left && !a) || (right && !b)))
            return true;
        if (strcmp(n->text, "||") == 0 && ((left && a) || (right && b))) {
            *number = 1;
            return true;
        }
        return left && right && known_binary(n->text, a, b, number);
    }
    case GPUCODE_ACTION_CHOICE:
        return sleigh_known(emit, n->first, &a) && sleigh_known(emit, a ? n->second : n->third, number);
    case GPUCODE_ACTION_CALL:
        if (strcmp(n->text, "NUMBER") != 0 || !n->first)
            return false;
        char space[32] = "";
        for (unsigned i = 0; i + 1 < sizeof space && emit->nodes[n->first].text[i]; i++)
            space[i] = (char)tolower((unsigned char)emit->nodes[n->first].text[i]);
        *number = number_of_name(emit, space, emit->nodes[emit->nodes[n->first].next].text);
        return true;
    default:
        return false;
    }
}
