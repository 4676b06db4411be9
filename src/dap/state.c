/* SPDX-License-Identifier: MIT */
/* The state as trees: threads, frames, scopes, variables; and expressions. */
#include "dap/server.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 64 /* of one processor in a frame id */
#define REGISTERS_MAX 0x20000

void request_threads(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    (void)arguments;
    answer->body = thread_cache_make(dap);
}

static json_t *make_frame(struct dap *dap, unsigned processor, unsigned level, uint64_t pc, bool link)
{
    unsigned section = gpucode_machine_section(dap->machine, processor);
    char name[GPUCODE_NAME_MAX + 32], reference[32];
    if (!gpucode_debug_label(dap->debug, section, pc, name, GPUCODE_NAME_MAX))
        snprintf(name, sizeof name, "0x%04" PRIx64, pc);
    if (link)
        strcat(name, " (link register)");
    snprintf(reference, sizeof reference, "0x%" PRIx64, code_address(dap, section, pc));
    json_t *frame = json_pack("{s:i, s:s, s:i, s:s}", "id", (int)(processor * FRAMES + level), "name", name, "column",
                              dap->columns_from_0 ? 0 : 1, "instructionPointerReference", reference);
    add_source(dap, frame, section, pc);
    return frame;
}

void request_stackTrace(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    int64_t thread = number_of(arguments, "threadId", 1), start = number_of(arguments, "startFrame", 0);
    int64_t levels = number_of(arguments, "levels", 0);
    struct gpucode_frame frame;
    if (thread < 1 || thread > UINT32_MAX || !gpucode_machine_processor(dap->machine, (unsigned)thread - 1)) {
        refuse(answer, "there is no thread %" PRId64, thread);
        return;
    }
    unsigned processor = (unsigned)thread - 1, total = 1;
    json_t *list = json_array();
    if (start <= 0)
        json_array_append_new(list, make_frame(dap, processor, 0, gpucode_machine_pc(dap->machine, processor), false));
    for (; total < FRAMES && gpucode_machine_frame(dap->machine, processor, total - 1, &frame); total++)
        if (total >= start && (levels <= 0 || (int64_t)total < start + levels))
            json_array_append_new(list, make_frame(dap, processor, total, frame.pc, frame.link));
    answer->body = json_pack("{s:o, s:i}", "stackFrames", list, "totalFrames", (int)total);
}

void request_scopes(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    int64_t id = number_of(arguments, "frameId", 0);
    unsigned processor = (unsigned)(id / FRAMES);
    struct gpucode_space_info info;
    json_t *list = json_array();
    if (id < 0 || !gpucode_machine_processor(dap->machine, processor)) {
        json_decref(list);
        refuse(answer, "there is no frame %" PRId64, id);
        return;
    }
    for (unsigned space = 0; space < GPUCODE_SPACE_COUNT + 16; space++)
        if (gpucode_machine_space(dap->machine, space, &info) && info.count <= REGISTERS_MAX)
            json_array_append_new(list, json_pack("{s:s, s:i, s:b, s:s}", "name", info.name, "variablesReference",
                                                  (int)(1 + processor * SPACES + space), "expensive", info.count > 64,
                                                  "presentationHint", "registers"));
    answer->body = json_pack("{s:o}", "scopes", list);
}

static bool take_scope(struct dap *dap, const json_t *arguments, unsigned *processor, unsigned *space,
                       struct gpucode_space_info *info)
{
    int64_t reference = number_of(arguments, "variablesReference", 0) - 1;
    if (reference < 0 || reference > 1 << 20)
        return false;
    *processor = (unsigned)reference / SPACES;
    *space = (unsigned)reference % SPACES;
    return gpucode_machine_processor(dap->machine, *processor) && gpucode_machine_space(dap->machine, *space, info);
}

#define REGISTER_TEXT (48 + CONSOLE_FIELDS_MAX)

/* Does the client want values in hexadecimal alone? */
static bool wants_hex(const json_t *arguments)
{
    return flag_of(json_object_get(arguments, "format"), "hex");
}

