/* SPDX-License-Identifier: MIT */
/* gpucode run for shaders of a4xx and later: buffers, memory and work groups, beside what all shaders have. */
#include "cli_ir3_messages.h"
#include "kit/ir3/kit.h"

#include "front/arguments.h"
#include "front/file.h"
#include "front/session.h"

#include <gpucode/ir3.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Buffers and work groups of a machine before it runs: what sources declare, and files. */

/* Buffers lie one after the other with a gap between them. */
#define GAP 4096
#define BUFFER_WORDS_MAX (UINT32_C(1) << 26)

static uint32_t ir3_buffer_field(const struct gpucode_machine *machine, unsigned space, uint32_t slot, unsigned field)
{
    uint32_t value = 0;
    gpucode_machine_read(machine, 0, space, slot * GPUCODE_IR3_BUFFER_FIELDS + field, &value);
    return value;
}

uint64_t ir3_buffer_address(const struct gpucode_machine *machine, unsigned space, uint32_t slot)
{
    return ir3_buffer_field(machine, space, slot, GPUCODE_IR3_BUFFER_ADDRESS) |
           (uint64_t)ir3_buffer_field(machine, space, slot, GPUCODE_IR3_BUFFER_HIGH) << 32;
}

/* Memory for a slot; false: there is none. */
static bool bind(struct ir3_buffers *buffers, unsigned space, uint32_t slot, uint64_t bytes)
{
    struct gpucode_machine *machine = buffers->inputs->machine;
    const uint32_t number = slot * GPUCODE_IR3_BUFFER_FIELDS;
    uint64_t address = buffers->next;
    if (gpucode_machine_map(machine, address, bytes ? bytes : 4) != GPUCODE_OK)
        return false;
    gpucode_machine_write(machine, 0, space, number + GPUCODE_IR3_BUFFER_ADDRESS, (uint32_t)address);
    gpucode_machine_write(machine, 0, space, number + GPUCODE_IR3_BUFFER_HIGH, (uint32_t)(address >> 32));
    gpucode_machine_write(machine, 0, space, number + GPUCODE_IR3_BUFFER_SIZE, (uint32_t)bytes);
    buffers->next = (address + bytes + 2 * GAP) / GAP * GAP;
    return true;
}

/* The const and the one after it get the address of a buffer. */
static void ir3_buffer_give_address(const struct ir3_buffers *buffers, uint32_t slot, uint32_t number)
{
    uint64_t address = ir3_buffer_address(buffers->inputs->machine, GPUCODE_IR3_BUFFER, slot);
    shader_give_const(buffers->inputs, number, (uint32_t)address);
    shader_give_const(buffers->inputs, number + 1, (uint32_t)(address >> 32));
}

static bool store_words(const struct ir3_buffers *buffers, uint64_t address, const uint32_t *words, unsigned count)
{
    unsigned char bytes[16];
    for (unsigned i = 0; i < 4 * count; i++)
        bytes[i] = (unsigned char)(words[i / 4] >> 8 * (i % 4));
    return gpucode_machine_store(buffers->inputs->machine, address, bytes, 4 * (size_t)count) == GPUCODE_OK;
}

bool ir3_buffers_declared(struct ir3_buffers *buffers, const struct gpucode_program *program, const char **wrong)
{
    struct gpucode_declaration declared;
    unsigned space = GPUCODE_IR3_BUFFER;
    uint32_t slot = 0, counts[2] = {0, 0}, size = 0;
    for (unsigned i = 0; program && gpucode_program_declaration(program, i, &declared); i++) {
        bool ubo = strcmp(declared.kind, "ubo") == 0, begins = ubo || strcmp(declared.kind, "buf") == 0;
        if (!begins && strcmp(declared.kind, "data") != 0)
            continue;
        if (begins) {
            space = ubo ? GPUCODE_IR3_UBO : GPUCODE_IR3_BUFFER;
            slot = counts[ubo]++;
            size = declared.value[0];
            if (slot >= (ubo ? GPUCODE_IR3_UBOS : GPUCODE_IR3_BUFFERS) || size > BUFFER_WORDS_MAX) {
                *wrong = declared.kind;
                return false;
            }
            if (!bind(buffers, space, slot, 4 * (uint64_t)size))
                return false;
            if (declared.file == 'c' && !ubo)
                ir3_buffer_give_address(buffers, slot, declared.first);
        }
        uint32_t first = begins ? 0 : declared.first, count = declared.value_count - begins;
        count = first >= size ? 0 : count > size - first ? size - first : count;
        if (!store_words(buffers, ir3_buffer_address(buffers->inputs->machine, space, slot) + 4 * (uint64_t)first,
                         declared.value + begins, count))
            return false;
    }
    return true;
}

