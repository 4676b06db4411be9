/* SPDX-License-Identifier: MIT */
#include "utf8/utf8.h"

#include <string.h>

size_t utf8_decode(const char *text, size_t length, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    if (!length)
        return 0;
    size_t size = bytes[0] < 0x80 ? 1 : bytes[0] >> 5 == 6 ? 2 : bytes[0] >> 4 == 14 ? 3 : bytes[0] >> 3 == 30 ? 4 : 0;
    if (!size || size > length)
        return 0;
    uint32_t c = size == 1 ? bytes[0] : bytes[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (bytes[i] >> 6 != 2)
            return 0;
        c = c << 6 | (bytes[i] & 0x3f);
    }
    if (c < least[size] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *character = c;
    return size;
}

bool utf8_is_text(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint32_t character;
        size_t length = utf8_decode(bytes + i, size - i, &character);
        if (!length || (character < ' ' && !strchr("\t\n\v\f\r", (int)character)) || !character || character == 0x7f)
            return false;
        i += length;
    }
    return true;
}

bool utf8_is_format(uint32_t c)
{
    return c == 0xad || c == 0x61c || c == 0x180e || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) || c >= 0xe0000;
}
