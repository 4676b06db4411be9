/* SPDX-License-Identifier: MIT */
#include "kit/afuc/firmware.h"

#include "front/code.h"
#include "front/places.h"
#include "front/policies.h"
#include "front/report.h"
#include "front/session.h"
#include "front/stop.h"
#include "front/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 10000000

/* --- before the start ------------------------------------------------------------------------------------- */

static int set_register(struct firmware *firmware, const char *text)
{
    char name[GPUCODE_NAME_MAX];
    const char *number = value_split(text, name, sizeof name);
    uint64_t value;
    unsigned space;
    uint32_t index;
    if (!number || !number_read(number, UINT32_MAX, &value))
        return value_refuse(firmware->session, OPTION_AFUC_REG, text, "NAME=VALUE, a 32-bit number");
    if (!gpucode_machine_find(firmware->machine, name, &space, &index) ||
        gpucode_machine_write(firmware->machine, firmware->processor, space, index, (uint32_t)value) != GPUCODE_OK)
        return complain(&firmware->session->diagnostics, CLI_AFUC_RUN_REGISTER, NULL, NULL, name);
    return EXIT_DONE;
}

static int load_memory(struct firmware *firmware, const char *text)
{
    const char *end = text;
    uint64_t address;
    if (!number_take(&end, &address) || *end != '=')
        return value_refuse(firmware->session, OPTION_AFUC_MEMORY, text, "ADDRESS=FILE");
    struct file file;
    int code = file_read(&file, end + 1, &firmware->session->diagnostics);
    if (code)
        return code;
    enum gpucode_status status = gpucode_machine_store(firmware->machine, address, file.bytes, file.size);
    file_free(&file);
    if (status == GPUCODE_ERROR_RANGE)
        return value_refuse(firmware->session, OPTION_AFUC_MEMORY, text, "an address behind which the file has room");
    return status == GPUCODE_OK ? EXIT_DONE : complain(&firmware->session->diagnostics, CLI_MEMORY, NULL, NULL);
}

static int prepare_machine(struct firmware *firmware)
{
    const struct arguments *arguments = &firmware->session->arguments;
    const char *section = arguments->value[OPTION_AFUC_SECTION], *name;
    int code = value_number(firmware->session, OPTION_AFUC_LIMIT, "a number", &firmware->left);
    for (unsigned i = 0; section && (name = gpucode_machine_processor(firmware->machine, i)); i++)
        if (strcmp(name, section) == 0)
            firmware->processor = i;
    for (unsigned i = 0; !code && i < arguments->given_count; i++) {
        const struct given *given = &arguments->given[i];
        if (given->option == OPTION_AFUC_REG)
            code = set_register(firmware, given->value);
        else if (given->option == OPTION_AFUC_MEMORY)
            code = load_memory(firmware, given->value);
    }
    return code;
}

