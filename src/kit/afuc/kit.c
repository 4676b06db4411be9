/* SPDX-License-Identifier: MIT */
#include "kit/afuc/kit.h"
#include "kit/afuc/fuzz.h"

#include "front/code.h"
#include "front/session.h"
#include "gpu/crash.h"
#include "gpu/replay.h"
#include "kit/kit.h"

#include <gpucode/answer.h>
#include <gpucode/machine.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `info` says of firmware: its id, its boot, its sections and their packet tables. */

#define LIMIT 1000000

/* The first table entry of a processor that differs from the image's; false: all are the same, or nothing was loaded.
 */
static bool find_difference(const struct gpucode_image *image, const struct gpucode_machine *machine,
                            unsigned processor, struct boot *boot, unsigned *loaded)
{
    unsigned section = gpucode_machine_section(machine, processor);
    for (unsigned entry = 0; entry < 128; entry++) {
        uint32_t expected, value;
        if (!gpucode_image_handler(image, section, entry, &expected) ||
            gpucode_machine_read(machine, processor, GPUCODE_SPACE_PACKET, entry, &value) != GPUCODE_OK)
            return false;
        *loaded += entry == 0;
        if (value != expected) {
            boot->result = "differs";
            snprintf(boot->detail, sizeof boot->detail,
                     "%s entry 0x%02x: 0x%04" PRIx32 " loaded, 0x%04" PRIx32 " in the image",
                     gpucode_machine_processor(machine, processor), entry, value, expected);
            return true;
        }
    }
    return false;
}

/* Any AFUC image. False: out of memory. */
static bool boot_compare(const struct gpucode_image *image, struct boot *boot)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    unsigned loaded = 0;
    *boot = (struct boot){0};
    /* a5xx hardware reads the table by itself; other sets have no tables */
    if (!info->section_count || info->sections[0].table == GPUCODE_NONE ||
        strcmp(gpucode_target_generation(info->target), "a5xx") == 0)
        return true;
    enum gpucode_status status = gpucode_machine_create(image, NULL, &machine);
    if (status != GPUCODE_OK)
        return status != GPUCODE_ERROR_MEMORY;
    boot->instructions = gpucode_machine_run(machine, LIMIT, &stop);
    bool differs = false;
    for (unsigned i = 0; !differs && gpucode_machine_processor(machine, i); i++)
        differs = find_difference(image, machine, i, boot, &loaded);
    if (!differs && (stop.reason != GPUCODE_STOP_IDLE || !loaded)) {
        boot->result = "stopped";
        snprintf(boot->detail, sizeof boot->detail, "%s at word 0x%" PRIx64 ": %s",
                 gpucode_machine_processor(machine, stop.processor), stop.pc,
                 !stop.text[0]                      ? "the limit of instructions is reached"
                 : stop.reason == GPUCODE_STOP_IDLE ? "no packet table was loaded"
                                                    : stop.text);
    } else if (!differs) {
        boot->result = "agrees";
        snprintf(boot->detail, sizeof boot->detail, "packet tables of %u of %u sections loaded as in the image", loaded,
                 info->section_count);
    }
    gpucode_machine_free(machine);
    return true;
}

#define ANSWER_ROWS "kit/afuc/answer.def"
#define ANSWER_PART_INFO
#include <gpucode/answer_rows.h>
static const struct gpucode_answer_table firmware_info_answer_table = {"info", "What a firmware is.", fields,
                                                                       sizeof fields / sizeof *fields};

#define ENTRIES 128

