/* SPDX-License-Identifier: MIT */
/*
 * Numbers that are places: immediates that come to where the hardware interrupts, to jumps by a register, to packet
 * tables, to the base of a section; and numbers in headers. A number that is an offset in bytes, added to an address
 * that nobody knows, counts where it is exactly that of the table or section that the register wants.
 */
#include "isa/afuc/analysis/facts.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_WORDS 8u  /* `mov`s in front of these say where the table and the next section are */
#define MISSED_MAX 8u    /* numbers of one use */
#define TARGETS_MAX 32u  /* of one jump */
#define UPLOAD_WORDS 32u /* at most, from the address of a packet table to the write of its entries */

struct looking {
    struct afuc_facts *facts;
    const struct gpucode_image_info *info;
    const struct analysis_code *code;
    const struct isa_names *names;
    uint32_t table_write, read_address, interrupt;
    enum gpucode_constant_kind kind; /* of the use at hand */
    unsigned to_section;             /* SECTION: the one it wants, GPUCODE_NONE: any */
    uint32_t targets[TARGETS_MAX];   /* of the jump at hand, */
    unsigned target_count;
    bool others;                                     /* and not all of them */
    bool matched;                                    /* one of the numbers of the use at hand is a place, */
    struct gpucode_code_constant missed[MISSED_MAX]; /* and these are none */
    unsigned missed_count;
    const struct isa_constants *out;
};

static uint32_t number_of(const struct looking *looking, enum gpucode_space space, const char *name)
{
    uint32_t number;
    return isa_number_of(looking->names, NULL, space, name, strlen(name), &number) ? number : UINT32_MAX;
}

static void add(struct looking *looking, uint32_t at, unsigned to_section, uint32_t to, unsigned scale, bool from_image,
                enum gpucode_constant_half half)
{
    looking->matched = true;
    looking->out->add(looking->out->user, &(struct gpucode_code_constant){.kind = looking->kind,
                                                                          .section = looking->code->section,
                                                                          .at = at,
                                                                          .to_section = to_section,
                                                                          .to = to,
                                                                          .scale = scale,
                                                                          .from_image = from_image,
                                                                          .half = half});
}

/* By how much the number itself is multiplied, the place being `value` / `unit` ; 0: it cannot be. */
static unsigned scale_of(const struct afuc_origin *origin, uint64_t place)
{
    for (unsigned scale = 1; scale <= 4; scale *= 2)
        if (origin->number == scale * place)
            return scale;
    return 0;
}

/* The immediate, or both of them, where the number is a multiple of the place. */
static bool add_origin(struct looking *looking, const struct afuc_origin *origin, unsigned to_section, uint32_t to,
                       uint64_t place, bool from_image)
{
    unsigned scale = scale_of(origin, place);
    bool halves = origin->low != GPUCODE_NONE;
    if (!scale)
        return false;
    add(looking, origin->at, to_section, to, scale, from_image, halves ? GPUCODE_HALF_HIGH : GPUCODE_HALF_NONE);
    if (halves)
        add(looking, origin->low, to_section, to, scale, from_image, GPUCODE_HALF_LOW);
    return true;
}

/* --- what comes to a use --- */

static void found_code(void *user, const struct afuc_origin *origin)
{
    struct looking *looking = user;
    bool inside = origin->value >= looking->code->boot && origin->value < looking->code->units;
    bool is = inside && origin->value && !origin->added && origin->number == origin->value &&
              add_origin(looking, origin, looking->code->section, (uint32_t)origin->value, origin->value, false);
    looking->others |= !is || looking->target_count == TARGETS_MAX;
    if (is && looking->target_count < TARGETS_MAX)
        looking->targets[looking->target_count++] = (uint32_t)origin->value;
}

/* A number that is not the place that is wanted: it may have been, before code moved. */
static void miss(struct looking *looking, const struct afuc_origin *origin, unsigned to_section)
{
    unsigned scale = origin->value % 4 == 0 && origin->value ? scale_of(origin, origin->value / 4) : 0;
    if (scale && origin->low == GPUCODE_NONE && looking->missed_count < MISSED_MAX)
        looking->missed[looking->missed_count++] = (struct gpucode_code_constant){.kind = looking->kind,
                                                                                  .section = looking->code->section,
                                                                                  .at = origin->at,
                                                                                  .to_section = to_section,
                                                                                  .to = (uint32_t)(origin->value / 4),
                                                                                  .scale = scale};
}

