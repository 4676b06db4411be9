/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

const char *vectors_folder(void)
{
    const char *given = getenv("GPUCODE_VECTORS");
    const char *folder = given ? given : SOURCE_ROOT "/../shared/vectors";
    struct stat status;
    if (stat(folder, &status) == 0)
        return folder;
    puts("skipped: no vectors");
    return NULL;
}

char *read_vector(const char *name, size_t *size)
{
    const char *folder = vectors_folder();
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "", name);
    return folder ? read_whole(path, size) : NULL;
}

char *read_source(const char *name, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", SOURCE_ROOT, name);
    char *bytes = read_whole(path, size);
    if (!bytes)
        fail_msg("%s cannot be read", path);
    return bytes;
}

char *read_items(const char *name)
{
    char *text = read_source(name, NULL), *to = text;
    for (const char *from = text; *from;) {
        bool folded = strncmp(from, "\n  ", 3) == 0 && from[3] != ' ';
        *to++ = folded ? ' ' : *from;
        from += folded ? 3 : 1;
    }
    *to = 0;
    return text;
}

char *read_whole(const char *path, size_t *size)
{
    FILE *file;
    size_t length = strlen(path), used = 0, room = 1 << 16;
    bool packed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
    if (packed) {
        char command[4200];
        if ((size_t)snprintf(command, sizeof command, "gzip -dc '%s'", path) >= sizeof command)
            return NULL;
        file = popen(command, "r");
    } else {
        file = fopen(path, "rb");
    }
    if (!file)
        return NULL;
    char *bytes = malloc(room);
    assert_non_null(bytes);
    for (size_t more; (more = fread(bytes + used, 1, room - used - 1, file)) > 0;) {
        used += more;
        if (used + 1 == room) {
            room *= 2;
            bytes = realloc(bytes, room);
            assert_non_null(bytes);
        }
    }
    bytes[used] = 0;
    if (packed)
        assert_int_equal(pclose(file), 0);
    else
        fclose(file);
    if (size)
        *size = used;
    return bytes;
}

uint32_t crc32_of(const unsigned char *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}
