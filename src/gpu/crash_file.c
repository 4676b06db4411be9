/* SPDX-License-Identifier: MIT */
#include "gpu/crash_file.h"

#include "front/code.h"
#include "front/names.h"
#include "front/session.h"
#include <gpucode/fields.h>
#include <gpucode/packet.h>

#include <stdio.h>
#include <string.h>

int crash_file_open(struct session *session, const char *path, struct crash_file *file)
{
    struct file read;
    *file = (struct crash_file){.session = session};
    int code = code_read(session, path, &read);
    return code ? code : crash_file_take(session, &read, file);
}

int crash_file_take(struct session *session, const struct file *read, struct crash_file *file)
{
    const struct gpucode_target *target;
    *file = (struct crash_file){.session = session, .file = *read};
    int code = code_target(session, &target);
    if (code)
        return code;
    struct gpucode_crash_options options = {
        .file_name = file->file.name,
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
    };
    enum gpucode_status status = gpucode_crash_open(file->file.bytes, file->file.size, &options, &file->crash);
    if (status != GPUCODE_OK)
        return code_status(session, file->file.name, status);
    file->head = gpucode_crash_head(file->crash);
    file->target = target ? target : file->head->target;
    struct gpucode_chip chip;
    if (file->target)
        file->family = gpucode_target_family(file->target);
    else if (gpucode_chip_find(file->head->gpu_id, file->head->chip_id, &chip))
        file->family = chip.family;
    code = file->target ? registers_load(session, file->target, &file->registers)
                        : registers_load_family(session, file->family, &file->registers);
    if (!code && file->target)
        code = symbols_load(session, file->target, registers_names(file->registers), &file->symbols);
    file->names = symbols_names(file->symbols, registers_names(file->registers));
    return code;
}

void crash_file_close(struct crash_file *file)
{
    gpucode_symbols_free(file->symbols);
    registers_free(file->registers);
    gpucode_crash_free(file->crash);
    file_free(&file->file);
}

const char *crash_file_name(const struct crash_file *file, enum gpucode_space space, uint32_t number,
                            char name[GPUCODE_NAME_MAX])
{
    if (file->target)
        return gpucode_name_of(file->target, file->names, space, number, name, GPUCODE_NAME_MAX) ? name : NULL;
    size_t length = file->names ? file->names->name(file->names->user, space, number, name, GPUCODE_NAME_MAX - 1) : 0;
    name[length] = 0;
    if (length)
        return name;
    if (space == GPUCODE_SPACE_PACKET)
        return gpucode_packet_name(file->family, number);
    return space == GPUCODE_SPACE_GPU && gpucode_register_name(file->family, number, name, GPUCODE_NAME_MAX) ? name
                                                                                                             : NULL;
}

const char *crash_file_value(const struct crash_file *file, uint32_t number, uint64_t value, char text[CRASH_TEXT_MAX])
{
    *text = 0;
    gpucode_meanings_text(registers_meanings(file->registers), file->family, number, value, text, CRASH_TEXT_MAX);
    return text;
}

unsigned crash_file_words(const struct crash_file *file, uint32_t number)
{
    return gpucode_meanings_words(registers_meanings(file->registers), file->family, number);
}

bool crash_is_header(uint32_t word)
{
    struct gpucode_packet_header parts = gpucode_packet_header(word);
    return parts.type && parts.parity_is_odd && (parts.type == 4 || !(word & 0x0f004000));
}

const char *crash_file_packet(const struct crash_file *file, uint32_t header, char name[GPUCODE_NAME_MAX])
{
    struct gpucode_packet_header parts = gpucode_packet_header(header);
    if (!crash_is_header(header))
        return NULL;
    if (parts.type == 4)
        return "PKT4";
    return crash_file_name(file, GPUCODE_SPACE_PACKET, parts.number, name);
}

bool crash_file_has_states(const struct crash_file *file)
{
    return gpucode_target_family(file->head->target) >= 6;
}

const char *crash_level_name(enum gpucode_crash_level level)
{
    static const char *const names[] = {"RB", "IB1", "IB2", "IB3", "SDS"};
    return names[level];
}

const char *crash_processor_name(const struct gpucode_crash_block *block, char *name, size_t size)
{
    size_t length = strlen(block->name);
    if (length < 8 || strcmp(block->name + length - 8, "SQE_STAT") != 0)
        return NULL;
    if (length == 8)
        return "SQE";
    snprintf(name, size, "%.*s", (int)(length - 9), block->name);
    return name;
}

const char *crash_confirmation(unsigned index)
{
    static const char *const names[] = {"header", "previous-headers", "level", "handler"};
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}
