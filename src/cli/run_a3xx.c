/* SPDX-License-Identifier: MIT */
/* gpucode run for A3XX shaders: one thread, its inputs from the command line, its registers printed. */
#include "cli/json.h"
#include "cli/output.h"
#include "cli/run.h"
#include "cli/session.h"
#include <gpucode/a3xx.h>
#include <gpucode/insn.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 10000000
#define REGISTERS 256 /* numbers of a file */

struct shader_run {
    struct session *session;
    const struct input *input;
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    uint64_t instructions;
    bool shows_insns, shows_writes;
    bool written[2][REGISTERS], given[2][REGISTERS]; /* full and half */
    struct {
        unsigned space;
        uint32_t number;
    } wanted[2 * REGISTERS]; /* --print, in its order */
    unsigned wanted_count;
};

static int bad_value(struct session *session, enum option_id option, const char *value, const char *expected)
{
    return complain(&session->diagnostics, CLI_RUN_VALUE, NULL, NULL, option_table[option].name, value, expected);
}

/* --- values ------------------------------------------------------------------------------------------------------ */

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The nearest half float, ties to even. */
static uint32_t half_bits(float value)
{
    uint32_t bits = float_bits(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return sign | 0x7e00;
    if (magnitude >= 0x477ff000) /* half way from 65504 to the next */
        return sign | 0x7c00;
    int exponent = (int)(magnitude >> 23) - 127;
    if (exponent < -25)
        return sign;
    unsigned cut = exponent < -14 ? (unsigned)(-1 - exponent) : 13;
    uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000, kept = mantissa >> cut,
             rest = mantissa & ((UINT32_C(1) << cut) - 1);
    uint32_t middle = UINT32_C(1) << (cut - 1);
    kept += rest > middle || (rest == middle && kept & 1);
    return sign | (exponent < -14 ? kept : ((uint32_t)(exponent + 14) << 10) + kept);
}

static float half_value(uint32_t half)
{
    uint32_t exponent = half >> 10 & 31, fraction = half & 0x3ff, bits;
    float value;
    if (exponent) {
        bits = (half & 0x8000) << 16 | (exponent == 31 ? 255u : exponent + 112) << 23 | fraction << 13;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    value = (float)fraction / 16777216.0f;
    return half & 0x8000 ? -value : value;
}

/* "1.0", "-3", "0x3f800000": floats have a point, an exponent, or are inf or nan. */
static bool read_value(const char *text, const char *end, bool half, uint32_t *value)
{
    char *stop;
    if (text == end || *text == ' ')
        return false;
    bool hex = strncmp(text, "0x", 2) == 0;
    size_t length = (size_t)(end - text);
    bool is_float = !hex && (memchr(text, '.', length) || memchr(text, 'e', length) || memchr(text, 'n', length));
    if (is_float) {
        float number = strtof(text, &stop);
        *value = half ? half_bits(number) : float_bits(number);
        return stop == end;
    }
    errno = 0;
    long long number = strtoll(text, &stop, hex ? 16 : 10);
    *value = (uint32_t)number;
    long long most = half ? 0xffff : 0xffffffff, least = half ? -0x8000 : -0x80000000LL;
    if (half)
        *value &= 0xffff;
    return stop == end && !errno && number <= most && number >= least;
}

/* --- what comes in ----------------------------------------------------------------------------------------------- */

static bool find(struct shader_run *run, const char *text, size_t length, unsigned *space, uint32_t *number)
{
    char name[32];
    if (length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = 0;
    return gpucode_machine_find(run->machine, name, space, number);
}

static void write_register(struct shader_run *run, unsigned space, uint32_t number, uint32_t value)
{
    for (unsigned i = 0; gpucode_machine_processor(run->machine, i); i++)
        gpucode_machine_write(run->machine, i, space, number, value);
    if (number < REGISTERS && (space == GPUCODE_A3XX_FULL || space == GPUCODE_A3XX_HALF))
        run->given[space == GPUCODE_A3XX_HALF][number] = true;
}

static int set_register(struct shader_run *run, enum option_id option, const char *text)
{
    const char *equals = strchr(text, '=');
    unsigned space;
    uint32_t number, value;
    bool found = equals && find(run, text, (size_t)(equals - text), &space, &number);
    bool right = found && (option == OPTION_CONST ? space == GPUCODE_A3XX_CONST
                                                  : space == GPUCODE_A3XX_FULL || space == GPUCODE_A3XX_HALF);
    if (!right)
        return bad_value(run->session, option, text,
                         option == OPTION_CONST ? "c0.x=VALUE" : "r0.x=VALUE or hr0.x=VALUE");
    if (!read_value(equals + 1, equals + 1 + strlen(equals + 1), space == GPUCODE_A3XX_HALF, &value))
        return bad_value(run->session, option, text, "a float (1.0), an integer or bits (0x3f800000) behind the =");
    write_register(run, space, number, value);
    return EXIT_DONE;
}

static int set_varying(struct shader_run *run, const char *text)
{
    char *equals;
    unsigned long number = *text >= '0' && *text <= '9' ? strtoul(text, &equals, 10) : GPUCODE_A3XX_VARYINGS;
    const char *end = text + strlen(text);
    uint32_t value;
    if (number >= GPUCODE_A3XX_VARYINGS || *equals != '=')
        return bad_value(run->session, OPTION_VARYING, text, "NUMBER=VALUE, numbers from 0 to 127");
    bool flat = end - equals > 5 && strcmp(end - 5, ":flat") == 0;
    if (!read_value(equals + 1, end - (flat ? 5 : 0), false, &value))
        return bad_value(run->session, OPTION_VARYING, text,
                         "a float (1.0), an integer or bits (0x3f800000) behind the =");
    gpucode_machine_write(run->machine, 0, GPUCODE_A3XX_VARYING, (uint32_t)number, value);
    gpucode_machine_write(run->machine, 0, GPUCODE_A3XX_FLAT, (uint32_t)number, flat);
    return EXIT_DONE;
}

/* The barycentric pair: the middle of the triangle. */
static int set_pair(struct shader_run *run, const char *text)
{
    unsigned space;
    uint32_t number;
    if (!find(run, text, strlen(text), &space, &number) || space != GPUCODE_A3XX_FULL || number > 242)
        return bad_value(run->session, OPTION_IJ, text, "the first of two registers (r0.x)");
    write_register(run, space, number, float_bits(1.0f / 3));
    write_register(run, space, number + 1, float_bits(1.0f / 3));
    return EXIT_DONE;
}

static int bind_texture(struct shader_run *run, const char *text)
{
    static const char expected[] = "UNIT=FILE.f32:WIDTHxHEIGHT, units from 0 to 15 and sides from 1 to 8192";
    char *equals, *stop;
    unsigned long unit = *text >= '0' && *text <= '9' ? strtoul(text, &equals, 10) : GPUCODE_A3XX_TEXTURES;
    const char *colon = strrchr(text, ':');
    if (unit >= GPUCODE_A3XX_TEXTURES || *equals != '=' || !colon || colon - equals < 6 ||
        memcmp(colon - 4, ".f32", 4) != 0 || colon[1] < '1' || colon[1] > '9')
        return bad_value(run->session, OPTION_TEXTURE, text, expected);
    unsigned long width = strtoul(colon + 1, &stop, 10), height = 0;
    if (*stop == 'x' && stop[1] >= '1' && stop[1] <= '9')
        height = strtoul(stop + 1, &stop, 10);
    if (*stop || !height || width > GPUCODE_A3XX_TEXTURE_SIDE_MAX || height > GPUCODE_A3XX_TEXTURE_SIDE_MAX)
        return bad_value(run->session, OPTION_TEXTURE, text, expected);
    char *path = strndup(equals + 1, (size_t)(colon - equals - 1));
    if (!path)
        return complain(&run->session->diagnostics, CLI_MEMORY, NULL, NULL);
    struct file file;
    int code = file_read(&file, path, &run->session->diagnostics);
    free(path);
    if (code)
        return code;
    if (file.size != (size_t)width * height * 16)
        code = bad_value(run->session, OPTION_TEXTURE, text, "a file of four 32-bit floats for each texel");
    else if (gpucode_machine_store(run->machine, GPUCODE_A3XX_TEXELS(unit), file.bytes, file.size) != GPUCODE_OK)
        code = complain(&run->session->diagnostics, CLI_MEMORY, NULL, NULL);
    file_free(&file);
    uint32_t first = GPUCODE_A3XX_TEXTURE_FIELDS * (uint32_t)unit;
    gpucode_machine_write(run->machine, 0, GPUCODE_A3XX_TEXTURE, first + GPUCODE_A3XX_TEXTURE_WIDTH, (uint32_t)width);
    gpucode_machine_write(run->machine, 0, GPUCODE_A3XX_TEXTURE, first + GPUCODE_A3XX_TEXTURE_HEIGHT, (uint32_t)height);
    return code;
}

static int load_memory(struct shader_run *run, const char *text)
{
    char *equals;
    uint64_t address = *text >= '0' && *text <= '9' ? strtoull(text, &equals, 0) : UINT64_MAX;
    if (address > UINT32_MAX || *equals != '=')
        return bad_value(run->session, OPTION_MEMORY, text, "ADDRESS=FILE, addresses of 32 bits");
    struct file file;
    int code = file_read(&file, equals + 1, &run->session->diagnostics);
    if (code)
        return code;
    if (file.size > (UINT64_C(1) << 32) - address)
        code = bad_value(run->session, OPTION_MEMORY, text, "an address behind which the file has room");
    else if (gpucode_machine_store(run->machine, address, file.bytes, file.size) != GPUCODE_OK)
        code = complain(&run->session->diagnostics, CLI_MEMORY, NULL, NULL);
    file_free(&file);
    return code;
}

static int set_inputs(struct shader_run *run)
{
    const struct arguments *arguments = &run->session->arguments;
    int code = arguments->value[OPTION_IJ] ? set_pair(run, arguments->value[OPTION_IJ]) : EXIT_DONE;
    for (unsigned i = 0; !code && i < arguments->given_count; i++) {
        const char *value = arguments->given[i].value;
        switch (arguments->given[i].option) {
        case OPTION_CONST:
        case OPTION_IN:
            code = set_register(run, arguments->given[i].option, value);
            break;
        case OPTION_VARYING:
            code = set_varying(run, value);
            break;
        case OPTION_TEXTURE:
            code = bind_texture(run, value);
            break;
        case OPTION_MEMORY:
            code = load_memory(run, value);
            break;
        default:
            break;
        }
    }
    return code;
}

/* --- running ----------------------------------------------------------------------------------------------------- */

static bool see(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct shader_run *run = user;
    char text[GPUCODE_TEXT_MAX];
    if (event->kind == GPUCODE_EVENT_INSN) {
        unsigned char bytes[8];
        struct gpucode_insn insn;
        for (unsigned i = 0; i < 8; i++)
            bytes[i] = (unsigned char)(event->value >> 8 * i);
        if (gpucode_decode(run->input->target, bytes, 8, event->pc, &insn) == GPUCODE_OK &&
            gpucode_format(&insn, NULL, text, sizeof text, NULL) == GPUCODE_OK)
            printf("%6" PRIu64 "  %04" PRIx64 "  %s\n", event->time, event->pc, text);
    } else {
        if (event->address < REGISTERS)
            run->written[event->space == GPUCODE_A3XX_HALF][event->address] = true;
        if (run->shows_writes &&
            gpucode_machine_name(machine, event->space, (uint32_t)event->address, text, sizeof text))
            printf("              %s = 0x%0*" PRIx64 "\n", text, event->space == GPUCODE_A3XX_HALF ? 4 : 8,
                   event->value);
    }
    return false;
}

static int read_trace(struct shader_run *run)
{
    const char *at = run->session->arguments.value[OPTION_TRACE], *all = at;
    while (at) {
        size_t length = strcspn(at, ",");
        if (length == 12 && memcmp(at, "instructions", length) == 0)
            run->shows_insns = true;
        else if (length == 9 && memcmp(at, "registers", length) == 0)
            run->shows_writes = true;
        else
            return complain(&run->session->diagnostics, CLI_TRACE, NULL, "instructions, registers", all);
        at = at[length] ? at + length + 1 : NULL;
    }
    return EXIT_DONE;
}

static int read_wanted(struct shader_run *run)
{
    const char *list = run->session->arguments.value[OPTION_PRINT], *at = list;
    while (at) {
        size_t length = strcspn(at, ",");
        unsigned i = run->wanted_count;
        if (i == 2 * REGISTERS || !find(run, at, length, &run->wanted[i].space, &run->wanted[i].number))
            return bad_value(run->session, OPTION_PRINT, list, "registers, separated by commas (r2.x,hr0.y)");
        run->wanted_count++;
        at = at[length] ? at + length + 1 : NULL;
    }
    return EXIT_DONE;
}

static void want_written(struct shader_run *run)
{
    for (unsigned half = 0; half < 2; half++)
        for (uint32_t i = 0; i < REGISTERS; i++)
            if (run->written[half][i]) {
                run->wanted[run->wanted_count].space = half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL;
                run->wanted[run->wanted_count++].number = i;
            }
}

/* --- what comes out ---------------------------------------------------------------------------------------------- */

static const char *reason_name(enum gpucode_stop_reason reason)
{
    static const char *const names[] = {"limit", "hook", "idle", "end", "hang", "fault", "unknown", "breakpoint"};
    return names[reason];
}

static bool is_killed(const struct shader_run *run)
{
    uint32_t killed = 0;
    gpucode_machine_read(run->machine, 0, GPUCODE_A3XX_FLAGS, 0, &killed);
    return killed;
}

static void put_json(const struct shader_run *run)
{
    struct json json = {.out = stdout};
    char name[32], value[16];
    json_object(&json, NULL);
    json_string(&json, "stop", reason_name(run->stop.reason));
    json_bool(&json, "killed", is_killed(run));
    json_number(&json, "slots", gpucode_machine_time(run->machine));
    json_object(&json, "registers");
    for (unsigned i = 0; i < run->wanted_count; i++) {
        uint32_t bits = 0;
        gpucode_machine_read(run->machine, 0, run->wanted[i].space, run->wanted[i].number, &bits);
        gpucode_machine_name(run->machine, run->wanted[i].space, run->wanted[i].number, name, sizeof name);
        snprintf(value, sizeof value, "0x%0*" PRIx32, run->wanted[i].space == GPUCODE_A3XX_HALF ? 4 : 8, bits);
        json_string(&json, name, value);
    }
    json_end(&json);
    json_end(&json);
}

/* Registers that the text reads before it writes them, and that nobody gave. */
static void put_missing(const struct shader_run *run)
{
    struct gpucode_a3xx_usage usage;
    char name[32];
    unsigned count = 0;
    if (gpucode_a3xx_usage(run->input->image, &usage) != GPUCODE_OK)
        return;
    for (unsigned half = 0; half < 2; half++)
        for (uint32_t i = 0; i < 244; i++) {
            const uint32_t *inputs = half ? usage.half.inputs : usage.full.inputs;
            if (!(inputs[i / 32] >> i % 32 & 1) || run->given[half][i])
                continue;
            gpucode_machine_name(run->machine, half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL, i, name, sizeof name);
            printf("%s%s", count++ ? " " : "not given, 0 at the start: ", name);
        }
    if (count)
        putchar('\n');
}

static void put_text(const struct shader_run *run)
{
    char name[32];
    put_missing(run);
    for (unsigned i = 0; i < run->wanted_count; i++) {
        uint32_t bits = 0;
        float value;
        bool half = run->wanted[i].space == GPUCODE_A3XX_HALF;
        gpucode_machine_read(run->machine, 0, run->wanted[i].space, run->wanted[i].number, &bits);
        gpucode_machine_name(run->machine, run->wanted[i].space, run->wanted[i].number, name, sizeof name);
        memcpy(&value, &bits, sizeof value);
        if (half)
            value = half_value(bits);
        printf("%-6s 0x%0*" PRIx32 "%*s %16.9g %12" PRId32 "\n", name, half ? 4 : 8, bits, half ? 4 : 0, "",
               (double)value, half ? (int16_t)bits : (int32_t)bits);
    }
    printf("%s%s after %" PRIu64 " instructions, %" PRIu64 " issue slots\n",
           run->stop.reason == GPUCODE_STOP_END ? "ended" : "stopped", is_killed(run) ? ", killed," : "",
           run->instructions, gpucode_machine_time(run->machine));
}

static int go(struct shader_run *run)
{
    const char *text = run->session->arguments.value[OPTION_LIMIT];
    uint64_t limit = LIMIT;
    if (text) {
        char *end = NULL;
        limit = *text >= '0' && *text <= '9' ? strtoull(text, &end, 0) : 0;
        if (!end || *end)
            return bad_value(run->session, OPTION_LIMIT, text, "a number of instructions");
    }
    gpucode_machine_hook(run->machine, GPUCODE_EVENT_WRITE | (run->shows_insns ? GPUCODE_EVENT_INSN : 0), see, run);
    run->instructions = gpucode_machine_run(run->machine, limit, &run->stop);
    if (!run->session->arguments.value[OPTION_PRINT])
        want_written(run);
    if (run->session->json)
        put_json(run);
    else
        put_text(run);
    if (run->stop.reason == GPUCODE_STOP_END)
        return EXIT_DONE;
    fflush(stdout);
    return complain(&run->session->diagnostics, CLI_STOPPED, run->input->file.name, NULL,
                    run->stop.code ? run->stop.text : "the limit of instructions is reached");
}

int run_a3xx(struct session *session, const struct input *input)
{
    struct shader_run *run = calloc(1, sizeof *run);
    struct gpucode_setting *settings = NULL;
    if (!run)
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    run->session = session;
    run->input = input;
    int code = run_policies(session, NULL, &settings);
    if (!code) {
        struct gpucode_machine_options options = {.policies = settings,
                                                  .sink = diagnostics_sink(&session->diagnostics)};
        enum gpucode_status status = gpucode_machine_create(input->image, &options, &run->machine);
        if (status == GPUCODE_ERROR_MEMORY)
            code = complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
        else if (status != GPUCODE_OK)
            code = EXIT_INPUT;
    }
    if (!code)
        code = read_trace(run);
    if (!code)
        code = read_wanted(run);
    if (!code)
        code = set_inputs(run);
    if (!code)
        code = go(run);
    gpucode_machine_free(run->machine);
    free(settings);
    free(run);
    return code;
}
