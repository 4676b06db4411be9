/* SPDX-License-Identifier: MIT */
/* Members of messages, whatever the client has sent. */
#include "utf8/utf8.h"
#include "wire/wire.h"

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

json_t *json_of_bytes(const char *bytes, size_t length)
{
    json_t *string = json_stringn(bytes, length);
    if (string)
        return string;
    char *plain = malloc(length + 1);
    size_t used = 0;
    for (size_t at = 0; plain && at < length;) {
        uint32_t character;
        size_t count = utf8_decode(bytes + at, length - at, &character);
        for (size_t i = 0; i < count; i++)
            plain[used++] = bytes[at + i];
        if (!count)
            plain[used++] = '?';
        at += count ? count : 1;
    }
    string = plain ? json_stringn(plain, used) : json_string("");
    free(plain);
    return string ? string : json_string("");
}
