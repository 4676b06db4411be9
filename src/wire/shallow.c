/* SPDX-License-Identifier: MIT */
#include "wire/wire.h"

#define DEPTH_MAX 64

bool wire_is_shallow(const char *text, size_t length)
{
    unsigned depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (text[i] == '[' || text[i] == '{') && ++depth > DEPTH_MAX)
            return false;
        else if (!quoted && (text[i] == ']' || text[i] == '}') && depth)
            depth--;
    }
    return true;
}
