/* SPDX-License-Identifier: MIT */
/* Taking nops and sync bits out of a shader. An (sy) that may wait for a store stays: memory has an order too. */
#include "isa/ir3/timing/code.h"

/* A nop that is one only by its name: it has flags of its own, or is where fibers meet in front of an `end`. */
static bool does_more(const struct a3xx_code *code, uint32_t i)
{
    const struct gpucode_insn *insn = &code->insn[i];
    bool ends = i + 1 < code->count && shader_flow(insn + 1) == GPUCODE_FLOW_STOP;
    return insn->bits & code->family->nop_flags || (code->family->nop_flags && ends && insn->bits & SHADER_JP);
}

/* `keep`: of which instructions (sy) stays, null: none. place[i]: where instruction i, or the next one kept, is now. */
static void take_out_needless(struct a3xx_code *code, const bool *keep, uint32_t *place)
{
    uint32_t last = code->count, kept = 0;
    uint64_t entry = 0, mark = 0;
    bool held = false; /* the instruction before wants the nops after it */
    while (last && shader_is_nop(&code->insn[last - 1]))
        last--;
    for (uint32_t i = 0; i < code->count; i++) {
        struct gpucode_insn insn = code->insn[i];
        place[i] = kept;
        uint64_t sync = SHADER_SY | (shader_takes_ss(&insn) ? SHADER_SS : 0);
        uint64_t stays = keep && keep[i] ? SHADER_SY : 0;
        bool nop = shader_is_nop(&insn), idle = nop && !held && !(keep && does_more(code, i));
        stays |= keep && shader_marks(&insn) & SHADER_BARRIER ? insn.bits & sync : 0;
        bool first = i == 0 && keep && a3xx_has_sync(&insn);
        bool takes = i + 1 < code->count && shader_takes_ss(&code->insn[i + 1]);
        if (idle && i < last && (!first || takes)) {
            entry |= first ? insn.bits & sync : stays;
            mark |= insn.bits & SHADER_JP;
            continue;
        }
        if (nop && !held)
            insn.bits &= ~SHADER_NOPS;
        held = keep && (shader_marks(&insn) & SHADER_HOLDS || (held && nop));
        if (shader_takes_idle(&insn))
            shader_set_idle(&insn, 0);
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
            (void)shader_family(insn)->set_offset(
                insn, (int64_t)place[(int64_t)insn->address + shader_family(insn)->offset(insn->bits)] - i);
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
    ordering->keep[at] |= state->path.stored && insn->bits & SHADER_SY;
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
