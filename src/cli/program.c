/* SPDX-License-Identifier: MIT */
/*
 * What main.c asks: is this the program with all libraries? In the other one (GPUCODE_LIBEXEC says where it looks), the
 * way to that. It stands beside this one where both were built, and in libexec/gpucode where they were installed.
 */
#include "cli/program.h"

#include "front/session.h"

#ifdef GPUCODE_LIBEXEC
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const bool program_is_whole = false;

/* The folder of this program with its '/', in `path`; false: nobody says where that is. */
static bool own_folder(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0)
        return false;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (slash)
        slash[1] = 0;
    return slash;
}

int program_with_libraries(struct session *session, int argc, char **argv)
{
    static const char *const places[] = {"gpucode-full", GPUCODE_LIBEXEC_FROM_BIN "/gpucode-full"};
    char folder[PATH_MAX], path[2 * PATH_MAX];
    char **copy = malloc((size_t)(argc + 1) * sizeof *copy);
    if (!copy)
        return out_of_memory(&session->diagnostics);
    /* another name than this would be taken for that of an older tool, whose words these no longer are */
    copy[0] = "gpucode";
    memcpy(copy + 1, argv + 1, (size_t)argc * sizeof *copy);
    bool known = own_folder(folder);
    for (unsigned i = 0; known && i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s%s", folder, places[i]);
        execv(path, copy);
        if (errno != ENOENT)
            break;
    }
    if (!known || errno == ENOENT)
        execv(GPUCODE_LIBEXEC "/gpucode-full", copy);
    int code = complain(&session->diagnostics, CLI_NO_WHOLE, NULL, NULL, strerror(errno));
    free(copy);
    return code;
}
#else
const bool program_is_whole = true;

/* Nobody calls it: nothing has to be handed over. */
int program_with_libraries(struct session *session, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return complain(&session->diagnostics, CLI_INTERNAL, NULL, NULL, "the program is whole");
}
#endif
