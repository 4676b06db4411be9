/* SPDX-License-Identifier: MIT */
/* Scheduling a shader: take needless things out, perhaps reorder, put in what is missing, and fix the branches. */
#include "ir3_messages.h"
#include "isa/lint.h"

#include "isa/ir3/timing/paths.h"

#include <stdlib.h>

#define SPECIAL_SLOTS 10 /* about what a special function takes on later chips; of textures it is not known */
#define MEMORY_SLOTS 24
#define MANY 32768   /* instructions in a program that is too long for trying everything */
#define NOP_REPEAT 5 /* greatest that compilers emit: six slots */

static void a3xx_code_count(struct a3xx_code *code)
{
    uint64_t clock = 0, special = 0, memory = 0; /* when what is under way comes */
    code->slots = code->sync_bits = 0;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct gpucode_insn *insn = &code->insn[i];
        uint64_t bits = insn->bits;
        unsigned category = shader_category(bits), slots = shader_repeat(insn) + 1 + shader_idle(insn);
        bool ss = shader_takes_ss(insn) && bits & SHADER_SS, sy = (bits & SHADER_SY) != 0;
        code->slots += slots;
        code->sync_bits += (unsigned)ss + (unsigned)sy;
        clock = ss && special > clock ? special : clock;
        clock = sy && memory > clock ? memory : clock;
        clock += slots;
        special = category == 4 ? clock + SPECIAL_SLOTS : special;
        memory = category >= 5 ? clock + MEMORY_SLOTS : memory;
    }
    code->stalls = (uint32_t)(clock - code->slots);
}

/* --- putting in ------------------------------------------------------------------------------------------------ */

struct writer {
    const struct gpucode_target *target;
    const struct shader_family *family;
    struct gpucode_insn *insn;
    uint32_t *origin;
    uint32_t count;
};

/* Slots that fit into the last instruction: into a nop by its repeat, into arithmetic as idle slots. */
static uint32_t extend_last(struct writer *writer, uint32_t slots, bool ss, bool scalar)
{
    struct gpucode_insn *last = &writer->insn[writer->count - 1];
    if (shader_is_nop(last)) {
        unsigned repeat = shader_repeat(last), more = repeat < NOP_REPEAT ? NOP_REPEAT - repeat : 0;
        more = more < slots ? more : slots;
        last->bits += (uint64_t)more << SHADER_NOPS_SHIFT;
        if (ss)
            last->bits |= SHADER_SS;
        return more;
    }
    if (ss || scalar || !shader_takes_idle(last))
        return 0;
    unsigned idle = shader_idle(last), room = writer->family->idle - idle, more = slots < room ? slots : room;
    shader_set_idle(last, idle + more);
    return more;
}

static void put_nops(struct writer *writer, uint32_t slots, bool ss)
{
    while (slots) {
        uint32_t now = slots > NOP_REPEAT + 1 ? NOP_REPEAT + 1 : slots;
        slots -= now;
        writer->origin[writer->count] = GPUCODE_SCHEDULE_NEW;
        writer->insn[writer->count++] =
            (struct gpucode_insn){.bits = (uint64_t)(now - 1) << SHADER_NOPS_SHIFT | (ss && !slots ? SHADER_SS : 0),
                                  .row = writer->family->nop,
                                  .size = 8,
                                  .target = writer->target};
    }
}

#define LINE 16 /* instructions of the instruction cache, which a group must not leave */

/* Nops in front of a group that would lie in two lines. */
static void keep_in_line(struct writer *writer, const struct a3xx_code *code, uint32_t at)
{
    uint32_t end = at;
    if (!(shader_marks(&code->insn[at]) & SHADER_GROUP) || (at && shader_marks(&code->insn[at - 1]) & SHADER_GROUP))
        return;
    while (end + 1 < code->count && shader_marks(&code->insn[end]) & SHADER_GROUP)
        end++;
    for (uint32_t size = end - at; size < LINE && (writer->count + size) / LINE != writer->count / LINE;)
        put_nops(writer, 1, false);
}