int firmware_open(struct session *session, const struct input *input, struct firmware **out)
{
    const char *section = session->arguments.value[OPTION_AFUC_SECTION];
    const struct gpucode_setting first[] = {{section ? "afuc-processor" : NULL, section}, {NULL, NULL}};
    struct firmware *firmware = *out = calloc(1, sizeof *firmware);
    if (!firmware)
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    firmware->session = session;
    firmware->input = input;
    firmware->left = LIMIT;
    int code = policies_read(session, first, &firmware->settings);
    if (code)
        return code;
    const struct gpucode_machine_options options = {.policies = firmware->settings,
                                                    .names = input_names(input),
                                                    .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_machine_create(input->image, &options, &firmware->machine);
    return status == GPUCODE_OK ? prepare_machine(firmware) : code_status(session, input->file.name, status);
}

void firmware_close(struct firmware *firmware)
{
    if (!firmware)
        return;
    gpucode_machine_free(firmware->machine);
    free(firmware->settings);
    free(firmware);
}

/* --- running ------------------------------------------------------------------------------------------------ */

bool firmware_boot(struct firmware *firmware)
{
    uint64_t ran = gpucode_machine_run(firmware->machine, firmware->left, &firmware->stop);
    firmware->ran += ran;
    firmware->left -= ran < firmware->left ? ran : firmware->left;
    return firmware->stop.reason == GPUCODE_STOP_IDLE;
}

static int feed_words(struct firmware *firmware, const uint32_t *words, size_t count)
{
    if (gpucode_machine_feed(firmware->machine, firmware->processor, words, count) != GPUCODE_OK)
        return complain(&firmware->session->diagnostics, CLI_MEMORY, NULL, NULL);
    firmware_boot(firmware); /* the next packet when the queue has run dry */
    return EXIT_DONE;
}

static int feed_packet(struct firmware *firmware, const char *text)
{
    unsigned count;
    int code = packet_read(firmware->session, firmware->input->target, input_names(firmware->input), text,
                           firmware->words, &count);
    return code || !count ? code : feed_words(firmware, firmware->words, count);
}

static int feed_packets(struct firmware *firmware, const char *path)
{
    struct file file;
    int code = file_read(&file, path, &firmware->session->diagnostics);
    if (code)
        return code;
    for (char *line = file.bytes, *end; !code && line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        code = feed_packet(firmware, line);
    }
    file_free(&file);
    return code;
}

/* Words in hex, in groups of eight digits. */
static int feed_ring(struct firmware *firmware, const char *path)
{
    struct file file;
    int code = file_read(&file, path, &firmware->session->diagnostics);
    if (code)
        return code;
    code = file_from_hex(&file, &firmware->session->diagnostics);
    size_t count = file.size / 4;
    uint32_t *words = code ? NULL : malloc((count + 1) * sizeof *words);
    if (!code && !words)
        code = complain(&firmware->session->diagnostics, CLI_MEMORY, NULL, NULL);
    for (size_t i = 0; words && i < count; i++) {
        const unsigned char *at = (const unsigned char *)file.bytes + 4 * i;
        words[i] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    if (words)
        code = feed_words(firmware, words, count);
    free(words);
    file_free(&file);
    return code;
}

bool firmware_has_packets(const struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    return arguments_have(arguments, OPTION_AFUC_PACKET) || arguments_have(arguments, OPTION_AFUC_PACKETS) ||
           arguments_have(arguments, OPTION_AFUC_RING);
}

int firmware_feed(struct firmware *firmware)
{
    const struct arguments *arguments = &firmware->session->arguments;
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < arguments->given_count; i++) {
        const struct given *given = &arguments->given[i];
        if (firmware->stop.reason != GPUCODE_STOP_IDLE)
            break;
        if (given->option == OPTION_AFUC_PACKET)
            code = feed_packet(firmware, given->value);
        else if (given->option == OPTION_AFUC_PACKETS)
            code = feed_packets(firmware, given->value);
        else if (given->option == OPTION_AFUC_RING)
            code = feed_ring(firmware, given->value);
    }
    return code;
}

/* --- where it stands ------------------------------------------------------------------------------------------ */

uint32_t firmware_word(const struct input *input, const struct gpucode_machine *machine, unsigned processor,
                       uint64_t pc)
{
    const struct gpucode_image_info *info = gpucode_image_info(input->image);
    const struct gpucode_section *section = &info->sections[gpucode_machine_section(machine, processor)];
    size_t size, at = info->prefix + 4 * ((size_t)section->start + (size_t)pc);
    const unsigned char *bytes = gpucode_image_bytes(input->image, &size);
    if (pc >= section->size || at + 4 > size)
        return 0;
    return bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
}

bool firmware_is_waiting(const struct firmware *firmware)
{
    const struct gpucode_stop *stop = &firmware->stop;
    return stop->reason == GPUCODE_STOP_IDLE && stop->pc > 0 &&
           firmware_word(firmware->input, firmware->machine, stop->processor, stop->pc - 1) >> 26 == 0x36;
}

bool firmware_is_done(const struct firmware *firmware)
{
    uint32_t number, level = 0;
    unsigned space;
    if (gpucode_machine_find(firmware->machine, "@IB_LEVEL", &space, &number))
        gpucode_machine_read(firmware->machine, firmware->stop.processor, space, number, &level);
    return firmware_is_waiting(firmware) && !level;
}

void firmware_tell(const void *user, struct report *report)
{
    const struct firmware *firmware = user;
    const struct gpucode_stop *stop = &firmware->stop;
    unsigned section = gpucode_machine_section(firmware->machine, stop->processor);
    const char *processor = gpucode_machine_processor(firmware->machine, stop->processor);
    char where[PLACES_WHERE_MAX];
    report_string(report, "file", NULL, firmware->input->file.name);
    report_string(report, "target", NULL, gpucode_target_name(firmware->input->target));
    report_number(report, "instructions", NULL, firmware->ran);
    report_bool(report, "consumed", NULL, firmware_is_done(firmware));
    report_object(report, "stop");
    report_string(report, "reason", "%s: ", stop_reason_name(stop->reason));
    report_string(report, "code", NULL, stop->code);
    report_string(report, "text", NULL, stop->text);
    report_string(report, NULL, "%s ", stop_sentence(stop));
    report_string(report, "processor", NULL, processor);
    report_address(report, "pc", "(word %s of ", 1, stop->pc);
    report_text(report, "%s%s)", processor, places_where(firmware->input, section, stop->pc, where));
    if (gpucode_outline_near(input_outline(firmware->input), section, stop->pc, where, sizeof where))
        report_string(report, "where", NULL, where);
    report_end(report);
    report_text(report, ", %" PRIu64 " instructions\n", firmware->ran);
}

int firmware_verdict(const struct firmware *firmware)
{
    if (stop_has_no_memory(&firmware->stop))
        return complain(&firmware->session->diagnostics, CLI_MEMORY, NULL, NULL);
    if (firmware_is_done(firmware))
        return EXIT_DONE;
    return complain(&firmware->session->diagnostics, CLI_STOPPED, NULL, NULL, stop_sentence(&firmware->stop));
}