const char *ir3_buffer_slot(const char *text, uint32_t room, uint32_t *slot)
{
    uint64_t number;
    const char *at = text;
    if (!number_take(&at, &number) || *at != '=' || number >= room)
        return NULL;
    *slot = (uint32_t)number;
    return at + 1;
}

bool ir3_buffer_fill(struct ir3_buffers *buffers, unsigned space, uint32_t slot, const void *bytes, size_t size)
{
    struct gpucode_machine *machine = buffers->inputs->machine;
    return size <= 4 * (size_t)BUFFER_WORDS_MAX && bind(buffers, space, slot, size) &&
           gpucode_machine_store(machine, ir3_buffer_address(machine, space, slot), bytes, size) == GPUCODE_OK;
}

uint64_t ir3_declared_size(const struct gpucode_program *program, const char *kind)
{
    struct gpucode_declaration declared;
    uint64_t size = UINT64_MAX;
    for (unsigned i = 0; program && gpucode_program_declaration(program, i, &declared); i++)
        if (strcmp(declared.kind, kind) == 0)
            size = declared.value[0];
    return size;
}

/* --- work groups -------------------------------------------------------------------------------------------------- */

bool ir3_groups_read(const char *text, uint32_t groups[3])
{
    for (unsigned i = 0; i < 3; i++) {
        uint64_t number;
        if (!number_take(&text, &number) || !number || number > UINT32_MAX || (*text && *text != ','))
            return false;
        groups[i] = (uint32_t)number;
        if (!*text)
            return true;
        text++;
    }
    return false;
}

void ir3_groups_give(struct shader_inputs *inputs, const uint32_t size[3], const struct shader_place *number,
                     const struct shader_place *all)
{
    for (unsigned i = 0; i < 3; i++) {
        gpucode_machine_write(inputs->machine, 0, GPUCODE_IR3_SETUP, GPUCODE_IR3_GROUPS + i, size[i]);
        if (all->there)
            shader_give_const(inputs, all->number + i, size[i]);
        if (number->there && number->space == GPUCODE_A3XX_CONST)
            shader_give_const(inputs, number->number + i, 0);
        else if (number->there) /* the machine has it at hand when a group begins */
            shader_give_full(inputs, SHADER_ALL_THREADS, number->number + i, 0);
    }
    if (number->there)
        gpucode_machine_write(inputs->machine, 0, GPUCODE_IR3_SETUP, GPUCODE_IR3_GROUP_PLACE,
                              number->number + 1 + (number->space == GPUCODE_A3XX_CONST ? 65536u : 0));
}

struct resources {
    struct session *session;
    struct ir3_buffers buffers;
};

static int out_of(const struct resources *resources)
{
    return out_of_memory(&resources->session->diagnostics);
}

/* --- options ------------------------------------------------------------------------------------------------------ */

static int give_file(struct resources *resources, enum option_id option, const char *value)
{
    bool ubo = option == OPTION_IR3_UBO;
    struct file file;
    uint32_t slot;
    const char *name = ir3_buffer_slot(value, ubo ? GPUCODE_IR3_UBOS : GPUCODE_IR3_BUFFERS, &slot);
    if (!name)
        return value_refuse(resources->session, option, value, ubo ? IR3_UBO_EXPECTED : IR3_BUFFER_EXPECTED);
    int code = file_read(&file, name, &resources->session->diagnostics);
    if (!code &&
        !ir3_buffer_fill(&resources->buffers, ubo ? GPUCODE_IR3_UBO : GPUCODE_IR3_BUFFER, slot, file.bytes, file.size))
        code = out_of(resources);
    file_free(&file);
    return code;
}

static int give_address_option(const struct resources *resources, const char *value)
{
    struct shader_place place;
    uint32_t slot;
    const char *name = ir3_buffer_slot(value, GPUCODE_IR3_BUFFERS, &slot);
    if (!name || !shader_find_place(resources->buffers.inputs, name, &place) || place.space != GPUCODE_A3XX_CONST)
        return value_refuse(resources->session, OPTION_IR3_BUFFER_ADDRESS, value,
                            "K=c0.x, after the --buffer of that K");
    ir3_buffer_give_address(&resources->buffers, slot, place.number);
    return EXIT_DONE;
}

/* Buffers first, whatever the order of the options, so that their addresses are known. */
static int give_options(struct resources *resources)
{
    const struct arguments *arguments = &resources->session->arguments;
    int code = EXIT_DONE;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; !code && i < arguments->given_count; i++) {
            enum option_id option = arguments->given[i].option;
            if (!pass && (option == OPTION_IR3_BUFFER || option == OPTION_IR3_UBO))
                code = give_file(resources, option, arguments->given[i].value);
            if (pass && option == OPTION_IR3_BUFFER_ADDRESS)
                code = give_address_option(resources, arguments->given[i].value);
        }
    return code;
}

