/* SPDX-License-Identifier: MIT */
/* Making a machine: policies, registers found by name, sections decoded, boot values. */
#include "isa/afuc/machine/exec.h"

#include <stdlib.h>
#include <string.h>

const struct gpucode_policy afuc_policies[] = {
    {"afuc-bfi", "replace|or", "replace",
     "Whether bfi clears the field that it writes to. Firmware uses it on registers with old contents, which makes "
     "sense only if it "
     "does; the reference emulator only ORs."},
    {"afuc-shift", "modulo|zero", "modulo",
     "Shifts by 32 and more: by the low five bits of the count, as the reference was seen to do, or so that nothing is "
     "left "
     "(ishr: only the sign). rot always counts modulo 32."},
    {"afuc-delay", "fault|reference", "fault",
     "A taken branch in the delay slot of a taken branch, which the manual forbids: a fault, or what the reference "
     "does (one "
     "instruction at the first target, then the second target)."},
    {"afuc-range", "fault|wrap", "fault",
     "Numbers behind the end of the control or SQE registers: a fault, or counted from the start again."},
    {"afuc-zero", "nop|fault", "nop",
     "Words with a zero top byte on a6xx and later, where nop has 01: the top five bits say nop; the manual supposes "
     "that the "
     "processor stops."},
    {"afuc-parity", "check|ignore", "check", "Whether a header with wrong parity bits is a fault."},
    {"afuc-ib-return", "hardware|firmware", "hardware",
     "Who lowers IB_LEVEL when a buffer is used up: hardware, when waitin finds the level empty, or nobody but the "
     "firmware."},
    {"afuc-ib-levels", "ib3-sds|sds-ib3", "ib3-sds",
     "What IB_LEVEL 3 and 4 mean on a7xx and later: IB3 and draw state, or the other way round. On a6xx 3 is draw "
     "state."},
    {"afuc-unaligned", "fault|align", "fault",
     "Memory addresses that are no multiple of 4: a fault, or the low two bits are ignored."},
    {"afuc-setsecure", "success|failure", "success",
     "Whether setsecure succeeds and skips two instructions. The secure shader itself is not modelled."},
    {"afuc-rem", "stay|wrap", "stay",
     "Reading $data while $rem is 0: $rem stays 0, or becomes 0xffffffff as in the reference."},
    {"afuc-peek", "zero|wait", "zero", "(peek) at $data with nothing in the queue: gives 0, or waits."},
    {"afuc-preempt", "enter|ignore", "enter",
     "PREEMPT_TRIGGER bit 0 set when waitin runs: control goes to %PREEMPT_INSTR and iret comes back to the waitin; or "
     "nothing "
     "happens."},
    {"afuc-coprocessors", "run|stub", "run",
     "Starting BV, LPAC or DDE: their code runs, or THREAD_SYNC is changed as their boot would (what happens in any "
     "case for a "
     "section that the image does not have)."},
    {"afuc-processor", "all|BR|BV|LPAC|DDE", "all",
     "Which processor gpucode_machine_run() runs: all that were started (the first section's is from the beginning), "
     "or one alone, "
     "started at once."},
    {"afuc-quantum", "NUMBER", "100",
     "Instructions that a processor runs before the next one has its turn; at least 1."},
    {"afuc-memory", "NUMBER", "8",
     "GiB of memory from address 0 on that are there without being mapped, filled with zeros. All other memory must be "
     "mapped by "
     "the host or is a fault to touch."},
    {"afuc-base", "NUMBER", "0x1000", "Where in memory the image lies."},
    {"afuc-answer", "TEXT", "",
     "NAME=VALUE or @NAME=VALUE: reads of that GPU or control register always give the value, to end loops that wait "
     "for hardware. May "
     "be given any number of times; registers also go by number."},
    {NULL, NULL, NULL, NULL},
};

size_t afuc_measure(const struct machine_core *core, const struct gpucode_setting *settings)
{
    (void)settings;
    unsigned count = core->layout->info.section_count;
    count = count < PROCESSORS_MAX ? count : PROCESSORS_MAX;
    return sizeof(struct afuc_machine) + count * sizeof(struct afuc_processor);
}

/* --- names ------------------------------------------------------------------------------------------------- */

