/* SPDX-License-Identifier: MIT */
/* Messages on the wire: a header with a length, an empty line, JSON. */
#include "dap/server.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LARGEST (4u << 20)
#define DEPTH_MAX 64
#define NUMBER_MAX (INT64_C(1) << 53) /* JavaScript's numbers reach that far */

/* Does it stay within DEPTH_MAX lists and objects in one another? The parser calls itself for each. */
static bool is_shallow(const char *bytes, size_t length)
{
    unsigned depth = 0;
    bool text = false;
    for (size_t i = 0; i < length; i++) {
        if (text && bytes[i] == '\\')
            i++;
        else if (bytes[i] == '"')
            text = !text;
        else if (!text && (bytes[i] == '[' || bytes[i] == '{') && ++depth > DEPTH_MAX)
            return false;
        else if (!text && (bytes[i] == ']' || bytes[i] == '}') && depth)
            depth--;
    }
    return true;
}

/* Reads a header up to its empty line; false: the stream has ended. *counted: it had a length. */
static bool read_header(FILE *in, size_t *length, bool *counted)
{
    char line[256];
    *length = 0;
    *counted = false;
    for (;;) {
        if (!fgets(line, sizeof line, in))
            return false;
        line[strcspn(line, "\r\n")] = 0;
        if (!line[0])
            return true;
        if (strncasecmp(line, "Content-Length:", 15) == 0) {
            *length = strtoul(line + 15, NULL, 10);
            *counted = true;
        }
    }
}

static bool skip_bytes(FILE *in, size_t length)
{
    char bytes[4096];
    while (length) {
        size_t part = length < sizeof bytes ? length : sizeof bytes;
        if (fread(bytes, 1, part, in) != part)
            return false;
        length -= part;
    }
    return true;
}

json_t *dap_read(FILE *in, const char **wrong)
{
    size_t length;
    bool counted;
    *wrong = NULL;
    do
        if (!read_header(in, &length, &counted))
            return NULL;
    while (!counted);
    if (length > LARGEST) {
        if (skip_bytes(in, length))
            *wrong = "a message is larger than 4 MiB\n";
        return NULL;
    }
    char *bytes = malloc(length + 1);
    if (!bytes) {
        if (skip_bytes(in, length))
            *wrong = "no memory for a message\n";
        return NULL;
    }
    json_t *message = NULL;
    if (fread(bytes, 1, length, in) != length)
        ;
    else if (!is_shallow(bytes, length))
        *wrong = "a message has too many lists within one another\n";
    else if (!(message = json_loadb(bytes, length, JSON_ALLOW_NUL, NULL)))
        *wrong = "a message is no JSON object\n";
    free(bytes);
    return message;
}

void dap_send(struct dap *dap, json_t *message)
{
    json_object_set_new(message, "seq", json_integer(++dap->sequence));
    char *text = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS);
    if (text) {
        fprintf(dap->out, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
        fflush(dap->out);
    }
    free(text);
    json_decref(message);
}

void dap_lock_and_send(struct dap *dap, json_t *message)
{
    pthread_mutex_lock(&dap->sending);
    dap_send(dap, message);
    pthread_mutex_unlock(&dap->sending);
}

void dap_event(struct dap *dap, const char *event, json_t *body)
{
    json_t *message = json_pack("{s:s, s:s}", "type", "event", "event", event);
    if (body)
        json_object_set_new(message, "body", body);
    dap_lock_and_send(dap, message);
}

/* Text that is no UTF-8 would make no JSON. */
void dap_output(struct dap *dap, const char *category, const char *text)
{
    json_t *output = json_string(text);
    if (output && *text)
        dap_event(dap, "output", json_pack("{s:s, s:o}", "category", category, "output", output));
    else
        json_decref(output);
}

void refuse(struct answer *answer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(answer->error, sizeof answer->error, format, args);
    va_end(args);
    answer->failed = true;
}

const char *text_of(const json_t *arguments, const char *key)
{
    const char *text = json_string_value(json_object_get(arguments, key));
    return text ? text : "";
}

int64_t number_of(const json_t *arguments, const char *key, int64_t missing)
{
    const json_t *value = json_object_get(arguments, key);
    int64_t number = json_is_integer(value) ? json_integer_value(value) : missing;
    return number >= -NUMBER_MAX && number <= NUMBER_MAX ? number : missing;
}

bool flag_of(const json_t *arguments, const char *key)
{
    return json_is_true(json_object_get(arguments, key));
}
