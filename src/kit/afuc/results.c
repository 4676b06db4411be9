/* SPDX-License-Identifier: MIT */
#include "kit/afuc/results.h"
#include "front/names.h"
#include "front/report.h"
#include "front/session.h"
#include "front/values.h"

#include <inttypes.h>
#include <string.h>

struct results {
    const struct firmware *firmware;
    const struct trace *trace;
    struct gpucode_symbols *symbols;
    struct report report;
};

/* --- changes ------------------------------------------------------------------------------------------------- */

static void tell_register(struct results *results, const struct change *change)
{
    struct gpucode_machine *machine = results->firmware->machine;
    char name[GPUCODE_NAME_MAX];
    gpucode_machine_name(machine, (unsigned)change->space, (uint32_t)change->index, name, sizeof name);
    report_string(&results->report, "processor", NULL, gpucode_machine_processor(machine, change->processor));
    report_string(&results->report, "space", NULL, trace_space(change->space));
    report_text(&results->report, "  ");
    report_column(&results->report, "name", 32, name);
    report_number(&results->report, "number", NULL, change->index);
}

static void tell_word(struct results *results, const struct change *change)
{
    char name[GPUCODE_NAME_MAX], place[GPUCODE_NAME_MAX];
    bool named = gpucode_symbols_memory(results->symbols, change->index, name, sizeof name);
    if (named)
        snprintf(place, sizeof place, "[%.*s]", GPUCODE_NAME_MAX - 3, name);
    else
        snprintf(place, sizeof place, "[0x%" PRIx64 "]", change->index);
    report_text(&results->report, "  %-32s", place);
    report_number(&results->report, "address", NULL, change->index);
    report_string(&results->report, "name", NULL, named ? name : NULL);
}

/* Registers of one space, or memory, stand below a heading. */
static void tell_heading(struct results *results, const struct change *change, int *space)
{
    struct gpucode_space_info info;
    if (change->space == *space)
        return;
    *space = change->space;
    if (*space >= 0 && gpucode_machine_space(results->firmware->machine, (unsigned)*space, &info))
        report_text(&results->report, "%s registers\n", info.name);
    else
        report_text(&results->report, "memory\n");
}

static void tell_changes(struct results *results, bool memory)
{
    struct gpucode_machine *machine = results->firmware->machine;
    struct report *report = &results->report;
    bool several = gpucode_machine_processor(machine, 1) != NULL;
    int space = -2;
    report_array(report, memory ? "memory" : "registers");
    for (size_t i = 0; i < results->trace->all.count; i++) {
        const struct change *change = &results->trace->all.list[i];
        if ((change->space < 0) != memory)
            continue;
        tell_heading(results, change, &space);
        report_object(report, NULL);
        if (memory)
            tell_word(results, change);
        else
            tell_register(results, change);
        report_address(report, "value", " %s  ", 8, change->value);
        report_address(report, "before", "(was %s)", 8, change->before);
        if (several && !memory && space != GPUCODE_SPACE_GPU)
            report_text(report, "  %s", gpucode_machine_processor(machine, change->processor));
        report_text(report, "\n");
        report_end(report);
    }
    report_end(report);
}

/* --- --dump -------------------------------------------------------------------------------------------------- */

/* A name of memory in front of the colon. */
static bool take_memory_name(const struct gpucode_symbols *symbols, const char *text, const char **end,
                             uint64_t *address)
{
    struct gpucode_label label;
    *end = text + strcspn(text, ":");
    bool found = symbols && gpucode_symbols_find(symbols, NULL, text, (size_t)(*end - text), &label) &&
                 label.kind == GPUCODE_LABEL_MEMORY;
    if (found)
        *address = (uint64_t)label.value;
    return found;
}

static void tell_memory(struct results *results, uint64_t address)
{
    char name[GPUCODE_NAME_MAX];
    unsigned char bytes[4] = {0};
    bool mapped = gpucode_machine_load(results->firmware->machine, address, bytes, 4) == GPUCODE_OK;
    uint32_t value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    if (!gpucode_symbols_memory(results->symbols, address, name, sizeof name))
        snprintf(name, sizeof name, "0x%" PRIx64, address);
    report_text(&results->report, "  [%s]%*s", name, (int)(strlen(name) < 30 ? 30 - strlen(name) : 0), "");
    if (mapped)
        report_address(&results->report, name, " %s\n", 8, value);
    else
        report_text(&results->report, " not mapped\n");
}

/* What --dump names: a register, or words of memory. */
struct wanted {
    bool is_memory;
    unsigned space;
    uint32_t number;
    uint64_t address, words;
};

static bool read_wanted(const struct firmware *firmware, const char *text, struct wanted *wanted)
{
    const char *end = text;
    wanted->is_memory = strchr(text, ':');
    if (!wanted->is_memory)
        return gpucode_machine_find(firmware->machine, text, &wanted->space, &wanted->number);
    return (number_take(&end, &wanted->address) ||
            take_memory_name(firmware->input->symbols, text, &end, &wanted->address)) &&
           *end == ':' && number_read(end + 1, 1 << 20, &wanted->words);
}

int results_check(const struct firmware *firmware)
{
    struct wanted wanted;
    const char *text;
    for (unsigned i = 0; (text = arguments_value_at(&firmware->session->arguments, OPTION_AFUC_DUMP, i)); i++)
        if (!read_wanted(firmware, text, &wanted))
            return value_refuse(firmware->session, OPTION_AFUC_DUMP, text, "a register, or ADDRESS:WORDS");
    return EXIT_DONE;
}

static void tell_dump(struct results *results, const char *text)
{
    const struct firmware *firmware = results->firmware;
    struct wanted wanted;
    char name[GPUCODE_NAME_MAX];
    uint32_t value;
    if (!read_wanted(firmware, text, &wanted))
        return;
    for (uint64_t i = 0; wanted.is_memory && i < wanted.words; i++)
        tell_memory(results, wanted.address + 4 * i);
    if (wanted.is_memory)
        return;
    gpucode_machine_read(firmware->machine, firmware->processor, wanted.space, wanted.number, &value);
    gpucode_machine_name(firmware->machine, wanted.space, wanted.number, name, sizeof name);
    report_text(&results->report, "  %-32s", name);
    report_address(&results->report, name, " %s\n", 8, value);
}

static void tell_dumps(struct results *results)
{
    const struct arguments *arguments = &results->firmware->session->arguments;
    const char *text;
    if (!arguments_have(arguments, OPTION_AFUC_DUMP))
        return;
    report_text(&results->report, "dump\n");
    report_object(&results->report, "dump");
    for (unsigned i = 0; (text = arguments_value_at(arguments, OPTION_AFUC_DUMP, i)); i++)
        tell_dump(results, text);
    report_end(&results->report);
}

void results_tell(const struct firmware *firmware, const struct trace *trace)
{
    struct results results = {.firmware = firmware,
                              .trace = trace,
                              .symbols = firmware->input->symbols,
                              .report = report_begin(firmware->session)};
    if (results.report.is_json)
        firmware_tell(firmware, &results.report);
    tell_changes(&results, false);
    tell_changes(&results, true);
    tell_dumps(&results);
    report_end(&results.report);
    if (!results.report.is_json)
        firmware_tell(firmware, &results.report);
}