static uint32_t find(const struct machine_core *core, enum gpucode_space space, const char *name, uint32_t missing)
{
    uint32_t number;
    return isa_number_of(core->target->names, NULL, space, name, strlen(name), &number) ? number : missing;
}

static void find_registers(struct machine_core *core, struct afuc_setup *setup)
{
    static const char *const control_names[] = {
        NULL,
#define CONTROL(id, name, doc) name,
#include "isa/afuc/machine/control.def"
#undef CONTROL
    };
    static const char *const gpu_names[][2] = {
#define GPU(id, name, other) {name, other},
        AFUC_GPU_REGISTERS(GPU)
#undef GPU
    };
    setup->control[CONTROL_PLAIN] = CONTROL_NONE;
    for (unsigned i = 1; i < CONTROL_BEHAVIOURS; i++) {
        uint32_t number = find(core, GPUCODE_SPACE_CONTROL, control_names[i], CONTROL_NONE);
        setup->control[i] = (uint16_t)(number < CONTROL_COUNT ? number : CONTROL_NONE);
        if (number < CONTROL_COUNT)
            setup->behaviour[number] = (uint8_t)i;
    }
    for (unsigned i = 0; i < GPU_REGISTERS; i++)
        for (unsigned k = 0; k < 2; k++)
            if (gpu_names[i][k] && (!k || setup->gpu[i] == GPU_NONE))
                setup->gpu[i] = find(core, GPUCODE_SPACE_GPU, gpu_names[i][k], GPU_NONE);
    for (unsigned i = 1; i < PIPE_COUNT; i++)
        setup->is_void[i] = isa_name_is_void(core->target->names, i);
    setup->pipe_nrt_addr = (uint8_t)find(core, GPUCODE_SPACE_PIPE, "NRT_ADDR", 0);
    setup->pipe_nrt_data = (uint8_t)find(core, GPUCODE_SPACE_PIPE, "NRT_DATA", 0);
    setup->pipe_wfi_decr = (uint8_t)find(core, GPUCODE_SPACE_PIPE, "WFI_PEND_DECR", 0);
    setup->pipe_query_decr = (uint8_t)find(core, GPUCODE_SPACE_PIPE, "QUERY_PEND_DECR", 0);
    setup->packet4 = (uint8_t)(find(core, GPUCODE_SPACE_PACKET, "PKT4", 4) & (TABLE_COUNT - 1));
}

/* --- policies ------------------------------------------------------------------------------------------------ */

static bool read_answer(struct machine_core *core, const char *text, struct afuc_answer *answer)
{
    const char *equals = strchr(text, '=');
    answer->gpu = *text != '@';
    const char *name = answer->gpu ? text : text + 1;
    if (!equals || equals == name || !equals[1])
        return false;
    char *end;
    answer->value = (uint32_t)strtoul(equals + 1, &end, 0);
    if (*end)
        return false;
    uint32_t count = answer->gpu ? GPU_COUNT : CONTROL_COUNT;
    if (*name >= '0' && *name <= '9') {
        answer->number = (uint32_t)strtoul(name, &end, 0);
        return end == equals && answer->number < count;
    }
    return isa_number_of(core->target->names, core->names, answer->gpu ? GPUCODE_SPACE_GPU : GPUCODE_SPACE_CONTROL,
                         name, (size_t)(equals - name), &answer->number) &&
           answer->number < count;
}

static enum gpucode_status read_answers(struct machine_core *core, struct afuc_setup *setup,
                                        const struct gpucode_setting *settings)
{
    unsigned count = 0;
    for (const struct gpucode_setting *s = settings; s && s->name; s++)
        count += strcmp(s->name, "afuc-answer") == 0;
    setup->answers = arena_array(&core->arena, count + 1, sizeof *setup->answers);
    if (!setup->answers)
        return GPUCODE_ERROR_MEMORY;
    for (const struct gpucode_setting *s = settings; s && s->name; s++) {
        if (strcmp(s->name, "afuc-answer") != 0)
            continue;
        if (!read_answer(core, s->value, &setup->answers[setup->answer_count++])) {
            report(&core->on_diagnostic, NULL, MSG_AFUC_ANSWER, NULL, s->value);
            return GPUCODE_ERROR_INPUT;
        }
    }
    return GPUCODE_OK;
}