static void found_table(void *user, const struct afuc_origin *origin)
{
    struct looking *looking = user;
    const struct gpucode_section *own = looking->code->place;
    bool is_own = own->table != GPUCODE_NONE && origin->value == 4 * (uint64_t)own->table;
    if (is_own)
        add_origin(looking, origin, looking->code->section, own->table, own->table, false);
    for (unsigned i = 0; !is_own && i < looking->info->section_count; i++) {
        const struct gpucode_section *other = &looking->info->sections[i];
        uint64_t place = (uint64_t)other->start + other->table;
        if (other->table != GPUCODE_NONE && origin->value == 4 * place &&
            add_origin(looking, origin, i, other->table, place, true))
            return;
    }
    if (!is_own)
        miss(looking, origin, GPUCODE_NONE);
}

static void found_section(void *user, const struct afuc_origin *origin)
{
    struct looking *looking = user;
    for (unsigned i = 1; i < looking->info->section_count; i++) {
        uint32_t start = looking->info->sections[i].start;
        bool wanted = looking->to_section == GPUCODE_NONE || looking->to_section == i;
        if (start && wanted && origin->value == 4 * (uint64_t)start && add_origin(looking, origin, i, 0, start, true))
            return;
    }
    miss(looking, origin, looking->to_section);
}

/* --- uses --- */

/* Are entries of the packet table written after the unit? */
static bool uploads(const struct looking *looking, uint32_t unit)
{
    for (uint32_t at = unit; at < looking->code->units && at - unit < UPLOAD_WORDS; at++) {
        const struct afuc_op *op = &looking->facts->ops[at];
        if (op->row == AFUC_CWRITE && afuc_is_insn(op) && op->imm == looking->table_write && op->a == REG_MEMDATA)
            return true;
    }
    return false;
}

/* Is it a register for the address of a section? Sets which section that is. */
static bool is_section_base(struct looking *looking, uint32_t number)
{
    char name[GPUCODE_NAME_MAX];
    *isa_name_of(looking->names, NULL, GPUCODE_SPACE_CONTROL, number, name) = 0;
    char *end = strstr(name, "_INSTR_BASE");
    looking->to_section = GPUCODE_NONE;
    if (!end || end[11])
        return false;
    *end = 0;
    for (unsigned i = 0; i < looking->info->section_count; i++)
        if (strcmp(looking->info->sections[i].name, name) == 0)
            looking->to_section = i;
    return true;
}

typedef void finder(void *user, const struct afuc_origin *origin);

static finder *use_of_control(struct looking *looking, uint32_t unit, uint32_t number)
{
    if (number == UINT32_MAX)
        return NULL;
    if (number == looking->table_write || number == looking->interrupt) {
        looking->kind = number == looking->interrupt ? GPUCODE_CONSTANT_INTERRUPT : GPUCODE_CONSTANT_CODE;
        return found_code;
    }
    if (number == looking->read_address && uploads(looking, unit)) {
        looking->kind = GPUCODE_CONSTANT_PACKETS;
        return found_table;
    }
    if (is_section_base(looking, number)) {
        looking->kind = GPUCODE_CONSTANT_SECTION;
        return found_section;
    }
    return NULL;
}

/* What a unit does with a register that may hold a place; null: nothing. */
static finder *use_of(struct looking *looking, uint32_t unit, unsigned *reg)
{
    const struct afuc_op *op = &looking->facts->ops[unit];
    *reg = op->a;
    switch (op->row) {
    case AFUC_SWRITE:
        if (op->b)
            return NULL;
        looking->kind = op->imm == SQE_PREEMPT_INSTR ? GPUCODE_CONSTANT_INTERRUPT : GPUCODE_CONSTANT_CODE;
        return op->imm == SQE_PREEMPT_INSTR || (op->imm >= SQE_STACK && op->imm < SQE_COUNT) ? found_code : NULL;
    case AFUC_CWRITE:
        return op->b ? NULL : use_of_control(looking, unit, op->imm);
    case AFUC_JUMP_REG:
        *reg = op->b;
        looking->kind = GPUCODE_CONSTANT_CODE;
        return found_code;
    case AFUC_JUMPD:
    case AFUC_JUMPD2:
        looking->kind = GPUCODE_CONSTANT_CODE;
        return found_code;
    default:
        return NULL;
    }
}

/* --- headers --- */

static bool says(const char *source, const char *words)
{
    return source && strncmp(source, words, strlen(words)) == 0;
}

