/* SPDX-License-Identifier: MIT */
/* Scheduling a shader: take needless things out, perhaps reorder, put in what is missing, and fix the branches. */
#include "isa/schedule.h"

#include "isa/a3xx/code.h"

#define NOP_REPEAT 5 /* greatest that compilers emit: six slots */

static bool has_sync(const struct gpucode_insn *insn)
{
    return insn->bits & A3XX_SY || (a3xx_category(insn->bits) < 5 && insn->bits & A3XX_SS);
}

void a3xx_code_count(struct a3xx_code *code)
{
    code->slots = code->sync_bits = 0;
    for (uint32_t i = 0; i < code->count; i++) {
        uint64_t bits = code->insn[i].bits;
        code->slots += a3xx_repeat(bits) + 1;
        code->sync_bits += (bits & A3XX_SY) != 0;
        code->sync_bits += a3xx_category(bits) < 5 && bits & A3XX_SS;
    }
}

/* Changes where a branch goes; bits 31:16, which the hardware ignores, stay a sign extension where they were one. */
static bool set_offset(struct gpucode_insn *insn, int64_t offset)
{
    uint64_t upper = insn->bits & 0xffff0000;
    if (offset < INT16_MIN || offset > INT16_MAX)
        return false;
    if (upper == 0xffff0000 && offset >= 0)
        upper = 0;
    insn->bits = (insn->bits & ~UINT64_C(0xffffffff)) | upper | (uint16_t)offset;
    return true;
}

/* --- taking out ------------------------------------------------------------------------------------------------ */

/* `keep_entry`: sync bits of the first instruction stay. place[i]: where instruction i, or the next one kept, is now.
 */
static void strip(struct a3xx_code *code, bool keep_entry, uint32_t *place)
{
    uint32_t last = code->count, kept = 0;
    uint64_t entry = 0, mark = 0;
    while (last && code->insn[last - 1].row == A3XX_NOP)
        last--;
    for (uint32_t i = 0; i < code->count; i++) {
        struct gpucode_insn insn = code->insn[i];
        place[i] = kept;
        uint64_t sync = A3XX_SY | (a3xx_category(insn.bits) < 5 ? A3XX_SS : 0);
        bool first = i == 0 && keep_entry && has_sync(&insn);
        bool takes = i + 1 < code->count && a3xx_category(code->insn[i + 1].bits) < 5;
        if (insn.row == A3XX_NOP && i < last && (!first || takes)) {
            entry |= first ? insn.bits & sync : 0;
            mark |= insn.bits & A3XX_JP;
            continue;
        }
        if (insn.row == A3XX_NOP)
            insn.bits &= ~(UINT64_C(7) << 40);
        if (!first)
            insn.bits &= ~sync;
        insn.bits |= mark | (entry & sync);
        mark = entry = 0;
        code->insn[kept++] = insn;
        code->insn[kept - 1].address = i; /* where it was, for the branches */
    }
    uint32_t old = code->count;
    place[old] = kept;
    code->count = kept;
    for (uint32_t i = 0; i < kept; i++) {
        struct gpucode_insn *insn = &code->insn[i];
        if (a3xx_is_branch(insn))
            (void)set_offset(insn, (int64_t)place[(int64_t)insn->address + (int16_t)insn->bits] - i);
        insn->address = i;
    }
}

/* --- putting in ------------------------------------------------------------------------------------------------ */

struct writer {
    struct gpucode_insn *insn;
    uint32_t count;
};

static void put_nops(struct writer *writer, uint32_t slots, bool ss, bool extend)
{
    if (extend && slots) {
        struct gpucode_insn *last = &writer->insn[writer->count - 1];
        unsigned repeat = a3xx_repeat(last->bits), more = repeat < NOP_REPEAT ? NOP_REPEAT - repeat : 0;
        more = more < slots ? more : slots;
        last->bits += (uint64_t)more << 40;
        slots -= more;
        if (ss)
            last->bits |= A3XX_SS;
    }
    while (slots) {
        uint32_t now = slots > NOP_REPEAT + 1 ? NOP_REPEAT + 1 : slots;
        slots -= now;
        writer->insn[writer->count++] = (struct gpucode_insn){
            .bits = (uint64_t)(now - 1) << 40 | (ss && !slots ? A3XX_SS : 0), .row = A3XX_NOP, .size = 8};
    }
}

