/* SPDX-License-Identifier: MIT */
/*
 * What main.c asks, in the program without libraries: the way to the other one. It stands beside this one where both
 * were built, and in libexec/gpucode where they were installed. Behind that, what is never called in this program but
 * stands in for the functions that need a library, so that the linker leaves those out.
 */
#include "cli/program.h"

#include "front/session.h"

#include <errno.h>
#include <gpucode/drawing.h>
#include <gpucode/picture.h>
#include <gpucode/xml.h>
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

/* --- stand-ins ----------------------------------------------------------------------------------------- */

static int not_here(struct session *session)
{
    return complain(&session->diagnostics, CLI_INTERNAL, NULL, NULL, "this needs gpucode-full");
}

int command_dap(struct session *session)
{
    return not_here(session);
}

int command_debug(struct session *session)
{
    return not_here(session);
}

int command_lsp(struct session *session)
{
    return not_here(session);
}

enum gpucode_status gpucode_xml_load(const void *bytes, size_t size, const char *file_name,
                                     const struct gpucode_target *target,
                                     const struct gpucode_diagnostic_handler *on_diagnostic, struct gpucode_xml **xml)
{
    (void)bytes;
    (void)size;
    (void)file_name;
    (void)target;
    (void)on_diagnostic;
    (void)xml;
    return GPUCODE_ERROR_MEMORY;
}

enum gpucode_status gpucode_xml_load_family(const void *bytes, size_t size, const char *file_name, unsigned family,
                                            const struct gpucode_diagnostic_handler *on_diagnostic,
                                            struct gpucode_xml **xml)
{
    (void)bytes;
    (void)size;
    (void)file_name;
    (void)family;
    (void)on_diagnostic;
    (void)xml;
    return GPUCODE_ERROR_MEMORY;
}

const struct gpucode_meanings *gpucode_xml_meanings(const struct gpucode_xml *xml)
{
    (void)xml;
    return NULL;
}

const struct gpucode_names *gpucode_xml_names(const struct gpucode_xml *xml)
{
    (void)xml;
    return NULL;
}

void gpucode_xml_free(struct gpucode_xml *xml)
{
    (void)xml;
}

enum gpucode_status gpucode_picture_read(const void *bytes, size_t size, const struct gpucode_picture_options *options,
                                         struct gpucode_picture *picture)
{
    (void)bytes;
    (void)size;
    (void)options;
    (void)picture;
    return GPUCODE_ERROR_MEMORY;
}

void gpucode_picture_free(struct gpucode_picture *picture)
{
    (void)picture;
}

enum gpucode_status gpucode_picture_write(const uint8_t *rgba, unsigned width, unsigned height, void **bytes,
                                          size_t *size)
{
    (void)rgba;
    (void)width;
    (void)height;
    (void)bytes;
    (void)size;
    return GPUCODE_ERROR_MEMORY;
}

enum gpucode_status gpucode_drawing_svg(const char *dot, char **svg, size_t *length)
{
    (void)dot;
    (void)svg;
    (void)length;
    return GPUCODE_ERROR_MEMORY;
}
