/* SPDX-License-Identifier: MIT */
/*
 * Writing JSON. Keys are null inside arrays and for the outermost value; a null string is left out, key and all. Keys
 * are short texts of ours, of ASCII without control characters, " and \.
 *
 *     struct json json = {.out = stdout, .indent = true};
 *     json_object(&json, NULL);
 *     json_string(&json, "name", "SQE");
 *     json_end(&json);
 */
#ifndef FRONT_JSON_H
#define FRONT_JSON_H

#include "front/writer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* jansson has functions of these names, and the DAP server brings it into the same program. */
#define json_array cli_json_array
#define json_bool cli_json_bool
#define json_end cli_json_end
#define json_number cli_json_number
#define json_object cli_json_object
#define json_string cli_json_string

#define JSON_DEPTH_MAX 16

/*
 * For output of which there is much: the key in front of another member, its text known to the compiler. The value is
 * written by hand. Not for the first member of an object, nor where members are on lines of their own.
 */
#define JSON_NEXT(json, key) writer_text(&(json)->writer, ", \"" key "\": ", sizeof ", \"" key "\": " - 1)
#define JSON_LITERAL(json, text) writer_text(&(json)->writer, text, sizeof text - 1)

struct json {
    FILE *out;
    bool indent; /* one member a line; otherwise one line for all */
    bool keep;   /* text stays in the writer behind outermost values too: whoever sets this calls writer_flush() */
    unsigned depth;
    struct {
        char closing;
        bool used; /* has a member */
    } level[JSON_DEPTH_MAX];
    struct writer writer; /* empty between outermost values, unless `keep` */
};

void json_object(struct json *json, const char *key);
void json_array(struct json *json, const char *key);
/* Ends the object or array begun last; behind the outermost one a newline follows. */
void json_end(struct json *json);
/* Bytes that are no UTF-8 become U+FFFD. */
void json_string(struct json *json, const char *key, const char *value);
void json_number(struct json *json, const char *key, uint64_t value);
/* Eight hexadecimal digits as a text; an array of such texts. */
void json_put_word(struct json *json, uint32_t word);
void json_words(struct json *json, const char *key, const uint32_t *words, size_t count);
/* A text with its quotation marks, as a value behind JSON_NEXT(). */
void json_put_text(struct json *json, const char *text, size_t length);
void json_bool(struct json *json, const char *key, bool value);

#endif
