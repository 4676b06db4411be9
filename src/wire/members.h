/* SPDX-License-Identifier: MIT */
/* Members of messages, whatever the client has sent: what is missing or of another type is "", `missing`, false. */
#ifndef WIRE_MEMBERS_H
#define WIRE_MEMBERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

const char *text_of(const json_t *object, const char *key);
/* Numbers go to 2^53 on both sides of zero. */
int64_t number_of(const json_t *object, const char *key, int64_t missing);
bool flag_of(const json_t *object, const char *key);
/* The member at the end of a path of keys, "a/b/c"; null: there is none. */
const json_t *member_of(const json_t *object, const char *path);
/* A string of bytes, '?' for those that are not UTF-8. */
json_t *json_of_bytes(const char *bytes, size_t length);

#endif