static int give_groups(const struct resources *resources, const struct shader_group *group)
{
    struct session *session = resources->session;
    const char *groups = session->arguments.value[OPTION_IR3_GROUPS],
               *id = session->arguments.value[OPTION_IR3_GROUP_ID],
               *count = session->arguments.value[OPTION_IR3_GROUP_COUNT];
    struct shader_place number = group->work_group, all = group->work_groups;
    uint32_t size[3] = {1, 1, 1};
    if (session->recorded)
        ir3_recorded_groups(session->recorded, size);
    if (groups)
        size[0] = size[1] = size[2] = 1;
    if (groups && !ir3_groups_read(groups, size))
        return value_refuse(session, OPTION_IR3_GROUPS, groups, IR3_GROUPS_EXPECTED);
    if (id && !shader_find_place(resources->buffers.inputs, id, &number))
        return value_refuse(session, OPTION_IR3_GROUP_ID, id, "the first of three registers or consts (r48.x)");
    if (count && (!shader_find_place(resources->buffers.inputs, count, &all) || all.space != GPUCODE_A3XX_CONST))
        return value_refuse(session, OPTION_IR3_GROUP_COUNT, count, "the first of three consts (c0.x)");
    ir3_groups_give(resources->buffers.inputs, size, &number, &all);
    return EXIT_DONE;
}

static int give(struct session *session, const struct input *input, const struct shader_group *group,
                struct shader_inputs *inputs)
{
    struct resources resources = {session, IR3_BUFFERS(inputs)};
    const char *wrong = NULL;
    int code = ir3_buffers_declared(&resources.buffers, input->program, &wrong) ? EXIT_DONE
               : wrong ? complain(&session->diagnostics, CLI_IR3_BUFFERS, NULL, NULL, wrong)
                       : out_of(&resources);
    if (!code && session->recorded)
        code = ir3_recorded_give(session, session->recorded, inputs);
    if (!code)
        code = give_options(&resources);
    return code ? code : give_groups(&resources, group);
}

/* --- settings ----------------------------------------------------------------------------------------------------- */

/* What the source declares, or the option in front of that. */
static int add_size(struct session *session, const struct input *input, enum option_id option, const char *kind,
                    struct gpucode_setting *setting, char text[SHADER_NUMBER])
{
    uint64_t size = ir3_declared_size(input->program, kind);
    int code = value_number(session, option, "a number of bytes", &size);
    snprintf(text, SHADER_NUMBER, "%" PRIu64, size);
    if (size == UINT64_MAX)
        setting->name = NULL;
    else
        setting->value = text;
    return code;
}

static const struct shader_set ir3_set;

static int settle(struct session *session, const struct input *input, struct shader_group *group,
                  struct gpucode_setting *settings, char *text)
{
    if (session->recorded && !ir3_recorded_is_pixel(session) && arguments_have(&session->arguments, OPTION_IR3_IMAGE))
        return value_refuse(session, OPTION_IR3_IMAGE, session->arguments.value[OPTION_IR3_IMAGE],
                            "a fragment shader, --stage fs of a draw");
    shader_picture_settle(session, &ir3_set, group, settings);
    unsigned count = settings[0].name ? 1 : 0;
    settings[count] = (struct gpucode_setting){"ir3-local-size", NULL};
    int code = add_size(session, input, OPTION_IR3_LOCAL_MEMORY, "localmem", &settings[count], text);
    count += settings[count].name != NULL;
    settings[count] = (struct gpucode_setting){"ir3-private-size", NULL};
    if (!code)
        code = add_size(session, input, OPTION_IR3_PRIVATE_SIZE, "pvtmem", &settings[count], text + SHADER_NUMBER);
    count += settings[count].name != NULL;
    settings[count] = (struct gpucode_setting){NULL, NULL};
    return code;
}

/* --- what buffers hold -------------------------------------------------------------------------------------------- */

#define LINE_WORDS 8