/* "0x40400000"; of what is a float "0x40400000 (3)", and of fields that are known "0x5 { A = 1 | B }". */
static void register_text(const struct dap *dap, unsigned space, uint32_t number, uint32_t value, bool hex,
                          char text[REGISTER_TEXT])
{
    char more[CONSOLE_FIELDS_MAX] = "";
    const struct gpucode_value shown = {
        .place = GPUCODE_VALUE_REGISTER, .space = space, .address = number, .size = 4, .number = value};
    bool is_float = !hex && console_float_text(dap->machine, space, number, value, more, sizeof more);
    bool is_known = !hex && !is_float && console_fields_text(dap->machine, &shown, more, sizeof more);
    snprintf(text, REGISTER_TEXT, is_float ? "0x%08x (%s)" : is_known ? "0x%08x %s" : "0x%08x", (unsigned)value, more);
}

/* Registers that are zero are left out of long lists. */
void request_variables(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    unsigned processor, space;
    struct gpucode_space_info info;
    char name[GPUCODE_NAME_MAX], text[REGISTER_TEXT];
    uint32_t value;
    if (!take_scope(dap, arguments, &processor, &space, &info)) {
        refuse(answer, "there is no such scope");
        return;
    }
    int64_t start = number_of(arguments, "start", 0), count = number_of(arguments, "count", 0), index = 0;
    json_t *list = json_array();
    for (uint32_t i = 0; i < info.count && i < REGISTERS_MAX; i++) {
        if (gpucode_machine_read(dap->machine, processor, space, i, &value) != GPUCODE_OK ||
            (info.count > 64 && !value))
            continue;
        if (index++ < start || (count > 0 && index > start + count))
            continue;
        if (!gpucode_machine_name(dap->machine, space, i, name, sizeof name))
            snprintf(name, sizeof name, "%s0x%x", info.prefix, (unsigned)i);
        register_text(dap, space, i, value, wants_hex(arguments), text);
        json_t *item = json_pack("{s:s, s:s, s:s, s:i}", "name", name, "value", text, "evaluateName", name,
                                 "variablesReference", 0);
        if (item)
            json_array_append_new(list, item);
    }
    answer->body = json_pack("{s:o}", "variables", list);
}

/* The value of an expression; false: refused. */
static bool evaluate_text(struct dap *dap, const char *text, bool assign, struct gpucode_value *value,
                          struct answer *answer)
{
    dap_take_text(dap);
    if (gpucode_debug_evaluate(dap->debug, text, strlen(text), assign, dap_diagnostic_handler(dap), value) ==
        GPUCODE_OK)
        return true;
    refuse(answer, "%s", dap_take_text(dap));
    answer->error[strcspn(answer->error, "\n")] = 0;
    return false;
}

void request_setVariable(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    unsigned processor, space, found;
    struct gpucode_space_info info;
    struct gpucode_value value;
    uint32_t number, now = 0;
    char text[REGISTER_TEXT];
    if (!take_scope(dap, arguments, &processor, &space, &info) ||
        !gpucode_machine_find(dap->machine, text_of(arguments, "name"), &found, &number) || found != space) {
        refuse(answer, "there is no such register");
        return;
    }
    char wanted[REGISTER_TEXT];
    snprintf(wanted, sizeof wanted, "%s", text_of(arguments, "value"));
    char *shown; /* the float or the fields beside what was there when the user began to edit it */
    strtoul(wanted, &shown, 0);
    if (*shown == ' ' && (shown[1] == '(' || shown[1] == '{'))
        *shown = 0;
    const struct gpucode_value place = {.place = GPUCODE_VALUE_REGISTER, .space = space, .address = number, .size = 4};
    if (!evaluate_text(dap, wanted, false, &value, answer))
        return;
    if (gpucode_debug_bits(dap->debug, &place, &value, &value.number) != GPUCODE_OK || value.number < INT32_MIN ||
        value.number > UINT32_MAX ||
        gpucode_debug_write(dap->debug, processor, space, number, (uint32_t)value.number) != GPUCODE_OK) {
        refuse(answer, "the value cannot be written there");
        return;
    }
    gpucode_machine_read(dap->machine, processor, space, number, &now);
    register_text(dap, space, number, now, wants_hex(arguments), text);
    answer->body = json_pack("{s:s}", "value", text);
}

