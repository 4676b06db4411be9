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
void json_bool(struct json *json, const char *key, bool value);

#endif