/* `mov`s of the header, and the words of the whole image. */
static void look_at_header(struct looking *looking)
{
    const struct gpucode_image_info *info = looking->info;
    const struct gpucode_section *own = looking->code->place, *next = own + 1;
    bool has_next = looking->code->section + 1 < info->section_count;
    for (uint32_t i = 1; i < HEADER_WORDS && i < looking->code->units; i++) {
        const struct afuc_op *op = &looking->facts->ops[i];
        bool moves = afuc_is_insn(op) && afuc_is_move(op->row) && !op->shift;
        looking->kind = GPUCODE_CONSTANT_PACKETS;
        if (moves && op->d == 0x12 && op->imm == own->table && says(own->table_source, "mov"))
            add(looking, i, looking->code->section, own->table, 1, false, GPUCODE_HALF_NONE);
        looking->kind = GPUCODE_CONSTANT_SECTION;
        if (moves && op->d == 0x13 && has_next && op->imm == next->start && says(next->start_source, "mov"))
            add(looking, i, looking->code->section + 1, 0, 1, true, GPUCODE_HALF_NONE);
    }
    const struct gpucode_section *last = &info->sections[info->section_count - 1];
    looking->kind = GPUCODE_CONSTANT_END;
    uint32_t end = last->start + last->size;
    bool first = looking->code->section == 0 && looking->code->boot > 1 && info->section_count > 1;
    uint32_t total = looking->code->units > 1 ? afuc_facts_word(looking->facts, 1) : 0;
    if (!first || end != info->units || end > 0xffffff || total >> 24 != 1)
        return;
    const struct gpucode_code_constant other = {.kind = GPUCODE_CONSTANT_END,
                                                .section = 0,
                                                .at = 1,
                                                .to_section = info->section_count - 1,
                                                .to = total & 0xffffff,
                                                .scale = 1,
                                                .from_image = true};
    if (other.to == end)
        add(looking, 1, info->section_count - 1, last->size, 1, true, GPUCODE_HALF_NONE);
    else
        looking->out->stale(looking->out->user, &other);
}

/* --- all --- */

static int compare_place(const void *key, const void *table)
{
    uint32_t unit = *(const uint32_t *)key, at = ((const struct analysis_table *)table)->at;
    return (unit > at) - (unit < at);
}

static bool has_table(const struct analysis_code *code, uint32_t unit)
{
    return code->table_count && bsearch(&unit, code->tables, code->table_count, sizeof *code->tables, compare_place);
}

/*
 * Does the use hang on a number that was not found? What is restored to the stack was saved there; a packet table's
 * entries come from the table, jumps that are followed otherwise need none, and firmware finds its tables and sections
 * by what headers say when it runs.
 */
static bool is_lost(const struct looking *looking, uint32_t unit, finder *find)
{
    const struct afuc_op *op = &looking->facts->ops[unit];
    if (find != found_code || (op->row == AFUC_SWRITE && op->imm != SQE_PREEMPT_INSTR) ||
        (op->row == AFUC_CWRITE && op->imm == looking->table_write))
        return false;
    const struct analysis_word *word = &looking->code->words[unit];
    if (word->kind == ANALYSIS_RETURN)
        return false;
    return word->kind != ANALYSIS_INDIRECT || !has_table(looking->code, unit);
}

static void look_for(struct looking *looking, struct afuc_origins *origins, uint32_t piece, uint32_t unit)
{
    unsigned reg;
    finder *find = use_of(looking, unit, &reg);
    if (!find)
        return;
    looking->matched = looking->others = false;
    looking->missed_count = looking->target_count = 0;
    bool all = afuc_origins_each(origins, piece, unit, reg, find, looking);
    bool jumps = looking->code->words[unit].kind == ANALYSIS_INDIRECT && !has_table(looking->code, unit);
    for (unsigned i = 0; i < looking->target_count && jumps; i++)
        looking->out->jump(
            looking->out->user,
            &(struct analysis_jump){{looking->code->section, unit, looking->targets[i]}, all && !looking->others});
    if (!all && is_lost(looking, unit, find))
        looking->out->lost(looking->out->user,
                           &(struct gpucode_lost_place){looking->kind, looking->code->section, unit});
    for (unsigned i = 0; i < looking->missed_count && !looking->matched; i++)
        looking->out->stale(looking->out->user, &looking->missed[i]);
}

bool afuc_constants(struct gpucode_analysis *analysis, struct analysis_code *code, const struct isa_constants *out)
{
    struct looking looking = {.facts = code->facts, .code = code, .names = analysis->target->names, .out = out};
    struct afuc_origins origins;
    looking.info = &analysis->layout->info;
    looking.table_write = number_of(&looking, GPUCODE_SPACE_CONTROL, "PACKET_TABLE_WRITE");
    looking.read_address = number_of(&looking, GPUCODE_SPACE_CONTROL, "MEM_READ_ADDR");
    looking.interrupt = number_of(&looking, GPUCODE_SPACE_CONTROL, "PREEMPT_INSTR");
    look_at_header(&looking);
    bool good = afuc_origins_begin(&origins, code->facts, code);
    for (uint32_t i = 0; good && i < code->piece_count; i++)
        for (uint32_t unit = code->pieces[i].start; unit < code->pieces[i].end; unit++)
            look_for(&looking, &origins, i, unit);
    afuc_origins_end(&origins);
    return good;
}