/* The program with all that it needs, into `insn`. False: a branch does not reach any more. */
static bool write_repaired(const struct a3xx_code *code, const struct a3xx_repair *repair, uint32_t *place,
                           struct writer *writer, uint32_t *where)
{
    for (uint32_t i = 0; i < code->count; i++) {
        struct gpucode_insn insn = code->insn[i];
        bool joins = repair->paths.leader[i];
        bool extend = i && !joins && !(insn.bits & SHADER_JP), ss = repair->add[i] & A3XX_ADD_NOP_SS;
        uint32_t pad = repair->pad[i];
        place[i] = writer->count;
        if (extend && pad)
            pad -= extend_last(writer, pad, ss, shader_marks(&insn) & SHADER_SCALAR);
        put_nops(writer, pad, ss);
        keep_in_line(writer, code, i);
        insn.bits |= (repair->add[i] & A3XX_ADD_SS ? SHADER_SS : 0) | (repair->add[i] & A3XX_ADD_SY ? SHADER_SY : 0);
        uint64_t mark = insn.bits & SHADER_JP;
        insn.bits &= ~SHADER_JP;
        where[i] = writer->count;
        writer->origin[writer->count] = code->origin[i];
        writer->insn[writer->count++] = insn;
        writer->insn[place[i]].bits |= mark;
    }
    for (uint32_t i = 0; i < code->count; i++) {
        if (!a3xx_is_branch(&code->insn[i]))
            continue;
        uint32_t target = place[a3xx_target(code->insn, code->count, i)];
        if (!writer->family->set_offset(&writer->insn[where[i]], (int64_t)target - where[i]))
            return false;
        if (!a3xx_is_call(&code->insn[i]))
            writer->insn[target].bits |= SHADER_JP;
    }
    return true;
}

/* Makes *code legal. *reaches: all branches still fit. False: no memory. */
static bool insert_missing(struct a3xx_code *code, struct arena *arena, bool *reaches)
{
    struct a3xx_repair repair;
    bool good = a3xx_repair_open(&repair, code);
    size_t more = 0;
    for (uint32_t i = 0; good && i < code->count; i++)
        more +=
            (repair.pad[i] + NOP_REPEAT) / (NOP_REPEAT + 1) + (shader_marks(&code->insn[i]) & SHADER_GROUP ? LINE : 0);
    struct writer writer = {.target = code->target, .family = code->family};
    uint32_t *place = arena_array(arena, (size_t)code->count + 1, sizeof *place);
    uint32_t *where = arena_array(arena, (size_t)code->count + 1, sizeof *where);
    writer.insn = arena_array(arena, code->count + more + 1, sizeof *writer.insn);
    writer.origin = arena_array(arena, code->count + more + 1, sizeof *writer.origin);
    good = good && place && where && writer.insn && writer.origin;
    if (good) {
        *reaches = write_repaired(code, &repair, place, &writer, where);
        code->insn = writer.insn;
        code->origin = writer.origin;
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
    copy->origin = arena_array(arena, (size_t)code->count + 1, sizeof *copy->origin);
    if (!copy->insn || !copy->origin)
        return false;
    memcpy(copy->insn, code->insn, code->count * sizeof *copy->insn);
    memcpy(copy->origin, code->origin, code->count * sizeof *copy->origin);
    return true;
}

/*
 * The best of: only inserting; taking out before it, if wanted; reordering in between, if wanted, by each of the rules.
 * The fewest slots count, and among equals what the sync bits are likely to wait for.
 */
static enum gpucode_status find_best(struct a3xx_code *code, const struct gpucode_schedule_options *options,
                                     struct arena *arena)
{
    struct a3xx_code best = {0};
    uint32_t *place = arena_array(arena, (size_t)code->count + 1, sizeof *place);
    bool found = false, strips = options->strip != GPUCODE_STRIP_NOTHING || options->reorder;
    unsigned attempts = !strips ? 1 : !options->reorder ? 2 : code->count > MANY ? 3 : 2 + A3XX_ORDERS;
    for (unsigned attempt = 0; attempt < attempts; attempt++) {
        struct a3xx_code one;
        bool reaches = true, good = true;
        if (!place || !copy_code(&one, code, arena))
            return GPUCODE_ERROR_MEMORY;
        if (attempt >= 1)
            good = a3xx_strip(&one, false, place);
        if (good && attempt >= 2)
            good = a3xx_reorder(&one, (enum a3xx_order)(attempt - 2));
        if (!good)
            return GPUCODE_ERROR_MEMORY;
        if (!insert_missing(&one, arena, &reaches))
            return GPUCODE_ERROR_MEMORY;
        bool better = one.slots < best.slots ||
                      (one.slots == best.slots && (attempt == 1 || (attempt >= 2 && one.stalls < best.stalls)));
        if (reaches && (!found || better)) {
            best = one;
            found = true;
        }
    }
    if (found)
        *code = best;
    return found ? GPUCODE_OK : GPUCODE_ERROR_INPUT;
}

/* --- programs of a file ------------------------------------------------------------------------------------------- */

/* A program, and what follows it up to the next one: nops that fill up, or data, which stay as they are. */
struct piece {
    uint32_t first, units, code; /* instructions of the file, all and those of the program */
    bool followed;               /* by another program, which begins where it is to begin */
};

static void see_nothing(void *user, uint32_t at, struct a3xx_scoreboard *state)
{
    (void)user;
    (void)at;
    (void)state;
}

/* Is there more than one program, or anything that is no instruction? Most files have neither. */
static bool is_simple(const struct gpucode_insn *insn, uint32_t count)
{
    bool ended = false, more = false, words = false;
    for (uint32_t i = 0; i < count; i++) {
        words |= shader_is_raw(&insn[i]);
        more |= ended && !shader_is_nop(&insn[i]);
        ended |= shader_flow(&insn[i]) == GPUCODE_FLOW_STOP;
    }
    return !words && !more;
}

/* Does a branch lead from one piece into another? */
static bool are_tied(const struct a3xx_paths *paths, const struct piece *piece, uint32_t count)
{
    bool tied = false;
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t i = piece[p].first; i < piece[p].first + piece[p].units; i++) {
            uint32_t target = paths->reached[i] && a3xx_is_branch(&paths->insn[i])
                                  ? a3xx_target(paths->insn, paths->count, i)
                                  : paths->count;
            tied |= target < paths->count && (target < piece[p].first || target >= piece[p].first + piece[p].units);
        }
    return tied;
}

