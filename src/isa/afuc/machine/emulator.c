/* SPDX-License-Identifier: MIT */
/* The AFUC machine's plug into the machine room: processors and registers as the host sees them. */
#include "base/text.h"
#include "isa/afuc/machine/block.h"
#include "isa/afuc/machine/exec.h"

#include <string.h>

/* --- processors -------------------------------------------------------------------------------------------------- */

static const char *processor_name(const void *state, unsigned index)
{
    const struct afuc_machine *m = state;
    return index < m->processor_count ? m->processors[index].name : NULL;
}

static unsigned processor_section(const void *state, unsigned processor)
{
    return ((const struct afuc_machine *)state)->processors[processor].section;
}

static uint64_t processor_pc(const void *state, unsigned processor)
{
    return ((const struct afuc_machine *)state)->processors[processor].pc;
}

static bool set_pc(void *state, unsigned processor, uint64_t pc)
{
    struct afuc_processor *p = &((struct afuc_machine *)state)->processors[processor];
    if (pc >= p->words)
        return false;
    p->pc = (uint32_t)pc;
    p->next = p->pc + 1;
    p->lost = 0;
    p->waiting = p->header_pending = p->broke = p->spinning = p->repeating = p->resumed = false;
    p->watch_left = 0;
    return true;
}

static bool set_break(struct machine_core *core, void *state, unsigned processor, uint64_t pc, bool on)
{
    struct afuc_processor *p = &((struct afuc_machine *)state)->processors[processor];
    (void)core;
    if (pc >= p->words)
        return false;
    afuc_decode_now(state, p, &p->code[pc]);
    struct afuc_op *op = (struct afuc_op *)&p->code[pc]; /* the arena's; constant for the run loop only */
    op->action = on ? ACTION_BREAK : op->real;
    afuc_forget_blocks(p, (uint32_t)pc);
    return true;
}

static uint8_t *coverage_map(const void *state, unsigned processor, size_t *units)
{
    const struct afuc_processor *p = &((const struct afuc_machine *)state)->processors[processor];
    *units = p->words;
    return p->cover;
}

