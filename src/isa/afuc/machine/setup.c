/* SPDX-License-Identifier: MIT */
/* Making a machine: registers found by name, boot values, a processor for each section. */
#include "afuc_messages.h"
#include "isa/afuc/machine/exec.h"

#include <string.h>

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
