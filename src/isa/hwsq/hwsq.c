/* SPDX-License-Identifier: MIT */
/* HWSQ as an instruction set: the struct that plugs it into everything else. */
#include "isa/hwsq/hwsq.h"
#include "isa/hwsq/machine/machine.h"

#include "base/text.h"
#include "isa/isa.h"

#include <ctype.h>
#include <gpucode/hwsq.h>
#include <gpucode/names.h>
#include <stdio.h>
#include <string.h>

/* The registers that scripts are driven by, field by field. */

#define BIT(generation) (1u << HWSQ_##generation)
#define OLD (BIT(NV17) | BIT(NV41) | BIT(NV50)) /* with two slots */
#define HANGS (BIT(NV41) | BIT(NV50))
#define NEW BIT(NV92)

static const struct register_field {
    uint16_t number;
    uint8_t generations, low, high;
    const char *name;
} table[] = {
    {0x1098, ALL, 3, 3, "HWSQ_ENABLE"},
    {0x1098, ALL, 4, 4, "HWSQ_OVERRIDE_MODE"},
    {0x1304, ALL, 0, 7, "ENTRY_0"},
    {0x1304, ALL, 8, 15, "ENTRY_1"},
    {0x1304, ALL, 16, 23, "ENTRY_2"},
    {0x1304, ALL, 24, 31, "ENTRY_3"},
    {0x1308, ALL, 0, 7, "A_IP"},
    {0x1308, ALL, 8, 8, "A_RUNNING"},
    {0x1308, HANGS, 9, 9, "A_ILLEGAL"},
    {0x1308, NEW, 10, 10, "A_IP_HIGH"},
    {0x1308, OLD, 16, 23, "B_IP"},
    {0x1308, OLD, 24, 24, "B_RUNNING"},
    {0x1308, HANGS, 25, 25, "B_ILLEGAL"},
    {0x130c, ALL, 0, 0, "START"},
    {0x130c, OLD, 1, 1, "SLOT_A"},
    {0x130c, ALL, 2, 3, "ENTRY"},
    {0x1318, NEW, 0, 0, "ENTRY_0_HIGH"},
    {0x1318, NEW, 8, 8, "ENTRY_1_HIGH"},
    {0x1318, NEW, 16, 16, "ENTRY_2_HIGH"},
    {0x1318, NEW, 24, 24, "ENTRY_3_HIGH"},
    {0x1578, NV41_UP, 0, 0, "FB_PAUSED"},
    {0x1578, NV41_UP, 1, 1, "HEAD0_VBLANK"},
    {0x1578, NV41_UP, 2, 2, "HEAD0_HBLANK"},
    {0x1578, NV41_UP, 3, 3, "HEAD1_VBLANK"},
    {0x1578, NV41_UP, 4, 4, "HEAD1_HBLANK"},
};

/* Names of fields are constants, and those of flags differ from chip to chip: a flag's own name is in the text. */
#define NUMBERED(prefix)                                                                                               \
    {                                                                                                                  \
        prefix "0", prefix "1", prefix "2", prefix "3", prefix "4", prefix "5", prefix "6", prefix "7", prefix "8",    \
            prefix "9", prefix "10", prefix "11", prefix "12", prefix "13", prefix "14", prefix "15", prefix "16",     \
            prefix "17", prefix "18", prefix "19", prefix "20", prefix "21", prefix "22", prefix "23", prefix "24",    \
            prefix "25", prefix "26", prefix "27", prefix "28", prefix "29", prefix "30", prefix "31"                  \
    }

static void add_flags(struct isa_field_list *list, const struct gpucode_target *target, unsigned first)
{
    static const char *const values[] = NUMBERED("FLAG_"), *const enables[] = NUMBERED("OVERRIDE_FLAG_");
    char name[GPUCODE_NAME_MAX];
    for (unsigned i = 0; i < 32; i++) {
        unsigned flag = first + i % 16;
        if (!isa_add_field(list, (i < 16 ? values : enables)[flag], i, i, NULL, 0) ||
            !gpucode_name_of(target, NULL, GPUCODE_SPACE_FLAG, flag, name, sizeof name))
            continue;
        char *text = list->fields[list->count - 1].text;
        size_t length = strlen(text);
        snprintf(text + length, GPUCODE_FIELD_TEXT_MAX - length, " (%.60s)", name);
    }
}

/* isa_text.fields: the registers that scripts are driven by. */
static size_t hwsq_register_fields(const struct gpucode_target *target, unsigned space, uint32_t number, uint64_t value,
                                   struct gpucode_field_value *fields, size_t size)
{
    struct isa_field_list list = {.fields = fields, .size = fields ? size : 0, .value = (uint32_t)value};
    if (space != GPUCODE_SPACE_GPU)
        return 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].number == number && table[i].generations >> target->generation & 1)
            isa_add_field(&list, table[i].name, table[i].low, table[i].high, NULL, 0);
    if (number == 0x1310 || number == 0x1314)
        add_flags(&list, target, number == 0x1314 ? 16 : 0);
    return list.count;
}