static bool feed_words(struct machine_core *core, void *state, unsigned processor, const uint32_t *words, size_t count)
{
    struct afuc_machine *m = state;
    (void)core;
    return afuc_queue_feed(m, &m->processors[processor], words, count);
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

static bool is_shared(const struct afuc_machine *m, uint32_t number)
{
    return number >= SHARED_FIRST && number < m->setup->shared_end;
}

static bool read_register(const struct machine_core *core, const void *state, unsigned processor, unsigned space,
                          uint32_t number, uint32_t *value)
{
    const struct afuc_machine *m = state;
    const struct afuc_processor *p = &m->processors[processor];
    unsigned char bytes[4];
    switch (space) {
    case GPUCODE_SPACE_GENERAL:
        if (number >= 32)
            return false;
        *value = p->gpr[number];
        return true;
    case GPUCODE_SPACE_CONTROL:
        if (number >= CONTROL_COUNT)
            return false;
        *value = is_shared(m, number) ? m->shared[number - SHARED_FIRST] : p->control[number];
        return true;
    case GPUCODE_SPACE_SQE:
        if (number >= SQE_COUNT)
            return false;
        *value = p->sqe[number];
        return true;
    case GPUCODE_SPACE_PIPE:
        if (number >= PIPE_COUNT)
            return false;
        *value = p->pipe[number];
        return true;
    case GPUCODE_SPACE_GPU:
        if (number >= GPU_COUNT)
            return false;
        pages_load(&core->files, afuc_gpu_place(number), bytes, 4);
        *value = page_word(bytes);
        return true;
    case GPUCODE_SPACE_PACKET: /* the packet table as boot has filled it */
        if (number >= TABLE_COUNT || !p->table_set)
            return false;
        *value = p->table[number];
        return true;
    default:
        return false;
    }
}

static bool write_register(struct machine_core *core, void *state, unsigned processor, unsigned space, uint32_t number,
                           uint32_t value)
{
    struct afuc_machine *m = state;
    struct afuc_processor *p = &m->processors[processor];
    uint32_t old;
    bool fills = space == GPUCODE_SPACE_PACKET && number < TABLE_COUNT; /* there is none to be read before */
    if (!fills && !read_register(core, state, processor, space, number, &old))
        return false;
    switch (space) {
    case GPUCODE_SPACE_GENERAL:
        p->gpr[number] = number ? value : 0;
        if (number == REG_ADDR || number == REG_USRADDR)
            p->selected = (uint8_t)number;
        break;
    case GPUCODE_SPACE_CONTROL:
        if (is_shared(m, number))
            m->shared[number - SHARED_FIRST] = value;
        else
            afuc_control_set(p, number, value);
        break;
    case GPUCODE_SPACE_SQE:
        p->sqe[number] = value;
        break;
    case GPUCODE_SPACE_PIPE:
        p->pipe[number] = value;
        break;
    case GPUCODE_SPACE_GPU:
        if (!pages_write(&core->files, afuc_gpu_place(number), value))
            return false;
        break;
    case GPUCODE_SPACE_PACKET:
        p->table[number] = value;
        p->table_set = true;
        break;
    default:
        return false;
    }
    m->shared_hash += UINT64_C(0x9e3779b97f4a7c15); /* a processor found in an endless loop may get out */
    return true;
}

static bool space_info(const struct machine_core *core, unsigned space, struct gpucode_space_info *info)
{
    bool late = core->target->generation != AFUC_A5XX;
    switch (space) {
    case GPUCODE_SPACE_GENERAL:
        *info = (struct gpucode_space_info){"general", "$", 32};
        return true;
    case GPUCODE_SPACE_CONTROL:
        *info = (struct gpucode_space_info){"control", "@", CONTROL_COUNT};
        return true;
    case GPUCODE_SPACE_SQE:
        *info = (struct gpucode_space_info){late ? "SQE" : "stack", "%", SQE_COUNT}; /* a5xx: for the host alone */
        return true;
    case GPUCODE_SPACE_PIPE:
        *info = (struct gpucode_space_info){"pipe", "|", PIPE_COUNT};
        return true;
    case GPUCODE_SPACE_GPU:
        *info = (struct gpucode_space_info){"GPU", "", GPU_COUNT, .shared = true};
        return true;
    case GPUCODE_SPACE_PACKET:
        *info = (struct gpucode_space_info){"packet table", "", TABLE_COUNT};
        return true;
    default:
        return false;
    }
}

/* A number in the mark's space: "@0x54". */
static bool read_number(const char *text, size_t length, uint32_t count, uint32_t *number)
{
    uint64_t value;
    if (text_read_number(text, text + length, &value) != text + length || value >= count)
        return false;
    *number = (uint32_t)value;
    return true;
}

static bool find_general(const struct machine_core *core, const char *name, size_t length, uint32_t *number)
{
    for (unsigned i = 0x1a; i < 32; i++)
        if (strlen(afuc_destination_names[i]) == length && memcmp(afuc_destination_names[i], name, length) == 0) {
            *number = i;
            return true;
        }
    if (isa_number_of(NULL, core->names, GPUCODE_SPACE_GENERAL, name + 1, length - 1, number))
        return *number < 32;
    char text[5] = "0x";
    if (length != 3)
        return false;
    text[2] = name[1];
    text[3] = name[2];
    return read_number(text, 4, 32, number);
}

/* Where the call stack lies. Chips with SQE registers have names for it; the host's are for a5xx. */
static const char *const stack_names[SQE_COUNT] = {[SQE_SP] = "SP",
                                                   [SQE_STACK] = "STACK0",
                                                   [SQE_STACK + 1] = "STACK1",
                                                   [SQE_STACK + 2] = "STACK2",
                                                   [SQE_STACK + 3] = "STACK3",
                                                   [SQE_STACK + 4] = "STACK4",
                                                   [SQE_STACK + 5] = "STACK5",
                                                   [SQE_STACK + 6] = "STACK6",
                                                   [SQE_STACK + 7] = "STACK7"};

static bool find_stack(const char *name, size_t length, uint32_t *number)
{
    for (unsigned i = 0; i < SQE_COUNT; i++)
        if (stack_names[i] && strlen(stack_names[i]) == length && memcmp(stack_names[i], name, length) == 0) {
            *number = i;
            return true;
        }
    return false;
}

static bool find_register(const struct machine_core *core, const char *name, size_t length, unsigned *space,
                          uint32_t *number)
{
    static const char marks[] = "@%|";
    static const unsigned spaces[] = {GPUCODE_SPACE_CONTROL, GPUCODE_SPACE_SQE, GPUCODE_SPACE_PIPE};
    struct gpucode_space_info info;
    if (!length)
        return false;
    if (*name == '$') {
        *space = GPUCODE_SPACE_GENERAL;
        return find_general(core, name, length, number);
    }
    const char *mark = strchr(marks, *name);
    *space = mark ? spaces[mark - marks] : GPUCODE_SPACE_GPU;
    if (!space_info(core, *space, &info))
        return false;
    if (mark) {
        name++;
        length--;
    }
    if (*space == GPUCODE_SPACE_SQE && core->target->generation == AFUC_A5XX && find_stack(name, length, number))
        return true;
    return read_number(name, length, info.count, number) ||
           (isa_number_of(core->target->names, core->names, *space, name, length, number) && *number < info.count);
}

static size_t name_register(const struct machine_core *core, unsigned space, uint32_t number, char *text)
{
    struct gpucode_space_info info;
    if (!space_info(core, space, &info) || number >= info.count)
        return 0;
    static const char digits[] = "0123456789abcdef";
    char *at = text;
    if (space == GPUCODE_SPACE_GENERAL) {
        char *named = isa_name_of(NULL, core->names, GPUCODE_SPACE_GENERAL, number, at + 1);
        if (named > at + 1) {
            *at = '$';
            size_t length = (size_t)(named - at);
            return length < GPUCODE_NAME_MAX ? length : GPUCODE_NAME_MAX - 1;
        }
        if (afuc_destination_names[number][0]) {
            memcpy(at, afuc_destination_names[number], 9);
            return strlen(at);
        }
        at[0] = '$';
        at[1] = digits[number >> 4];
        at[2] = digits[number & 15];
        return 3;
    }
    if (*info.prefix)
        *at++ = *info.prefix;
    char name[GPUCODE_NAME_MAX];
    char *end = isa_name_of(core->target->names, core->names, space, number, name);
    size_t length = (size_t)(end - name);
    if (length >= GPUCODE_NAME_MAX - 1)
        length = GPUCODE_NAME_MAX - 2;
    memcpy(at, name, length);
    if (length)
        return (size_t)(at - text) + length;
    if (space == GPUCODE_SPACE_SQE && core->target->generation == AFUC_A5XX && stack_names[number])
        return (size_t)(text_string(at, stack_names[number]) - text);
    *at++ = '0';
    *at++ = 'x';
    for (int shift = 16; shift >= 0; shift -= 4)
        if (number >> shift || !shift)
            *at++ = digits[number >> shift & 15];
    return (size_t)(at - text);
}

static bool enter_level(struct machine_core *core, void *state, unsigned processor, unsigned level, uint64_t address,
                        uint32_t count)
{
    struct afuc_machine *m = state;
    (void)core;
    return afuc_queue_enter(m, &m->processors[processor], level, address, count);
}

/* --- snapshots --- */

static void mark(struct machine_core *core, void *state)
{
    struct afuc_machine *m = state;
    (void)core;
    for (unsigned i = 0; i < m->processor_count; i++)
        m->processors[i].control_changed = 0;
}

/* All but control registers that nobody has written: they are most of the state. */
static void put_back(struct machine_core *core, void *state, const void *from, size_t size)
{
    struct afuc_machine *m = state;
    const struct afuc_machine *old = from;
    (void)core;
    (void)size;
    memcpy(m, old, offsetof(struct afuc_machine, processors));
    for (unsigned i = 0; i < m->processor_count; i++) {
        struct afuc_processor *p = &m->processors[i];
        const struct afuc_processor *before = &old->processors[i];
        uint64_t blocks = p->control_changed;
        memcpy(p, before, offsetof(struct afuc_processor, control));
        for (; blocks; blocks &= blocks - 1) {
            size_t first = (size_t)__builtin_ctzll(blocks) * CONTROL_BLOCK;
            memcpy(p->control + first, before->control + first, CONTROL_BLOCK * sizeof *p->control);
        }
        memcpy(p->control + CONTROL_COUNT, before->control + CONTROL_COUNT,
               sizeof p->control - CONTROL_COUNT * sizeof *p->control);
    }
}

/* --- Calls and delay slots as debuggers ask for them -------------------------------------------------------------- */

static const struct afuc_processor *processor_of(const void *state, unsigned processor)
{
    return &((const struct afuc_machine *)state)->processors[processor];
}

/* The hardware's stack, and after it the link register, when bl or the program has put a place of code there. */
static bool frame_of(const struct machine_core *core, const void *state, unsigned processor, unsigned index,
                     struct gpucode_frame *frame)
{
    const struct afuc_processor *p = processor_of(state, processor);
    uint32_t depth = p->sqe[SQE_SP] <= STACK_DEPTH ? p->sqe[SQE_SP] : 0;
    (void)core;
    if (index < depth) {
        *frame = (struct gpucode_frame){p->sqe[SQE_STACK + depth - 1 - index], false};
        return true;
    }
    uint32_t link = p->gpr[REG_LR];
    *frame = (struct gpucode_frame){link, true};
    return index == depth && link && link < p->words;
}

static bool pending(const struct machine_core *core, const void *state, unsigned processor, uint64_t *target)
{
    const struct afuc_processor *p = processor_of(state, processor);
    (void)core;
    bool resumes = p->resumed && p->pc == p->return_pc;
    uint32_t next = resumes ? p->return_next : p->next;
    *target = p->waiting ? UINT64_MAX : next;
    return p->waiting || next != p->pc + 1;
}

const struct isa_machine afuc_machine = {
    .measure = afuc_measure,
    .policies = afuc_policies,
    .create = afuc_create,
    .run = afuc_run,
    .processor = processor_name,
    .section = processor_section,
    .pc = processor_pc,
    .set_pc = set_pc,
    .read = read_register,
    .write = write_register,
    .space = space_info,
    .find = find_register,
    .name = name_register,
    .feed = feed_words,
    .enter = enter_level,
    .packet = afuc_packet_header,
    .set_break = set_break,
    .covered = coverage_map,
    .frame = frame_of,
    .pending = pending,
    .has_accesses = true,
    .has_edges = true,
    .mark = mark,
    .put_back = put_back,
};