/* Name of a packet, or UNKN and its number as in listings. */
static const char *packet_name(const struct info_view *view, unsigned entry, char name[GPUCODE_NAME_MAX])
{
    if (!gpucode_name_of(view->info->target, view->names, GPUCODE_SPACE_PACKET, entry, name, GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, "UNKN%u", entry);
    return name;
}

/* --- the head ---------------------------------------------------------------------------------------------- */

static void tell_identity(const struct gpucode_image_info *info, struct gpucode_answer *answer)
{
    gpucode_answer_text(answer, &fields[GENERATION], gpucode_target_generation(info->target));
    if (info->id != GPUCODE_NONE) {
        gpucode_answer_format(answer, &fields[ID], "0x%03x", (unsigned)info->id);
        gpucode_answer_flag(answer, &fields[ID_KNOWN], info->id_known);
        gpucode_answer_text(answer, &fields[ID_END], info->id_known ? "" : " (unknown)");
    }
    if (info->version != GPUCODE_NONE)
        gpucode_answer_format(answer, &fields[VERSION], "0x%03x", (unsigned)info->version);
    if (info->trailer != GPUCODE_NONE) {
        gpucode_answer_begin(answer, &fields[TRAILER]);
        gpucode_answer_text(answer, &fields[TRAILER_DATE], info->date);
        gpucode_answer_number(answer, &fields[TRAILER_START], info->trailer);
        gpucode_answer_end(answer);
    }
}

static int tell_boot(struct session *session, const struct info_view *view, struct gpucode_answer *answer)
{
    struct boot boot;
    if (!boot_compare(view->image, &boot))
        return code_status(session, view->file, GPUCODE_ERROR_MEMORY);
    if (!boot.result)
        return EXIT_DONE;
    gpucode_answer_begin(answer, &fields[BOOT]);
    gpucode_answer_text(answer, &fields[BOOT_RESULT], boot.result);
    gpucode_answer_text(answer, &fields[BOOT_DETAIL], boot.detail);
    gpucode_answer_number(answer, &fields[BOOT_INSTRUCTIONS], boot.instructions);
    gpucode_answer_end(answer);
    return EXIT_DONE;
}

/* --- packet tables ------------------------------------------------------------------------------------------- */

/* A symbol file's name of a handler, or null. */
static const char *handler_name(const struct info_view *view, unsigned section, uint32_t handler,
                                char name[GPUCODE_NAME_MAX])
{
    size_t length = gpucode_symbols_label(view->symbols, section, handler, 0, name, GPUCODE_NAME_MAX - 1);
    name[length] = 0;
    return length ? name : NULL;
}

/* The packet table of a section, entry by entry. */
static void tell_table(struct gpucode_answer *answer, const struct info_view *view, unsigned section)
{
    char name[GPUCODE_NAME_MAX];
    uint32_t handler;
    for (unsigned i = 0; i < ENTRIES && gpucode_image_handler(view->image, section, i, &handler); i++) {
        gpucode_answer_begin(answer, &fields[PACKET]);
        gpucode_answer_text(answer, &fields[PACKET_SECTION], view->info->sections[section].name);
        gpucode_answer_format(answer, &fields[PACKET_OPCODE], "0x%02x", i);
        gpucode_answer_text(answer, &fields[PACKET_NAME], packet_name(view, i, name));
        gpucode_answer_number(answer, &fields[PACKET_HANDLER], handler);
        gpucode_answer_text(answer, &fields[PACKET_HANDLER_NAME], handler_name(view, section, handler, name));
        gpucode_answer_end(answer);
    }
}

struct group {
    uint32_t handler;
    unsigned count;
};

static int compare_groups(const void *left, const void *right)
{
    const struct group *a = left, *b = right;
    return a->handler < b->handler ? -1 : a->handler > b->handler;
}

/* Entries that share a handler stand together: half of a table points at one place. */
static void tell_handlers(struct gpucode_answer *answer, const struct info_view *view, unsigned number)
{
    uint32_t handlers[ENTRIES];
    struct group groups[ENTRIES];
    unsigned count = 0, entries = 0;
    char name[GPUCODE_NAME_MAX];
    while (entries < ENTRIES && gpucode_image_handler(view->image, number, entries, &handlers[entries]))
        entries++;
    for (unsigned i = 0; i < entries; i++) {
        unsigned group = 0;
        while (group < count && groups[group].handler != handlers[i])
            group++;
        if (group == count)
            groups[count++] = (struct group){handlers[i], 0};
        groups[group].count++;
    }
    qsort(groups, count, sizeof *groups, compare_groups);
    gpucode_answer_begin(answer, &fields[HANDLERS]);
    for (unsigned group = 0; group < count; group++) {
        gpucode_answer_begin(answer, &fields[HANDLER]);
        gpucode_answer_number(answer, &fields[HANDLER_START], groups[group].handler);
        gpucode_answer_text(answer, &fields[HANDLER_NAME], handler_name(view, number, groups[group].handler, name));
        for (unsigned i = 0; i < entries; i++)
            if (handlers[i] == groups[group].handler)
                gpucode_answer_text(answer, &fields[HANDLER_PACKET], packet_name(view, i, name));
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

/* --- sections ------------------------------------------------------------------------------------------------ */

static void tell_section(const struct info_view *view, struct gpucode_answer *answer, unsigned number)
{
    const struct gpucode_section *section = &view->info->sections[number];
    gpucode_answer_begin(answer, &fields[SECTION]);
    gpucode_answer_text(answer, &fields[SECTION_NAME], section->name);
    gpucode_answer_number(answer, &fields[SECTION_START], section->start);
    gpucode_answer_text(answer, &fields[SECTION_START_SOURCE], section->start_source);
    gpucode_answer_number(answer, &fields[SECTION_SIZE], section->size);
    if (section->table == GPUCODE_NONE) {
        gpucode_answer_flag(answer, &fields[SECTION_NO_TABLE], true);
    } else {
        gpucode_answer_number(answer, &fields[SECTION_TABLE], section->table);
        gpucode_answer_text(answer, &fields[SECTION_TABLE_SOURCE], section->table_source);
        tell_handlers(answer, view, number);
    }
    gpucode_answer_end(answer);
}

static void tell_sections(const struct info_view *view, struct gpucode_answer *answer)
{
    gpucode_answer_begin(answer, &fields[SECTIONS]);
    for (unsigned i = 0; i < view->info->section_count; i++)
        tell_section(view, answer, i);
    gpucode_answer_end(answer);
    gpucode_answer_begin(answer, &fields[PACKETS]);
    for (unsigned i = 0; i < view->info->section_count; i++)
        tell_table(answer, view, i);
    gpucode_answer_end(answer);
}

static int firmware_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                         enum info_part part)
{
    if (strcmp(view->info->format, "afuc") != 0) /* words without a container */
        return EXIT_DONE;
    switch (part) {
    case INFO_SIZE:
        gpucode_answer_number(answer, &fields[IMAGE_WORDS], view->info->units);
        return EXIT_DONE;
    case INFO_HEAD:
        tell_identity(view->info, answer);
        return tell_boot(session, view, answer);
    default:
        tell_sections(view, answer);
        return EXIT_DONE;
    }
}

/* --- Launch requests of editors for firmware ---------------------------------------------------------------------- */

#define CRASH_FOREIGN "firmware that takes packets"

static const struct launch_field launch_fields[] = {
    {"crash", false, LAUNCH_INPUTS, CRASH_FOREIGN, "A crash dump of a GPU; the firmware begins in its state.",
     crash_launch},
    {"crash-ring", false, LAUNCH_INPUTS, CRASH_FOREIGN,
     "A crash dump of a GPU; the firmware begins after boot, at the oldest packet of the dump's ring.",
     crash_launch_ring},
    {0},
};

static const struct kit_launch afuc_launch = {.fields = launch_fields};

/* --- the kit --- */

extern const struct kit kit_afuc;

static void firmware_listing(const struct session *session, struct gpucode_disasm_options *options)
{
    options->style = arguments_have(&session->arguments, OPTION_AFUC_REGISTER_NAMES);
}

extern const struct gpucode_answer_table firmware_run_answer_table, firmware_trace_answer_table;
static const struct gpucode_answer_table *const answers[] = {&firmware_info_answer_table, &firmware_run_answer_table,
                                                             &firmware_trace_answer_table, NULL};

const struct kit kit_afuc = {
    .name = "afuc",
    .answers = answers,
    .complete = firmware_complete,
    .run = run_afuc,
    .coverage = cover_afuc,
    .info = firmware_info,
    .listing = firmware_listing,
    .compare_runs = replay_differences,
    .settings = firmware_settings,
    .give = firmware_give,
    .debugger = firmware_debugger,
    .fuzz = &afuc_fuzz,
    .words = &afuc_words,
    .links = afuc_links,
    .launch = &afuc_launch,
};