static const char *const generations[] = {"nv17", "nv41", "nv50", "nv92", NULL};

enum unknown { skip, hang };

/* NV17 and NV41 are chipsets as well; the other variants are those of several. */
static const struct hwsq_chip variants[HWSQ_GENERATIONS] = {
#define NAMESAKE(symbol, upper, lower, number, variant, code_bytes, window, slots, unknown)                            \
    [HWSQ_##variant] = {upper, number, code_bytes, window, slots, unknown == hang},
#define CHIPSET(...)
#define NO_HWSQ(...)
#include "hwsq_chipsets.inc"
#undef NAMESAKE
#undef CHIPSET
#undef NO_HWSQ
    [HWSQ_NV50] = {NULL, 0, 0x100, 0x1400, 2, true},
    [HWSQ_NV92] = {NULL, 0, 0x200, 0x80000, 1, false},
};

static const struct hwsq_chip chips[] = {
#define CHIPSET(symbol, upper, lower, number, variant, code_bytes, window, slots, unknown)                             \
    {upper, number, code_bytes, window, slots, unknown == hang},
#define NAMESAKE(...)
#define NO_HWSQ(...)
#include "hwsq_chipsets.inc"
#undef CHIPSET
#undef NAMESAKE
#undef NO_HWSQ
};
#define NAMES_NV17 hwsq_names_nv17
#define NAMES_NV41 hwsq_names_nv41
#define NAMES_NV50 hwsq_names_nv50
#define NAMES_NV92 hwsq_names_nv92

#define VARIANT(symbol, text, describes)                                                                               \
    {.name = "hwsq:" text,                                                                                             \
     .isa = &hwsq_isa,                                                                                                 \
     .description = describes,                                                                                         \
     .generation = HWSQ_##symbol,                                                                                      \
     .is_generation = true,                                                                                            \
     .names = &NAMES_##symbol,                                                                                         \
     .chip = &variants[HWSQ_##symbol]},

const struct gpucode_target hwsq_targets[] = {
    VARIANT(NV17, "nv17", "HWSQ of NV17 to NV40 and NV45: waits and flags, 64 bytes of code")
        VARIANT(NV41, "nv41", "HWSQ of NV41 to G73, C51, MCP61 to MCP73: events and register writes, 128 bytes of code")
            VARIANT(NV50, "nv50", "HWSQ of G80, G84, G86: 256 bytes of code")
                VARIANT(NV92, "nv92", "HWSQ of G92 to GT218, MCP77, MCP79, MCP89: one slot, 512 bytes of code")
#define CHIPSET(symbol, upper, lower, number, variant, ...)                                                            \
    {.name = "hwsq:" lower,                                                                                            \
     .isa = &hwsq_isa,                                                                                                 \
     .description = upper " (" #number "), HWSQ variant " #variant,                                                    \
     .generation = HWSQ_##variant,                                                                                     \
     .names = &NAMES_##variant,                                                                                        \
     .chip = &chips[HWSQ_TARGET_##symbol]},
#define NAMESAKE(...)
#define NO_HWSQ(...)
#include "hwsq_chipsets.inc"
#undef CHIPSET
#undef NAMESAKE
#undef NO_HWSQ
};
_Static_assert(sizeof hwsq_targets / sizeof *hwsq_targets == HWSQ_TARGET_COUNT, "every chipset is a target");

extern const char hwsq_manual[]; /* manual.md */

/* A unit is nominally a microsecond. */
static bool wait_cost(const struct gpucode_insn *insn, struct gpucode_cost *cost)
{
    unsigned opcode = (unsigned)insn->bits & 0xff;
    if (opcode >= 0x40)
        return false;
    *cost = (struct gpucode_cost){hwsq_wait_units(opcode), "us"};
    return true;
}

/* The name of the register that a full address means; short ones need the history, which the listing has. */
static char *comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    if (insn->row != HWSQ_ADDR)
        return at;
    char *text = TEXT_LITERAL(at, "\t// ");
    char *end = isa_name_of(insn->target->names, options->names, GPUCODE_SPACE_GPU, (uint32_t)(insn->bits >> 8), text);
    return end > text ? end : at;
}

/* An image is raw code: nothing in it says so, and the target must be given. */
static enum gpucode_status lay_out(struct isa_layout *layout, struct arena *arena,
                                   const struct gpucode_image_options *options)
{
    if (!options->target)
        return GPUCODE_ERROR_UNSUPPORTED;
    const struct hwsq_chip *chip = hwsq_chip_of(options->target);
    struct gpucode_image_info *info = &layout->info;
    info->layout = "code RAM";
    info->units = (uint32_t)layout->size;
    struct gpucode_section *section = arena_alloc(arena, sizeof *section);
    struct gpucode_image_fact *facts = arena_array(arena, 3, sizeof *facts);
    if (!section || !facts)
        return GPUCODE_ERROR_MEMORY;
    *section = (struct gpucode_section){
        .name = "CODE", .size = info->units, .table = GPUCODE_NONE, .start_source = "the file is code"};
    info->sections = section;
    info->section_count = info->units != 0;
    facts[0] = (struct gpucode_image_fact){"code RAM", arena_format(arena, "0x%x bytes", chip->code_bytes), "target"};
    facts[1] = (struct gpucode_image_fact){"window", arena_format(arena, "0x%x", chip->window), "target"};
    facts[2] = (struct gpucode_image_fact){"slots", chip->slots == 2 ? "2" : "1", "target"};
    if (!facts[0].value || !facts[1].value)
        return GPUCODE_ERROR_MEMORY;
    info->facts = facts;
    info->fact_count = 3;
    return GPUCODE_OK;
}

/* --- Targets by id and by their other names ----------------------------------------------------------------------- */

/*
 * Chipset ids are not in the order of the hardware's history (0x45 is an NV40, older than 0x41), so that an id is
 * looked up and never compared.
 */
const struct gpucode_target *hwsq_target_of_id(const struct isa *set, uint32_t id)
{
    for (unsigned i = 0; i < set->targets.count; i++)
        if (hwsq_chip_of(&set->targets.list[i])->chipset && hwsq_chip_of(&set->targets.list[i])->id == id)
            return &set->targets.list[i];
    return NULL;
}

static bool equal_fold(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    return *a == *b;
}

/* isa.find: aliases, other cases and ids ("G94", "0x94"); null when there is no such chipset or it has no HWSQ. */
static const struct gpucode_target *find(const struct isa *set, const char *name)
{
    if (name[0] == '0' && (name[1] == 'x' || name[1] == 'X') && isxdigit((unsigned char)name[2])) {
        const char *end = name + strlen(name);
        uint64_t id;
        return text_read_number(name, end, &id) != end || id > 0xff ? NULL : hwsq_target_of_id(set, (uint32_t)id);
    }
    for (unsigned i = 0; i < set->targets.count; i++)
        if (equal_fold(strchr(set->targets.list[i].name, ':') + 1, name))
            return &set->targets.list[i];
    return NULL;
}

const struct isa hwsq_isa = {
    .name = "hwsq",
    .title = "HWSQ, the hardware sequencer of NVIDIA NV17 to GT21x",
    .manual = hwsq_manual,
    .unit_bytes = 1,
    .facts = {.events = true, .entry_labels = true},
    .targets =
        {
            .generations = generations,
            .list = hwsq_targets,
            .count = HWSQ_TARGET_COUNT,
            .find = find,
        },
    .text =
        {
            .rows = &hwsq_rows,
            .operand_classes = hwsq_kinds,
            .print = hwsq_rows_text,
            .parse = hwsq_rows_parse,
            .syntax = {.comment = "//",
                       .block_comments = true,
                       .separator = ';',
                       .octal = true,
                       .any_case = true,
                       .hash_comments = true},
            .comment = comment,
            .fields = hwsq_register_fields,
            .label_use = hwsq_label_use,
        },
    .files =
        {
            .layout = lay_out,
        },
    .listing =
        {
            .disassemble = hwsq_disassemble,
        },
    .assembler = &hwsq_assembler,
    .machine = &hwsq_machine,
    .timing =
        {
            .cost = wait_cost,
            .lint = &hwsq_lint,
        },
};

/* --- What outside programs may ask of chipsets -------------------------------------------------------------------- */

bool gpucode_hwsq_facts(const struct gpucode_target *target, struct gpucode_hwsq_facts *facts)
{
    if (!target || !facts || target->isa != &hwsq_isa)
        return false;
    const struct hwsq_chip *chip = hwsq_chip_of(target);
    *facts = (struct gpucode_hwsq_facts){chip->chipset, chip->id,    chip->code_bytes,
                                         chip->window,  chip->slots, chip->unknown_hangs};
    return true;
}

const struct gpucode_target *gpucode_hwsq_target(uint32_t id)
{
    return hwsq_target_of_id(&hwsq_isa, id);
}

uint64_t gpucode_hwsq_wait_units(unsigned opcode)
{
    return opcode < 0x40 ? hwsq_wait_units(opcode) : 0;
}