static enum gpucode_status read_policies(struct machine_core *core, struct afuc_setup *setup,
                                         const struct gpucode_setting *settings)
{
#define CHOICE(name) isa_policy_choice(afuc_policies, settings, name)
    setup->bfi_or = CHOICE("afuc-bfi");
    setup->shift_zero = CHOICE("afuc-shift");
    setup->delay_reference = CHOICE("afuc-delay");
    setup->range_wraps = CHOICE("afuc-range");
    setup->zero_faults = CHOICE("afuc-zero");
    setup->parity_ignored = CHOICE("afuc-parity");
    setup->level_firmware = CHOICE("afuc-ib-return");
    setup->align_down = CHOICE("afuc-unaligned");
    setup->secure_fails = CHOICE("afuc-setsecure");
    setup->rem_wraps = CHOICE("afuc-rem");
    setup->peek_waits = CHOICE("afuc-peek");
    setup->preempt_enters = !CHOICE("afuc-preempt");
    setup->stub_processors = CHOICE("afuc-coprocessors");
    for (unsigned i = 0; i < 8; i++)
        setup->level_queue[i] = QUEUE_NONE;
    setup->level_queue[0] = QUEUE_RB;
    setup->level_queue[1] = QUEUE_IB1;
    setup->level_queue[2] = QUEUE_IB2;
    bool late = CHOICE("afuc-ib-levels");
    if (setup->generation <= AFUC_A6XX) {
        setup->level_queue[3] = QUEUE_SDS;
    } else {
        setup->level_queue[3] = late ? QUEUE_SDS : QUEUE_IB3;
        setup->level_queue[4] = late ? QUEUE_IB3 : QUEUE_SDS;
    }
#undef CHOICE
    setup->quantum = isa_policy_number(afuc_policies, settings, "afuc-quantum");
    if (!setup->quantum)
        setup->quantum = 1;
    setup->base = isa_policy_number(afuc_policies, settings, "afuc-base") & ~UINT64_C(3);
    uint64_t memory = isa_policy_number(afuc_policies, settings, "afuc-memory");
    core->memory.lazy_end = memory >> 34 ? UINT64_MAX : memory << 30;
    return read_answers(core, setup, settings);
}

/* --- instructions ---------------------------------------------------------------------------------------------- */

static void set_operand(struct afuc_op *op, char letter, uint32_t value)
{
    switch (letter) {
    case 'r':
        op->flags |= value ? OP_REP : 0;
        break;
    case 'p':
        op->flags |= value ? OP_PEEK : 0;
        break;
    case 'w':
        op->flags |= value ? OP_PREINCREMENT : 0;
        break;
    case 'u':
        op->flags |= value ? OP_UNKNOWN_BITS : 0;
        break;
    case 'x':
    case 'k':
        op->flags |= (uint8_t)(value << OP_COUNT_SHIFT);
        break;
    case 's':
        op->a = (uint8_t)value;
        break;
    case 't':
    case 'o':
        op->b = (uint8_t)value;
        break;
    case 'd':
        op->d = (uint8_t)(value ? value : REG_NOWHERE);
        break;
    case 'h':
    case 'L':
    case 'e':
        op->shift = (uint8_t)value;
        break;
    case 'b': /* a bit number is the immediate of an ALU instruction, and beside the target of a branch */
        op->shift = (uint8_t)value;
        op->imm = value;
        break;
    case 'a':
    case 'f':
    case 'g':
    case 'z':
        break; /* targets: see below */
    default:
        op->imm = value;
        break;
    }
}

/* Is the row's action a line in insn.def? */
static bool is_action(unsigned row)
{
    return afuc_rows.rows[row].facts.action[0] == '{';
}