static uint32_t word_at(const struct shader_run *run, uint64_t address)
{
    unsigned char bytes[4] = {0};
    gpucode_machine_load(run->machine, address, bytes, 4);
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* "buf1[8]: 0x00000001 ..." */
static void show_buffer(const struct shader_run *run, uint32_t slot, uint64_t address, uint32_t words,
                        const struct gpucode_answer_field *line)
{
    for (uint32_t first = 0; first < words; first += LINE_WORDS) {
        char text[16 * LINE_WORDS] = "";
        size_t used = 0;
        for (uint32_t i = first; i < words && i < first + LINE_WORDS; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, " 0x%08" PRIx32, word_at(run, address + 4 * i));
        gpucode_answer_format(run->answer, line, "buf%" PRIu32 "[%" PRIu32 "]:%s", slot, first, text);
    }
}

static void tell_buffers(const struct shader_run *run, const struct gpucode_answer_field *fields,
                         struct shader_buffer_rows rows)
{
    bool json = run->session->json;
    if (!json && !arguments_have(&run->session->arguments, OPTION_IR3_BUFFERS))
        return;
    if (json)
        gpucode_answer_begin(run->answer, &fields[rows.buffers]);
    for (uint32_t slot = 0; slot < GPUCODE_IR3_BUFFERS; slot++) {
        uint64_t address = ir3_buffer_address(run->machine, GPUCODE_IR3_BUFFER, slot);
        uint32_t words = ir3_buffer_field(run->machine, GPUCODE_IR3_BUFFER, slot, GPUCODE_IR3_BUFFER_SIZE) / 4;
        char number[12];
        snprintf(number, sizeof number, "%" PRIu32, slot);
        if (!json && address)
            show_buffer(run, slot, address, words, &fields[rows.line]);
        if (!json || !address)
            continue;
        gpucode_answer_key(run->answer, number);
        gpucode_answer_begin(run->answer, &fields[rows.buffer]);
        for (uint32_t i = 0; i < words; i++)
            gpucode_answer_format(run->answer, &fields[rows.word], "0x%08" PRIx32, word_at(run, address + 4 * i));
        gpucode_answer_end(run->answer);
    }
    if (json)
        gpucode_answer_end(run->answer);
}

/* --- pictures ----------------------------------------------------------------------------------------------------- */

static enum gpucode_status use(const struct gpucode_image *image, struct gpucode_a3xx_usage *usage)
{
    struct gpucode_ir3_usage all;
    enum gpucode_status status = gpucode_ir3_usage(image, &all);
    if (status == GPUCODE_OK)
        *usage = all.shader;
    return status;
}

/* Does an instruction depend on which fibers are in its wave? Quads that share one could then differ from quads alone.
 */
static bool sees_others(const struct gpucode_image *image)
{
    static const char *const mnemonics[] = {"bany",         "ball", "getlast", "movmsk",     "movs",
                                            "brcst.active", "shfl", "getwid",  "getfiberid", NULL};
    const struct gpucode_target *target = gpucode_image_info(image)->target;
    struct gpucode_ir3_usage usage;
    struct gpucode_insn insn;
    struct gpucode_row row;
    size_t size;
    const unsigned char *bytes = gpucode_image_bytes(image, &size);
    if (gpucode_ir3_usage(image, &usage) != GPUCODE_OK || usage.shared)
        return true;
    for (size_t i = 0; i + 8 <= size; i += 8)
        for (unsigned k = 0; mnemonics[k]; k++)
            if (gpucode_decode(target, bytes + i, 8, i / 8, &insn) == GPUCODE_OK &&
                gpucode_row(target, insn.row, &row) && strcmp(row.mnemonic, mnemonics[k]) == 0)
                return true;
    return false;
}

/* --- the kit's members -------------------------------------------------------------------------------------------- */

static const struct shader_set ir3_set = {
    .settings = ir3_settings,
    .threads = "ir3-fibers",
    .timing = "ir3-timing",
    .as_policy = "as many fibers as --policy ir3-fibers says",
    .wide = true,
    .texels = GPUCODE_IR3_TEXELS(0),
    .settle = settle,
    .group = ir3_recorded_group,
    .note = shader_note_missing,
    .give = give,
    .tell = tell_buffers,
    .widen = shader_picture_widen,
    .run = shader_picture_run,
    .usage = use,
    .meeting = "ir3-reconvergence",
    .sees_others = sees_others,
    .instead = GPUCODE_IR3_TARGET,
    .recorded = ir3_recorded_picture,
};

int ir3_run(struct session *session, const struct input *input)
{
    return shader_run(session, input, &ir3_set);
}

int ir3_compare(struct session *session, const struct input *first, const struct input *second)
{
    return shader_compare(session, &ir3_set, first, second);
}

int ir3_settings(struct session *session, const struct input *input, struct kit_settings *settings)
{
    return shader_settings_of(session, input, &ir3_set, settings);
}

int ir3_give_kept(struct state *state)
{
    return shader_give_kept(state, &ir3_set);
}

int ir3_give(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    struct shader_inputs inputs;
    int code = shader_give_of(session, input, machine, &ir3_set, &inputs);
    return code ? code : shader_quad(session, &ir3_set, input, &inputs);
}