/* The program with all that it needs, into `insn`. False: a branch does not reach any more. */
static bool write_repaired(const struct a3xx_code *code, const struct a3xx_repair *repair, uint32_t *place,
                           struct writer *writer, uint32_t *where)
{
    for (uint32_t i = 0; i < code->count; i++) {
        struct gpucode_insn insn = code->insn[i];
        bool joins = repair->paths.leader[i];
        bool extend = i && !joins && !(insn.bits & A3XX_JP) && code->insn[i - 1].row == A3XX_NOP;
        place[i] = writer->count;
        put_nops(writer, repair->pad[i], repair->add[i] & A3XX_ADD_NOP_SS, extend);
        insn.bits |= (repair->add[i] & A3XX_ADD_SS ? A3XX_SS : 0) | (repair->add[i] & A3XX_ADD_SY ? A3XX_SY : 0);
        uint64_t mark = insn.bits & A3XX_JP;
        insn.bits &= ~A3XX_JP;
        where[i] = writer->count;
        writer->insn[writer->count++] = insn;
        writer->insn[place[i]].bits |= mark;
    }
    for (uint32_t i = 0; i < code->count; i++) {
        if (!a3xx_is_branch(&code->insn[i]))
            continue;
        uint32_t target = place[a3xx_target(code->insn, code->count, i)];
        if (!set_offset(&writer->insn[where[i]], (int64_t)target - where[i]))
            return false;
        if (code->insn[i].row != A3XX_CALL)
            writer->insn[target].bits |= A3XX_JP;
    }
    return true;
}

/* Makes *code legal. *reaches: all branches still fit. False: no memory. */
static bool insert(struct a3xx_code *code, bool follow_relative, struct arena *arena, bool *reaches)
{
    struct a3xx_repair repair;
    bool good = a3xx_repair_open(&repair, code, follow_relative);
    size_t more = 0;
    for (uint32_t i = 0; good && i < code->count; i++)
        more += (repair.pad[i] + NOP_REPEAT) / (NOP_REPEAT + 1);
    struct writer writer = {0};
    uint32_t *place = arena_array(arena, (size_t)code->count + 1, sizeof *place);
    uint32_t *where = arena_array(arena, (size_t)code->count + 1, sizeof *where);
    writer.insn = arena_array(arena, code->count + more + 1, sizeof *writer.insn);
    good = good && place && where && writer.insn;
    if (good) {
        *reaches = write_repaired(code, &repair, place, &writer, where);
        code->insn = writer.insn;
        code->count = writer.count;
        for (uint32_t i = 0; i < code->count; i++)
            code->insn[i].address = i;
        a3xx_code_count(code);
    }
    a3xx_repair_close(&repair);
    return good;
}

/* --- all of it -------------------------------------------------------------------------------------------------- */

static bool copy_code(struct a3xx_code *copy, const struct a3xx_code *code, struct arena *arena)
{
    *copy = *code;
    copy->insn = arena_array(arena, (size_t)code->count + 1, sizeof *copy->insn);
    if (copy->insn && code->count)
        memcpy(copy->insn, code->insn, code->count * sizeof *copy->insn);
    return copy->insn != NULL;
}

/* The best of: only inserting; taking out before it, if wanted; reordering in between, if wanted. */
static enum gpucode_status find_best(struct a3xx_code *code, const struct gpucode_schedule_options *options,
                                     struct arena *arena)
{
    struct a3xx_code best = {0};
    uint32_t *place = arena_array(arena, (size_t)code->count + 1, sizeof *place);
    bool found = false, strips = options->strip != GPUCODE_STRIP_NOTHING || options->reorder;
    for (unsigned attempt = 0; attempt < 3; attempt++) {
        struct a3xx_code one;
        bool reaches = true;
        if ((attempt >= 1 && !strips) || (attempt == 2 && !options->reorder))
            continue;
        if (!place || !copy_code(&one, code, arena))
            return GPUCODE_ERROR_MEMORY;
        if (attempt >= 1)
            strip(&one, true, place);
        if (attempt == 2 && one.count && !a3xx_reorder(&one, has_sync(&one.insn[0])))
            return GPUCODE_ERROR_MEMORY;
        /*
         * A compiler knows which registers a relative operand can be, and its code is legal as it stands; where
         * anything is missing or was taken out, it may be any register.
         */
        if (attempt == 0 && !insert(&one, false, arena, &reaches))
            return GPUCODE_ERROR_MEMORY;
        bool legal = attempt == 0 && one.slots == code->slots && one.sync_bits == code->sync_bits;
        if (!legal && ((attempt == 0 && !copy_code(&one, code, arena)) || !insert(&one, true, arena, &reaches)))
            return GPUCODE_ERROR_MEMORY;
        bool better = one.slots < best.slots || (attempt == 1 && one.slots == best.slots);
        if (reaches && (!found || better)) {
            best = one;
            found = true;
        }
    }
    if (found)
        *code = best;
    return found ? GPUCODE_OK : GPUCODE_ERROR_INPUT;
}