struct afuc_op afuc_decode(const struct afuc_setup *setup, const struct gpucode_target *target, uint32_t word,
                           uint32_t address)
{
    struct afuc_op op = {.d = REG_NOWHERE, .action = ACTION_UNKNOWN};
    int row = isa_decode_row(&afuc_rows, setup->generation, word);
    bool is_nop = word >> 27 == 0 && (word >> 24 || setup->generation == AFUC_A5XX || !setup->zero_faults);
    if (row < 0 && is_nop) { /* the low 24 bits of a nop are not looked at (AFUC manual, NOPs) */
        row = setup->generation == AFUC_A5XX ? AFUC_NOP_A5XX : AFUC_NOP;
        op.flags = word >> 26 & 1 ? OP_REP : 0;
    }
    if (row >= 0) {
        op.row = (uint8_t)row;
        op.action = op.row;
        const struct isa_row *facts = &afuc_rows.rows[row];
        for (unsigned i = 0; i < facts->field_count; i++)
            set_operand(&op, facts->fields[i].letter, (uint32_t)isa_field_get(&facts->fields[i], word));
        if (op.flags & OP_REP && op.d == REG_REM)
            op.d = REG_NOWHERE; /* the count is noted before and stored back after each repetition (AFUC notes, rep) */
        const struct gpucode_insn insn = {target, word, address, (uint16_t)row, 4, true};
        struct gpucode_flow flow;
        if (gpucode_insn_flow(&insn, &flow) && flow.known)
            op.imm = (uint32_t)flow.target;
        bool special = op.a >= REG_FIRST_SPECIAL || op.b >= REG_FIRST_SPECIAL ||
                       (op.d >= REG_FIRST_SPECIAL && op.d != REG_NOWHERE);
        if (is_action((unsigned)row) && (op.flags || special))
            op.action = ACTION_SLOW;
    }
    op.real = op.action;
    return op;
}

static bool decode_section(struct machine_core *core, const struct afuc_setup *setup, struct afuc_processor *p)
{
    const struct gpucode_section *section = &core->layout->info.sections[p->section];
    const unsigned char *bytes = core->layout->bytes + core->layout->info.prefix + 4 * (size_t)section->start;
    struct afuc_op *code = arena_array(&core->arena, (size_t)section->size + 2, sizeof *code);
    p->cover = arena_alloc(&core->arena, (size_t)section->size + 1);
    if (!code || !p->cover)
        return false;
    for (uint32_t i = 0; i < section->size; i++)
        code[i] = afuc_decode(setup, core->target, page_word(bytes + 4 * (size_t)i), i);
    code[section->size] = code[section->size + 1] =
        (struct afuc_op){.action = ACTION_END, .real = ACTION_END, .d = REG_NOWHERE};
    p->code = code;
    p->words = section->size;
    return true;
}

/* --- boot values (AFUC notes, initial state) ------------------------------------------------------------------------
 */

static void preset(struct afuc_machine *m, struct afuc_processor *p)
{
    const struct gpucode_target *target = m->core->target;
    const struct afuc_chip *chip = target->chip;
    const struct afuc_setup *setup = m->setup;
    uint32_t strap = chip ? chip->strap : target->generation == AFUC_A7XX ? 7 : 0;
    p->control[0] = strap << 28;
    if (chip && chip->preset)
        p->control[chip->preset] = chip->preset_value;
    else if (!chip && target->generation == AFUC_A7XX)
        p->control[target->names == &afuc_names_a7xx_gen3 ? 0x002 : 0xef] =
            target->names == &afuc_names_a7xx_gen3 ? UINT32_C(0x40) << 8 : UINT32_C(1) << 21;
    if (!p->index)
        return;
    /* where a section that is not the first finds its own address */
    uint64_t base = setup->base + 4 * (uint64_t)m->core->layout->info.sections[p->section].start;
    static const struct {
        const char *name;
        enum afuc_control base;
    } homes[] = {{"BV", CONTROL_BV_INSTR_BASE},
                 {"LPAC", CONTROL_LPAC_INSTR_BASE},
                 {"DDE", CONTROL_DDE_BR_INSTR_BASE},
                 {"DDE", CONTROL_DDE_BV_INSTR_BASE}};
    for (unsigned i = 0; i < sizeof homes / sizeof *homes; i++) {
        uint32_t number = setup->control[homes[i].base];
        if (strcmp(homes[i].name, p->name) == 0 && number < CONTROL_COUNT) {
            p->control[number] = (uint32_t)base;
            p->control[number + 1] = (uint32_t)(base >> 32);
        }
    }
    if (target->generation == AFUC_GEN8)
        p->control[0x230] |= UINT32_C(1) << 31;
}