/* Words after all that is reached are data. */
static void find_data(const struct a3xx_paths *paths, struct piece *piece)
{
    uint32_t end = piece->first + piece->units, last = end;
    bool words = false;
    while (last > piece->first && !paths->reached[last - 1])
        words |= shader_is_raw(&paths->insn[--last]);
    bool ends = last > piece->first && shader_flow(&paths->insn[last - 1]) == GPUCODE_FLOW_STOP;
    piece->code = words && ends ? last - piece->first : piece->units;
}

/* The programs of the file, one after the other, into `piece`, of which there is one at least. False: no memory. */
static bool find_pieces(const struct gpucode_insn *insn, uint32_t count, struct arena *arena, struct piece **pieces,
                        uint32_t *found)
{
    struct a3xx_paths paths;
    struct piece *piece = *pieces = arena_array(arena, (size_t)count + 1, sizeof *piece);
    if (!piece)
        return false;
    *piece = (struct piece){.units = count, .code = count};
    *found = 1;
    if (is_simple(insn, count))
        return true;
    bool good = a3xx_paths_open(&paths, insn, count);
    paths.visit = see_nothing;
    for (uint32_t at = 0; good && at < count; at = a3xx_next_program(&paths, at, 1)) {
        paths.next = count;
        good = a3xx_paths_entry(&paths, at) && a3xx_paths_settle(&paths);
        if (at) {
            piece[*found - 1].units = at - piece[*found - 1].first;
            piece[*found - 1].followed = true;
            piece[(*found)++] = (struct piece){.first = at, .units = count - at};
        }
    }
    if (good && are_tied(&paths, piece, *found)) {
        *piece = (struct piece){.units = count};
        *found = 1;
    }
    for (uint32_t i = 0; good && i < *found; i++)
        find_data(&paths, &piece[i]);
    a3xx_paths_close(&paths);
    return good;
}

