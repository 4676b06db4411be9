/* SPDX-License-Identifier: MIT */
/* Taking nops and sync bits out of a shader. An (sy) that may wait for a store stays: memory has an order too. */
#include "isa/a3xx/timing/code.h"

/* The rest of the low half, which the hardware ignores. */
#define OFFSET_UPPER (UINT32_MAX & ~A3XX_MASK(OFFSET))

/* Stays a sign extension where it was one. */
bool a3xx_set_offset(struct gpucode_insn *insn, int64_t offset)
{
    uint64_t upper = insn->bits & OFFSET_UPPER;
    if (offset < INT16_MIN || offset > INT16_MAX)
        return false;
    if (upper == OFFSET_UPPER && offset >= 0)
        upper = 0;
    insn->bits = (insn->bits & ~(OFFSET_UPPER | A3XX_MASK(OFFSET))) | upper | A3XX_PLACE(OFFSET, (uint16_t)offset);
    return true;
}

/* `keep`: of which instructions (sy) stays, null: none. place[i]: where instruction i, or the next one kept, is now. */
static void take_out_needless(struct a3xx_code *code, const bool *keep, uint32_t *place)
{
    uint32_t last = code->count, kept = 0;
    uint64_t entry = 0, mark = 0;
    while (last && code->insn[last - 1].row == A3XX_NOP)
        last--;
    for (uint32_t i = 0; i < code->count; i++) {
        struct gpucode_insn insn = code->insn[i];
        place[i] = kept;
        uint64_t sync = A3XX_SY | (a3xx_category(insn.bits) < 5 ? A3XX_SS : 0);
        uint64_t stays = keep && keep[i] ? A3XX_SY : 0;
        bool first = i == 0 && keep && a3xx_has_sync(&insn);
        bool takes = i + 1 < code->count && a3xx_category(code->insn[i + 1].bits) < 5;
        if (insn.row == A3XX_NOP && i < last && (!first || takes)) {
            entry |= first ? insn.bits & sync : stays;
            mark |= insn.bits & A3XX_JP;
            continue;
        }
        if (insn.row == A3XX_NOP)
            insn.bits &= ~A3XX_MASK(FLOW_REPEAT);
        if (!first)
            insn.bits = (insn.bits & ~sync) | stays;
        insn.bits |= mark | (entry & sync);
        mark = entry = 0;
        code->origin[kept] = code->origin[i];
        code->insn[kept++] = insn;
        code->insn[kept - 1].address = i; /* where it was, for the branches */
    }
    uint32_t old = code->count;
    place[old] = kept;
    code->count = kept;
    for (uint32_t i = 0; i < kept; i++) {
        struct gpucode_insn *insn = &code->insn[i];
        if (a3xx_is_branch(insn))
            (void)a3xx_set_offset(insn, (int64_t)place[(int64_t)insn->address + a3xx_branch_offset(insn->bits)] - i);
        insn->address = i;
    }
}

struct ordering {
    struct a3xx_paths paths;
    bool *keep;
};

static void visit_for_strip(void *user, uint32_t at, struct a3xx_scoreboard *state)
{
    struct ordering *ordering = user;
    static const struct a3xx_watch watch = {0};
    const struct gpucode_insn *insn = &ordering->paths.insn[at];
    ordering->keep[at] |= state->path.stored && insn->bits & A3XX_SY;
    a3xx_scoreboard_issue(state, insn, &watch);
}

bool a3xx_strip(struct a3xx_code *code, bool all, uint32_t *place)
{
    struct ordering ordering = {0};
    bool good = all || a3xx_paths_open(&ordering.paths, code->insn, code->count);
    ordering.paths.visit = visit_for_strip;
    ordering.paths.user = &ordering;
    if (good && !all) {
        ordering.keep = arena_array(&ordering.paths.arena, (size_t)code->count + 1, sizeof *ordering.keep);
        good = ordering.keep && a3xx_paths_entry(&ordering.paths, 0) && a3xx_paths_settle(&ordering.paths);
    }
    if (good)
        take_out_needless(code, ordering.keep, place);
    a3xx_paths_close(&ordering.paths);
    return good;
}