/* A section that is run alone finds what its starter would have left. */
static void preset_alone(struct afuc_machine *m, struct afuc_processor *p)
{
    const struct afuc_setup *setup = m->setup;
    uint64_t base = setup->base + 4 * (uint64_t)m->core->layout->info.sections[p->section].start;
    if (strcmp(p->name, "LPAC") == 0 && setup->generation == AFUC_A6XX && setup->gpu[GPU_LPAC_INSTR_BASE] != GPU_NONE) {
        pages_write(&m->core->files, afuc_gpu_place(setup->gpu[GPU_LPAC_INSTR_BASE]), (uint32_t)base);
        pages_write(&m->core->files, afuc_gpu_place(setup->gpu[GPU_LPAC_INSTR_BASE] + 1), (uint32_t)(base >> 32));
        uint32_t sync = setup->control[CONTROL_THREAD_SYNC];
        if (sync >= SHARED_FIRST && sync < setup->shared_end)
            m->shared[sync - SHARED_FIRST] = 1;
    }
}

enum gpucode_status afuc_create(struct machine_core *core, void *state, const struct gpucode_setting *settings)
{
    struct afuc_machine *m = state;
    struct afuc_setup *setup = arena_alloc(&core->arena, sizeof *setup);
    if (!setup)
        return GPUCODE_ERROR_MEMORY;
    m->core = core;
    m->setup = setup;
    setup->generation = core->target->generation;
    setup->shared_end = SHARED_FIRST + (setup->generation == AFUC_A5XX   ? 0
                                        : setup->generation == AFUC_A6XX ? 0x80
                                                                         : 0x100);
    find_registers(core, setup);
    enum gpucode_status status = read_policies(core, setup, settings);
    if (status != GPUCODE_OK)
        return status;
    core->files.lazy_end = afuc_gpu_place(GPU_COUNT);

    const struct gpucode_image_info *info = &core->layout->info;
    size_t size = core->layout->size - info->prefix;
    if (!pages_store(&core->memory, setup->base, core->layout->bytes + info->prefix, size))
        return GPUCODE_ERROR_MEMORY;
    if (setup->gpu[GPU_SQE_INSTR_BASE] != GPU_NONE) {
        pages_write(&core->files, afuc_gpu_place(setup->gpu[GPU_SQE_INSTR_BASE]), (uint32_t)setup->base);
        pages_write(&core->files, afuc_gpu_place(setup->gpu[GPU_SQE_INSTR_BASE] + 1), (uint32_t)(setup->base >> 32));
    }
    m->processor_count = info->section_count < PROCESSORS_MAX ? info->section_count : PROCESSORS_MAX;
    if (!m->processor_count) {
        report(&core->on_diagnostic, NULL, MSG_AFUC_NO_CODE, NULL);
        return GPUCODE_ERROR_INPUT;
    }
    const char *only = isa_policy(afuc_policies, settings, "afuc-processor");
    setup->only = -1;
    for (unsigned i = 0; i < m->processor_count; i++) {
        struct afuc_processor *p = &m->processors[i];
        p->index = (uint8_t)i;
        p->section = (uint8_t)i;
        p->name = info->sections[i].name;
        p->next = 1;
        p->watch_at = WATCH_FIRST;
        if (!decode_section(core, setup, p))
            return GPUCODE_ERROR_MEMORY;
        preset(m, p);
        if (strcmp(only, p->name) == 0)
            setup->only = (int)i;
        if (setup->generation == AFUC_A5XX &&
            info->sections[i].table != GPUCODE_NONE) { /* hardware reads the table itself */
            uint32_t handler;
            for (unsigned entry = 0; entry < TABLE_COUNT; entry++)
                if (afuc_handler(core->layout, i, entry, &handler))
                    p->table[entry] = handler;
            p->table_set = true;
        }
    }
    if (setup->only < 0 && strcmp(only, "all") != 0 && m->processor_count > 1) {
        report(&core->on_diagnostic, NULL, MSG_AFUC_NO_PROCESSOR, NULL, only);
        return GPUCODE_ERROR_INPUT;
    }
    m->processors[setup->only > 0 ? setup->only : 0].started = true;
    if (setup->only > 0) {
        preset_alone(m, &m->processors[setup->only]);
        m->turn = (unsigned)setup->only;
    }
    return GPUCODE_OK;
}
