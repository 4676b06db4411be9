/* SPDX-License-Identifier: MIT */
/* What is not documented of the machine, or documents contradict each other on, and what a host would set up. */
#include "isa/afuc/machine/exec.h"

#include "afuc_messages.h"
#include "base/text.h"

#include <string.h>

#define MEQ_LEAST 8 /* more words than an instruction writes, or takes at once */

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
     "Numbers past the end of the control or SQE registers: a fault, or counted from the start again."},
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
    {"afuc-draw-state", "draw|waitin|firmware", "draw",
     "Who runs the draw-state groups of a7xx and later, and when: hardware before the next packet that draws; hardware "
     "before the next packet; or nobody but the firmware, as on a6xx."},
    {"afuc-unaligned", "fault|align", "fault",
     "Memory addresses that are not multiples of 4: a fault, or the low two bits are ignored."},
    {"afuc-setsecure", "success|failure", "success",
     "Whether setsecure succeeds and skips two instructions. The secure shader itself is not modelled."},
    {"afuc-rem", "stay|wrap", "stay",
     "Reading $data while $rem is 0: $rem stays 0, or becomes 0xffffffff as in the reference."},
    {"afuc-increment", "reference|before|after", "reference",
     "What cwrite, swrite and store write whose source is the offset register that '!' steps: its value before the "
     "step "
     "for cwrite and swrite and the one after it for store, as in the reference; or before, or after, for all three. "
     "Before also means that the source is read first, which matters when reading it changes the offset register "
     "($data "
     "and $rem)."},
    {"afuc-sources", "first|second", "first",
     "Which of two sources is read first, which matters for $data beside $rem and for two queues. The reference leaves "
     "it to the compiler that it was built with."},
    {"afuc-peek", "zero|wait", "zero", "(peek) at $data with nothing in the queue: gives 0, or waits."},
    {"afuc-preempt", "enter|ignore", "enter",
     "PREEMPT_TRIGGER bit 0 set when waitin runs: control goes to %PREEMPT_INSTR and iret comes back to the waitin; or "
     "nothing "
     "happens."},
    {"afuc-coprocessors", "run|stub", "run",
     "Starting BV, LPAC or DDE: their code runs, or THREAD_SYNC is changed as their boot would (what happens in any "
     "case for a "
     "section that the image does not have)."},
    {"afuc-event-order", "last|first", "last",
     "EVENT_TS_ADDR, EVENT_TS_CTRL and EVENT_TS_DATA of what an event writes when it is done: written before its "
     "EVENT_CMD, or after it. The register database shows the registers and how many such writes an event has, not the "
     "order."},
    {"afuc-event-on-chip", "index|number|none", "index",
     "Where an event of a7xx and later writes whose EVENT_TS_CTRL says on-chip memory, which the manual has in the "
     "shared "
     "scratch of control registers: EVENT_TS_ADDR counts from its start, or is the number of a control register; or "
     "nothing is written."},
    {"afuc-meq", "data|unselected|none", "data",
     "Which words of the PFP of an a5xx go to the queue that the ME reads, in an image that has both: all that it "
     "writes to $data, as the manual has it write registers through @REG_WRITE alone; or those that it writes while "
     "$addr and $usraddr select nothing (0), so that it has register writes of the ME's kind too; or none: each runs "
     "with the packets that it is fed."},
    {"afuc-meq-words", "NUMBER", "64",
     "Words that this queue holds; at a full one the PFP waits. 64 is what drivers write to CP_MEQ_THRESHOLDS of an "
     "a530, which says in what order of magnitude it is. At least 8."},
    {"afuc-processor", "all|BR|BV|LPAC|DDE|PFP|PM4", "all",
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

static bool read_answer(struct machine_core *core, const char *text, struct afuc_answer *answer)
{
    const char *equals = strchr(text, '=');
    answer->gpu = *text != '@';
    const char *name = answer->gpu ? text : text + 1;
    if (!equals || equals == name || !equals[1])
        return false;
    const char *end = text + strlen(text);
    uint64_t value, number;
    if (text_read_number(equals + 1, end, &value) != end || value > UINT32_MAX)
        return false;
    answer->value = (uint32_t)value;
    uint32_t count = answer->gpu ? GPU_COUNT : CONTROL_COUNT;
    if (*name >= '0' && *name <= '9') {
        if (text_read_number(name, equals, &number) != equals || number >= count)
            return false;
        answer->number = (uint32_t)number;
        return true;
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

/* Reads the settings; an error: out of memory, or one that makes no sense (the diagnostic handler was told). */
static enum gpucode_status afuc_read_policies(struct machine_core *core, struct afuc_setup *setup,
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
    unsigned increment = CHOICE("afuc-increment");
    setup->cwrite_source_last = increment == 2;
    setup->store_source_first = increment == 1;
    setup->second_first = CHOICE("afuc-sources");
    setup->peek_waits = CHOICE("afuc-peek");
    setup->preempt_enters = !CHOICE("afuc-preempt");
    setup->stub_processors = CHOICE("afuc-coprocessors");
    setup->stamps_follow = CHOICE("afuc-event-order");
    setup->stamp_on_chip = (uint8_t)CHOICE("afuc-event-on-chip");
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
    unsigned groups = CHOICE("afuc-draw-state");
    setup->groups_at_waitin = groups == 1;
    setup->group_level = setup->generation <= AFUC_A6XX || groups == 2 ? 0 : late ? 3 : 4;
#undef CHOICE
    unsigned meq = isa_policy_choice(afuc_policies, settings, "afuc-meq");
    setup->meq = meq != 2;
    setup->meq_unselected = meq == 1;
    setup->meq_words = isa_policy_number(afuc_policies, settings, "afuc-meq-words");
    if (setup->meq_words < MEQ_LEAST)
        setup->meq_words = MEQ_LEAST;
    setup->quantum = isa_policy_number(afuc_policies, settings, "afuc-quantum");
    if (!setup->quantum)
        setup->quantum = 1;
    setup->base = isa_policy_number(afuc_policies, settings, "afuc-base") & ~UINT64_C(3);
    uint64_t memory = isa_policy_number(afuc_policies, settings, "afuc-memory");
    core->memory.lazy_end = memory >> 34 ? UINT64_MAX : memory << 30;
    return read_answers(core, setup, settings);
}

/* Making a machine: registers found by name, boot values, a processor for each section. */

size_t afuc_measure(const struct machine_core *core, const struct gpucode_setting *settings)
{
    (void)settings;
    unsigned count = core->layout->info.section_count;
    count = count < PROCESSORS_MAX ? count : PROCESSORS_MAX;
    return sizeof(struct afuc_machine) + count * sizeof(struct afuc_processor);
}

/* --- names ------------------------------------------------------------------------------------------------- */

static uint32_t number_named(const struct machine_core *core, enum gpucode_space space, const char *name,
                             uint32_t missing)
{
    uint32_t number;
    return isa_number_of(core->target->names, NULL, space, name, strlen(name), &number) ? number : missing;
}

static void find_registers(struct machine_core *core, struct afuc_setup *setup)
{
    static const char *const control_names[] = {
        NULL,
#define CONTROL(id, name, acts, doc) name,
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
        uint32_t number = number_named(core, GPUCODE_SPACE_CONTROL, control_names[i], CONTROL_NONE);
        setup->control[i] = (uint16_t)(number < CONTROL_COUNT ? number : CONTROL_NONE);
        if (number < CONTROL_COUNT)
            setup->behaviour[number] = (uint8_t)i;
    }
    for (unsigned i = 0; i < GPU_REGISTERS; i++)
        for (unsigned k = 0; k < 2; k++)
            if (gpu_names[i][k] && (!k || setup->gpu[i] == GPU_NONE))
                setup->gpu[i] = number_named(core, GPUCODE_SPACE_GPU, gpu_names[i][k], GPU_NONE);
    for (unsigned i = 1; i < PIPE_COUNT; i++)
        setup->is_void[i] = isa_name_is_void(core->target->names, i);
    setup->pipe_nrt_addr = (uint8_t)number_named(core, GPUCODE_SPACE_PIPE, "NRT_ADDR", 0);
    setup->pipe_nrt_data = (uint8_t)number_named(core, GPUCODE_SPACE_PIPE, "NRT_DATA", 0);
    setup->pipe_wfi_decr = (uint8_t)number_named(core, GPUCODE_SPACE_PIPE, "WFI_PEND_DECR", 0);
    setup->pipe_query_decr = (uint8_t)number_named(core, GPUCODE_SPACE_PIPE, "QUERY_PEND_DECR", 0);
    setup->pipe_stamp_address = (uint8_t)number_named(core, GPUCODE_SPACE_PIPE, "EVENT_TS_ADDR", 0);
    setup->pipe_stamp_control = (uint8_t)number_named(core, GPUCODE_SPACE_PIPE, "EVENT_TS_CTRL", 0);
    setup->pipe_stamp_data = (uint8_t)number_named(core, GPUCODE_SPACE_PIPE, "EVENT_TS_DATA", 0);
    if (setup->pipe_stamp_address && setup->pipe_stamp_control && setup->pipe_stamp_data)
        setup->pipe_event = (uint8_t)number_named(core, GPUCODE_SPACE_PIPE, "EVENT_CMD", 0);
    static const char *const draws[] = {"CP_DRAW_INDX",     "CP_DRAW_INDX_OFFSET",    "CP_DRAW_INDX_INDIRECT",
                                        "CP_DRAW_INDIRECT", "CP_DRAW_INDIRECT_MULTI", "CP_DRAW_AUTO"};
    for (unsigned i = 0; i < sizeof draws / sizeof *draws; i++) {
        uint32_t number = number_named(core, GPUCODE_SPACE_PACKET, draws[i], TABLE_COUNT);
        if (number < TABLE_COUNT)
            setup->is_draw[number] = true;
    }
    setup->packet4 = (uint8_t)(number_named(core, GPUCODE_SPACE_PACKET, "PKT4", 4) & (TABLE_COUNT - 1));
}

/* --- boot values (AFUC notes, initial state) ------------------------------------------------------------------ */

/* Bits 31:28 of control register 0. An a6xx image whose first section is BR is an a660's, whatever its id says. */
static uint32_t strap_of(const struct afuc_machine *m)
{
    const struct gpucode_target *target = m->core->target;
    const struct gpucode_image_info *info = &m->core->layout->info;
    const struct afuc_chip *chip = target->chip;
    bool a660 = target->generation == AFUC_A6XX && info->section_count && strcmp(info->sections[0].name, "BR") == 0;
    return a660 ? AFUC_STRAP_A660 : chip ? chip->strap : target->generation == AFUC_A7XX ? 7 : 0;
}

static void preset_registers(struct afuc_machine *m, struct afuc_processor *p)
{
    const struct gpucode_target *target = m->core->target;
    const struct afuc_chip *chip = target->chip;
    const struct afuc_setup *setup = m->setup;
    p->control[0] = strap_of(m) << 28;
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
static void preset_single(struct afuc_machine *m, struct afuc_processor *p)
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

/* The processor of section `index`; false: out of memory. */
static bool create_processor(struct afuc_machine *m, struct afuc_setup *setup, unsigned index)
{
    const struct isa_layout *layout = m->core->layout;
    const struct gpucode_section *section = &layout->info.sections[index];
    struct afuc_processor *p = &m->processors[index];
    p->index = (uint8_t)index;
    p->section = (uint8_t)index;
    p->name = section->name;
    p->next = 1;
    p->watch_at = WATCH_FIRST;
    if (!afuc_decode_section(m->core, p))
        return false;
    preset_registers(m, p);
    if (setup->generation == AFUC_A5XX && section->table != GPUCODE_NONE) { /* hardware reads the table itself */
        uint32_t handler;
        for (unsigned entry = 0; entry < TABLE_COUNT; entry++)
            if (afuc_handler(layout, index, entry, &handler))
                p->table[entry] = handler;
        p->table_set = true;
    }
    return true;
}

/* Puts the image into memory, and its address where firmware looks for it; false: out of memory. */
static bool store_image(struct machine_core *core, const struct afuc_setup *setup)
{
    size_t prefix = core->layout->info.prefix;
    if (!pages_store(&core->memory, setup->base, core->layout->bytes + prefix, core->layout->size - prefix))
        return false;
    uint32_t number = setup->gpu[GPU_SQE_INSTR_BASE];
    return number == GPU_NONE || (pages_write(&core->files, afuc_gpu_place(number), (uint32_t)setup->base) &&
                                  pages_write(&core->files, afuc_gpu_place(number + 1), (uint32_t)(setup->base >> 32)));
}

/* A processor for each section. */
static enum gpucode_status create_processors(struct afuc_machine *m, struct afuc_setup *setup, const char *only)
{
    unsigned sections = m->core->layout->info.section_count;
    m->processor_count = sections < PROCESSORS_MAX ? sections : PROCESSORS_MAX;
    if (!m->processor_count) {
        report(&m->core->on_diagnostic, NULL, MSG_AFUC_NO_CODE, NULL);
        return GPUCODE_ERROR_INPUT;
    }
    setup->only = -1;
    for (unsigned i = 0; i < m->processor_count; i++) {
        if (!create_processor(m, setup, i))
            return GPUCODE_ERROR_MEMORY;
        if (strcmp(only, m->processors[i].name) == 0)
            setup->only = (int)i;
    }
    if (setup->only < 0 && strcmp(only, "all") != 0 && m->processor_count > 1) {
        report(&m->core->on_diagnostic, NULL, MSG_AFUC_NO_PROCESSOR, NULL, only);
        return GPUCODE_ERROR_INPUT;
    }
    return GPUCODE_OK;
}

enum gpucode_status afuc_create(struct machine_core *core, void *state, const struct gpucode_setting *settings)
{
    static const uint16_t shared[] = {[AFUC_A5XX] = 0, [AFUC_A6XX] = 0x80, [AFUC_A7XX] = 0x100, [AFUC_GEN8] = 0x100};
    struct afuc_machine *m = state;
    struct afuc_setup *setup = arena_alloc(&core->arena, sizeof *setup);
    if (!setup)
        return GPUCODE_ERROR_MEMORY;
    m->core = core;
    m->setup = setup;
    setup->generation = core->target->generation;
    setup->shared_end = SHARED_FIRST + shared[setup->generation];
    find_registers(core, setup);
    enum gpucode_status status = afuc_read_policies(core, setup, settings);
    if (status != GPUCODE_OK)
        return status;
    afuc_find_plain(setup);
    core->files.lazy_end = afuc_gpu_place(GPU_COUNT);
    if (!store_image(core, setup))
        return GPUCODE_ERROR_MEMORY;
    status = create_processors(m, setup, isa_policy(afuc_policies, settings, "afuc-processor"));
    if (status != GPUCODE_OK)
        return status;
    m->turn = setup->only > 0 ? (unsigned)setup->only : 0;
    m->processors[m->turn].started = true;
    bool both = afuc_is_pair(m) && setup->only < 0; /* the driver starts them with one write, to CP_PFP_ME_CNTL */
    if (both)
        m->processors[1].started = true;
    setup->meq &= both;
    if (m->turn)
        preset_single(m, &m->processors[m->turn]);
    return GPUCODE_OK;
}
