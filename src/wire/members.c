/* SPDX-License-Identifier: MIT */
/* Members of messages, whatever the client has sent. */
#include "wire/members.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX (INT64_C(1) << 53) /* JavaScript's numbers reach that far */

const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

int64_t number_of(const json_t *object, const char *key, int64_t missing)
{
    const json_t *value = json_object_get(object, key);
    int64_t number = json_is_integer(value) ? json_integer_value(value) : missing;
    return number >= -NUMBER_MAX && number <= NUMBER_MAX ? number : missing;
}

bool flag_of(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

const json_t *member_of(const json_t *object, const char *path)
{
    char key[64];
    while (object && *path) {
        size_t length = strcspn(path, "/");
        if (length >= sizeof key)
            return NULL;
        memcpy(key, path, length);
        key[length] = 0;
        object = json_object_get(object, key);
        path += length + (path[length] == '/');
    }
    return object;
}

/* Bytes of the UTF-8 sequence at `at`; 0: it is none. */
static size_t sequence(const unsigned char *at, const unsigned char *end)
{
    size_t length = *at < 0x80                  ? 1
                    : *at >= 0xc2 && *at < 0xe0 ? 2
                    : *at >= 0xe0 && *at < 0xf0 ? 3
                    : *at >= 0xf0 && *at < 0xf5 ? 4
                                                : 0;
    if (!length || (size_t)(end - at) < length)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf0 && at[1] < 0x90) ||
        (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return length;
}

json_t *json_of_bytes(const char *bytes, size_t length)
{
    json_t *string = json_stringn(bytes, length);
    if (string)
        return string;
    char *plain = malloc(length + 1);
    size_t used = 0;
    const unsigned char *at = (const unsigned char *)bytes, *end = at + length;
    while (plain && at < end) {
        size_t count = sequence(at, end);
        for (size_t i = 0; i < count; i++)
            plain[used++] = (char)at[i];
        if (!count)
            plain[used++] = '?';
        at += count ? count : 1;
    }
    string = plain ? json_stringn(plain, used) : json_string("");
    free(plain);
    return string ? string : json_string("");
}
