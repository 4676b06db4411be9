/* SPDX-License-Identifier: MIT */
#include "shaders.h"

#include "assembling.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned shaders_each(const char *sub, shader_visit *visit, void *user)
{
    const char *vectors = vectors_folder();
    char folder[1024], path[1400];
    unsigned count = 0;
    if (!vectors)
        return 0;
    snprintf(folder, sizeof folder, "%s/a3xx/%s", vectors, sub);
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name), size;
        if (length < 5 || strcmp(entry->d_name + length - 4, ".bin") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char *bytes = read_whole(path, &size);
        assert_non_null(bytes);
        visit(user, folder, entry->d_name, bytes, size);
        free(bytes);
        count++;
    }
    if (directory)
        closedir(directory);
    return count;
}