/* False when some instruction cannot be scheduled, and the sink was told. */
static bool is_schedulable(const struct a3xx_code *code, const struct gpucode_schedule_options *options)
{
    struct place place = {.file = options->file};
    for (uint32_t i = 0; i < code->count; i++) {
        bool word = code->insn[i].row == A3XX_RAW;
        if (!word && !(a3xx_is_branch(&code->insn[i]) && a3xx_target(code->insn, code->count, i) == code->count))
            continue;
        report(&options->sink, &place, word ? MSG_SCHEDULE_WORD : MSG_SCHEDULE_TARGET, NULL, (unsigned)i);
        return false;
    }
    return true;
}

static void put_word(struct buffer *out, uint64_t bits)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    buffer_append(out, bytes, sizeof bytes);
}

/* Nops behind the last `end` that nothing goes to. */
static void find_padding(struct a3xx_code *code)
{
    uint32_t end = code->count;
    while (end && code->insn[end - 1].row == A3XX_NOP)
        end--;
    if (!end || code->insn[end - 1].row != A3XX_END)
        return;
    for (uint32_t i = 0; i < end; i++)
        if (a3xx_is_branch(&code->insn[i]) && a3xx_target(code->insn, code->count, i) >= end)
            return;
    code->padding = code->count - end;
    code->count = end;
}

static enum gpucode_status schedule(const struct isa_layout *layout, const struct gpucode_schedule_options *options,
                                    struct buffer *out, struct gpucode_scheduled *scheduled)
{
    uint32_t units = layout->info.units;
    struct arena arena = {0};
    struct a3xx_code code = {.count = units};
    enum gpucode_status status = GPUCODE_ERROR_MEMORY;
    code.insn = arena_array(&arena, (size_t)units + 1, sizeof *code.insn);
    uint32_t *place = arena_array(&arena, (size_t)units + 1, sizeof *place);
    if (!code.insn || !place)
        goto done;
    a3xx_decode_all(layout->info.target, layout->bytes, units, code.insn);
    status = GPUCODE_ERROR_INPUT;
    if (!is_schedulable(&code, options))
        goto done;
    find_padding(&code);
    a3xx_code_count(&code);
    scheduled->slots_before = code.slots;
    scheduled->sync_bits_before = code.sync_bits;
    status = GPUCODE_OK;
    if (options->strip == GPUCODE_STRIP_ALL) {
        strip(&code, false, place);
        code.padding = 0;
        a3xx_code_count(&code);
    } else {
        status = find_best(&code, options, &arena);
        if (status == GPUCODE_ERROR_INPUT)
            report(&options->sink, &(struct place){.file = options->file}, MSG_SCHEDULE_REACH, NULL);
    }
    for (uint32_t i = 0; status == GPUCODE_OK && i < code.count; i++)
        put_word(out, code.insn[i].bits);
    /* padding goes on filling the file to a multiple of four instructions where it did */
    uint32_t padding = code.padding;
    while (padding && units % 4 == 0 && (code.count + padding) % 4)
        padding++;
    for (uint32_t i = 0; status == GPUCODE_OK && i < padding; i++)
        put_word(out, 0);
    if (status == GPUCODE_OK)
        buffer_append(out, layout->bytes + layout->size - layout->info.tail, layout->info.tail);
    scheduled->slots = code.slots;
    scheduled->sync_bits = code.sync_bits;
done:
    arena_free(&arena);
    return status;
}

const struct isa_schedule a3xx_schedule = {.schedule = schedule};
