/* SPDX-License-Identifier: MIT */
#include "kit/afuc/firmware.h"

#include "front/arguments.h"
#include "front/code.h"
#include "front/outcome.h"
#include "front/session.h"
#include "kit/afuc/kit.h"
#include "kit/afuc/ring.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LIMIT 10000000

int firmware_open(struct session *session, const struct input *input, struct firmware **out)
{
    const char *section;
    struct firmware *firmware = *out = calloc(1, sizeof *firmware);
    if (!firmware)
        return out_of_memory(&session->diagnostics);
    firmware->session = session;
    firmware->input = input;
    firmware->left = LIMIT;
    int code = firmware_check_me(session, input);
    if (!code)
        code = firmware_section(session, input, &section);
    if (code)
        return code;
    const struct gpucode_setting first[] = {{section ? "afuc-processor" : NULL, section}, {NULL, NULL}};
    code = policies_read(session, first, &firmware->settings);
    if (code)
        return code;
    const struct gpucode_machine_options options = {.policies = firmware->settings,
                                                    .names = input_names(input),
                                                    .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_machine_create(input->image, &options, &firmware->machine);
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    firmware->processor = firmware_processor(session, firmware->machine);
    code = value_number(session, OPTION_AFUC_LIMIT, "a number", &firmware->left);
    if (!code && session->arguments.value[OPTION_AFUC_CRASH])
        code = crash_ring_open(session, firmware->machine, &firmware->ring);
    return code ? code : firmware_prepare(session, firmware->machine, firmware->processor);
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

bool firmware_has_packets(const struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    return arguments_have(arguments, OPTION_AFUC_PACKET) || arguments_have(arguments, OPTION_AFUC_PACKETS) ||
           arguments_have(arguments, OPTION_AFUC_RING);
}

/* Through the ring of a dump: as much as there is room for, again and again. */
static int feed_crash_ring(struct firmware *firmware, const uint32_t *words, size_t count)
{
    for (size_t taken; count; words += taken, count -= taken) {
        taken = crash_ring_feed(&firmware->ring, words, count);
        if (!taken)
            return out_of_memory(&firmware->session->diagnostics);
        if (!firmware_boot(firmware))
            break;
    }
    return EXIT_DONE;
}

/* Gives it words, and runs on to where it waits for more. */
static int feed_words(struct firmware *firmware, const uint32_t *words, size_t count)
{
    if (firmware->ring.ready)
        return feed_crash_ring(firmware, words, count);
    if (!count)
        return EXIT_DONE;
    if (gpucode_machine_feed(firmware->machine, firmware->processor, words, count) != GPUCODE_OK)
        return out_of_memory(&firmware->session->diagnostics);
    firmware_boot(firmware);
    return EXIT_DONE;
}

int firmware_feed(struct firmware *firmware)
{
    struct session *session = firmware->session;
    struct ring ring = {0};
    size_t fed = 0;
    int code = ring_gather(session, firmware->input, &ring);
    for (size_t i = 0; !code && i < ring.step_count && firmware->stop.reason == GPUCODE_STOP_IDLE; i++) {
        const struct ring_step *step = &ring.steps[i];
        firmware->checked |= step->kind == RING_CHECK || step->kind == RING_ASSERT;
        if (step->kind != RING_RUN) {
            code = ring_give(session, &ring, step, firmware->machine, firmware->processor);
            continue;
        }
        code = feed_words(firmware, ring.words ? ring.words + fed : NULL, step->words - fed);
        fed = step->words;
    }
    if (!code && firmware->stop.reason == GPUCODE_STOP_IDLE)
        code = feed_words(firmware, ring.words ? ring.words + fed : NULL, ring.count - fed);
    memcpy(firmware->last_packet, ring.last_packet, sizeof firmware->last_packet);
    firmware->last_payload = ring.last_payload;
    ring_free(&ring);
    return code;
}

/* The memory of --memory, as large as its files. */
static size_t find_regions(const struct arguments *arguments, struct crash_region *regions)
{
    size_t count = 0;
    struct stat status;
    for (unsigned i = 0; i < arguments->given_count; i++) {
        const char *at = arguments->given[i].value;
        if (arguments->given[i].option != OPTION_AFUC_MEMORY || !number_take(&at, &regions[count].address) ||
            *at != '=' || stat(at + 1, &status) != 0)
            continue;
        regions[count++].bytes = (uint64_t)status.st_size;
    }
    return count;
}

int firmware_dump(const struct firmware *firmware)
{
    struct session *session = firmware->session;
    const char *path = session->arguments.value[OPTION_AFUC_CRASH];
    if (!path)
        return EXIT_DONE;
    struct crash_region *regions = calloc(session->arguments.given_count + 1, sizeof *regions);
    int code = regions ? crash_write(session, &firmware->ring, &firmware->stop, regions,
                                     find_regions(&session->arguments, regions), path)
                       : out_of_memory(&session->diagnostics);
    free(regions);
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

/* Has it taken all packets whole, indirect buffers included? */
bool firmware_is_done(const struct firmware *firmware)
{
    uint32_t number, level = 0;
    unsigned space;
    if (gpucode_machine_find(firmware->machine, "@IB_LEVEL", &space, &number))
        gpucode_machine_read(firmware->machine, firmware->stop.processor, space, number, &level);
    return firmware_is_waiting(firmware) && !level;
}

int firmware_verdict(const struct firmware *firmware)
{
    if (stop_has_no_memory(&firmware->stop))
        return out_of_memory(&firmware->session->diagnostics);
    if (firmware_is_done(firmware))
        return EXIT_DONE;
    char hint[160] = "it is not at a waitin: it waits for more words of a packet";
    bool waits = firmware->stop.reason == GPUCODE_STOP_IDLE && !firmware_is_waiting(firmware);
    if (*firmware->last_packet)
        snprintf(hint, sizeof hint, "the handler of %s waits for word %u after the packet's header; the packet has %u",
                 firmware->last_packet, firmware->last_payload + 1, firmware->last_payload);
    return complain(&firmware->session->diagnostics, CLI_STOPPED, firmware->input->file.name, waits ? hint : NULL,
                    stop_sentence(&firmware->stop));
}