/* False when some instruction cannot be scheduled, and the diagnostic handler was told. */
static bool is_schedulable(const struct a3xx_code *code, uint32_t first, const struct gpucode_schedule_options *options)
{
    struct place place = {.file = options->file};
    for (uint32_t i = 0; i < code->count; i++) {
        bool word = shader_is_raw(&code->insn[i]);
        if (!word && !(a3xx_is_branch(&code->insn[i]) && a3xx_target(code->insn, code->count, i) == code->count))
            continue;
        if (word)
            report(&options->on_diagnostic, &place, MSG_SCHEDULE_WORD, NULL, (unsigned)(first + i), code->family->name);
        else
            report(&options->on_diagnostic, &place, MSG_SCHEDULE_TARGET, NULL, (unsigned)(first + i));
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

/*
 * The code, and what follows it. Nops go on filling the program up where they did, and where another one follows at a
 * multiple of what programs are filled up to.
 */
static bool put_code(const struct a3xx_code *code, const struct piece *piece, const struct isa_layout *layout,
                     struct buffer *out, struct gpucode_scheduled *scheduled)
{
    uint32_t end = piece->first + piece->units, padding = code->padding, unit = code->family->unit;
    bool fills = end % unit == 0 && (padding || (piece->followed && unit > 4));
    if (fills && piece->followed && piece->code == piece->units) /* nops alone: as many lines of them as there were */
        padding -= padding % unit;
    while (fills && (scheduled->units + code->count + padding) % unit)
        padding++;
    size_t units = (size_t)scheduled->units + code->count + padding;
    uint32_t *origin = realloc(scheduled->origins, (units + 1) * sizeof *origin);
    if (!origin)
        return false;
    scheduled->origins = origin;
    origin += scheduled->units;
    scheduled->units = (uint32_t)units;
    for (uint32_t i = 0; i < code->count; i++) {
        put_word(out, code->insn[i].bits);
        *origin++ = code->origin[i];
    }
    for (uint32_t i = 0; i < padding; i++) {
        uint32_t old = end - code->padding + i;
        *origin++ = i < code->padding ? old : GPUCODE_SCHEDULE_NEW;
        if (i < code->padding)
            buffer_append(out, layout->bytes + 8 * (size_t)old, 8);
        else
            put_word(out, 0);
    }
    return true;
}

/* Nops after the last `end` that nothing goes to. */
static void find_padding(struct a3xx_code *code)
{
    uint32_t end = code->count;
    while (end && shader_is_nop(&code->insn[end - 1]))
        end--;
    if (!end || shader_flow(&code->insn[end - 1]) != GPUCODE_FLOW_STOP)
        return;
    for (uint32_t i = 0; i < end; i++)
        if (a3xx_is_branch(&code->insn[i]) && a3xx_target(code->insn, code->count, i) >= end)
            return;
    code->padding += code->count - end;
    code->count = end;
}

static enum gpucode_status schedule_piece(const struct isa_layout *layout, const struct piece *piece,
                                          const struct gpucode_schedule_options *options, struct arena *arena,
                                          struct buffer *out, struct gpucode_scheduled *scheduled)
{
    const struct gpucode_target *target = layout->info.target;
    struct a3xx_code code = {.target = target, .family = shader_family_of(target), .count = piece->code};
    code.insn = arena_array(arena, (size_t)code.count + 1, sizeof *code.insn);
    uint32_t *place = arena_array(arena, (size_t)code.count + 1, sizeof *place);
    code.origin = arena_array(arena, (size_t)code.count + 1, sizeof *code.origin);
    if (!code.insn || !code.origin || !place)
        return GPUCODE_ERROR_MEMORY;
    for (uint32_t i = 0; i < code.count; i++)
        code.origin[i] = piece->first + i;
    a3xx_decode_all(target, layout->bytes + 8 * (size_t)piece->first, code.count, code.insn);
    if (!is_schedulable(&code, piece->first, options))
        return GPUCODE_ERROR_INPUT;
    code.padding = piece->units - piece->code;
    find_padding(&code);
    a3xx_code_count(&code);
    scheduled->slots_before += code.slots;
    scheduled->sync_bits_before += code.sync_bits;
    enum gpucode_status status = GPUCODE_OK;
    if (options->strip == GPUCODE_STRIP_ALL) {
        if (!a3xx_strip(&code, true, place))
            status = GPUCODE_ERROR_MEMORY;
        if (piece->code == piece->units && !piece->followed)
            code.padding = 0;
        a3xx_code_count(&code);
    } else {
        status = find_best(&code, options, arena);
        if (status == GPUCODE_ERROR_INPUT)
            report(&options->on_diagnostic, &(struct place){.file = options->file}, MSG_SCHEDULE_REACH, NULL);
    }
    if (status == GPUCODE_OK && !put_code(&code, piece, layout, out, scheduled))
        status = GPUCODE_ERROR_MEMORY;
    scheduled->slots += code.slots;
    scheduled->sync_bits += code.sync_bits;
    return status;
}

static enum gpucode_status schedule_shader(const struct isa_layout *layout,
                                           const struct gpucode_schedule_options *options, struct buffer *out,
                                           struct gpucode_scheduled *scheduled)
{
    uint32_t units = layout->info.units, count = 0;
    struct arena arena = {0};
    struct piece *piece = NULL;
    struct gpucode_insn *insn = arena_array(&arena, (size_t)units + 1, sizeof *insn);
    enum gpucode_status status = GPUCODE_ERROR_MEMORY;
    if (insn)
        a3xx_decode_all(layout->info.target, layout->bytes, units, insn);
    if (insn && find_pieces(insn, units, &arena, &piece, &count))
        status = GPUCODE_OK;
    for (uint32_t i = 0; status == GPUCODE_OK && i < count; i++)
        status = schedule_piece(layout, &piece[i], options, &arena, out, scheduled);
    if (status == GPUCODE_OK)
        buffer_append(out, layout->bytes + layout->size - layout->info.tail, layout->info.tail);
    arena_free(&arena);
    return status;
}

const struct isa_schedule shader_schedule = {.schedule = schedule_shader};