static void add_value(struct dap *dap, json_t *body, const char *key, const struct gpucode_value *value, bool hex)
{
    char text[VALUE_TEXT], full[VALUE_TEXT + CONSOLE_FIELDS_MAX], meaning[CONSOLE_FIELDS_MAX] = "", reference[32];
    value_text(dap, value, hex, text);
    snprintf(reference, sizeof reference, "0x%" PRIx64,
             value->is_code                         ? code_address(dap, value->section, (uint64_t)value->number)
             : value->place == GPUCODE_VALUE_MEMORY ? value->address
                                                    : (uint64_t)value->number);
    bool known = !hex && console_fields_text(dap->machine, value, meaning, sizeof meaning);
    snprintf(full, sizeof full, "%s%s%s", text, known ? " " : "", meaning);
    json_object_set_new(body, key, json_string(full));
    json_object_set_new(body, "variablesReference", json_integer(0));
    json_object_set_new(body, "memoryReference", json_string(reference));
}

void request_setExpression(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    struct gpucode_value place, value;
    const char *expression = text_of(arguments, "expression");
    if (!evaluate_text(dap, expression, false, &place, answer) ||
        !evaluate_text(dap, text_of(arguments, "value"), false, &value, answer))
        return;
    if (gpucode_debug_bits(dap->debug, &place, &value, &value.number) != GPUCODE_OK ||
        gpucode_debug_assign(dap->debug, &place, value.number) != GPUCODE_OK ||
        !evaluate_text(dap, expression, false, &value, answer)) {
        refuse(answer, "nothing can be assigned to this");
        return;
    }
    answer->body = json_object();
    add_value(dap, answer->body, "value", &value, wants_hex(arguments));
}

/* What users type in the console is a command; if it moved in time, the client is told. */
static void run_command(struct dap *dap, const char *line, struct answer *answer)
{
    uint64_t before = gpucode_debug_position(dap->debug);
    int code;
    dap_take_text(dap);
    struct gpucode_history old, now;
    gpucode_debug_history(dap->debug, &old);
    dap_run_begins(dap);
    bool good = console_run(dap->console, line);
    dap_run_ends(dap);
    const char *output = dap_take_text(dap);
    json_t *text = json_string(output);
    answer->body = json_pack("{s:o, s:i}", "result", text ? text : json_string(""), "variablesReference", 0);
    if (!good) {
        snprintf(answer->error, sizeof answer->error, "%s", *output ? output : "failed");
        answer->failed = true;
    }
    gpucode_debug_history(dap->debug, &now);
    if (gpucode_debug_position(dap->debug) != before) {
        answer->stop = *console_last_stop(dap->console);
        dap_ended(dap, answer);
    } else {
        answer->invalidated = now.changes != old.changes;
    }
    if (console_quit(dap->console, &code))
        answer->terminated = true;
}

void request_evaluate(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    const char *text = text_of(arguments, "expression");
    int64_t frame = number_of(arguments, "frameId", -1);
    struct gpucode_value value;
    if (frame >= 0 &&
        (frame > INT32_MAX || gpucode_debug_select(dap->debug, (unsigned)(frame / FRAMES)) != GPUCODE_OK)) {
        refuse(answer, "there is no frame %" PRId64, frame);
        return;
    }
    if (strcmp(text_of(arguments, "context"), "repl") == 0) {
        run_command(dap, text, answer);
        return;
    }
    if (!evaluate_text(dap, text, false, &value, answer))
        return;
    answer->body = json_object();
    add_value(dap, answer->body, "result", &value, wants_hex(arguments));
}

void request_completions(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    char line[512];
    int64_t column = number_of(arguments, "column", 1) - !dap->columns_from_0;
    const char *candidate;
    size_t word;
    snprintf(line, sizeof line, "%s", text_of(arguments, "text"));
    if (column >= 0 && (size_t)column < strlen(line))
        line[column] = 0;
    json_t *list = json_array();
    for (unsigned i = 0; i < 100 && (candidate = console_complete(dap->console, line, i, &word)); i++) {
        json_t *item = json_pack("{s:s, s:i, s:i}", "label", candidate, "start", (int)word + !dap->columns_from_0,
                                 "length", (int)(strlen(line) - word));
        if (item)
            json_array_append_new(list, item);
    }
    answer->body = json_pack("{s:o}", "targets", list);
}
