/* SPDX-License-Identifier: MIT */
#include "front/edges.h"

#include "front/code.h"
#include "front/output.h"
#include "front/session.h"
#include "front/text_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- writing --- */

int edges_begin(struct session *session, struct edges *edges, const struct gpucode_image *image, const char *path)
{
    *edges = (struct edges){.path = path};
    enum gpucode_status status = path ? gpucode_walk_create(image, &edges->walk) : GPUCODE_OK;
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, path, status);
}

void edges_note(struct edges *edges, const struct gpucode_machine *machine, const struct gpucode_event *event)
{
    if (edges->walk && event->kind == GPUCODE_EVENT_INSN)
        gpucode_walk_step(edges->walk, event->processor, gpucode_machine_section(machine, event->processor), event->pc);
}

static bool note_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    edges_note(user, machine, event);
    return false;
}

void edges_hook(struct edges *edges, struct gpucode_machine *machine)
{
    if (edges->walk)
        gpucode_machine_hook(machine, GPUCODE_EVENT_INSN, note_event, edges);
}

static int write_edges(struct session *session, struct edges *edges, const struct gpucode_image *image)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    char *text = NULL;
    size_t length = 0, count;
    const struct gpucode_seen_edge *list = gpucode_walk_edges(edges->walk, &count);
    FILE *out = list ? text_stream_open(&text, &length) : NULL;
    if (!out)
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    fprintf(out, "# section\tfrom\tto\n");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s\t%" PRIu32 "\t%" PRIu32 "\n", info->sections[list[i].section].name, list[i].from, list[i].to);
    bool good = !ferror(out);
    good &= fclose(out) == 0;
    int code = good ? outputs_write(&session->diagnostics, edges->path, text, length)
                    : complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    free(text);
    return code;
}

int edges_finish(struct session *session, struct edges *edges, const struct gpucode_image *image, int code)
{
    bool ran = code == EXIT_DONE || code == EXIT_FINDINGS;
    int written = ran && edges->walk ? write_edges(session, edges, image) : EXIT_DONE;
    gpucode_walk_free(edges->walk);
    edges->walk = NULL;
    return written ? written : code;
}

/* --- reading --- */

struct edges_reader {
    struct session *session;
    const struct gpucode_image_info *info;
    struct gpucode_diagnostic place;
    struct gpucode_seen_edge *list;
    size_t count, room;
};

static bool find_section(const struct edges_reader *reader, const char *name, size_t length, unsigned *section)
{
    for (*section = 0; *section < reader->info->section_count; ++*section)
        if (strlen(reader->info->sections[*section].name) == length &&
            memcmp(reader->info->sections[*section].name, name, length) == 0)
            return true;
    return false;
}

static bool read_unit(const char **at, uint32_t *unit)
{
    char *end;
    if (**at != '\t' || (*at)[1] < '0' || (*at)[1] > '9')
        return false;
    unsigned long value = strtoul(*at + 1, &end, 10);
    *at = end;
    *unit = (uint32_t)value;
    return value < GPUCODE_NONE;
}

static int add_line(struct edges_reader *reader, const char *line)
{
    struct gpucode_seen_edge edge;
    size_t length = strcspn(line, "\t\r\n");
    const char *at = line + length;
    if (!find_section(reader, line, length, &edge.section))
        return complain_at(&reader->session->diagnostics, CLI_EDGES, &reader->place, NULL,
                           "there is no section of that name");
    if (!read_unit(&at, &edge.from) || !read_unit(&at, &edge.to) ||
        (at[strspn(at, " \r")] && at[strspn(at, " \r")] != '\n'))
        return complain_at(&reader->session->diagnostics, CLI_EDGES, &reader->place, NULL,
                           "expected a section's name and two numbers, with tabs between them");
    if (edge.from >= reader->info->sections[edge.section].size || edge.to >= reader->info->sections[edge.section].size)
        return complain_at(&reader->session->diagnostics, CLI_EDGES, &reader->place, NULL,
                           "the section is not so long");
    if (reader->count == reader->room) {
        size_t room = reader->room ? 2 * reader->room : 256;
        struct gpucode_seen_edge *list = realloc(reader->list, room * sizeof *list);
        if (!list)
            return complain(&reader->session->diagnostics, CLI_MEMORY, NULL, NULL);
        reader->list = list;
        reader->room = room;
    }
    reader->list[reader->count++] = edge;
    return EXIT_DONE;
}

int edges_read(struct session *session, const char *path, const struct gpucode_image *image,
               struct gpucode_seen_edge **list, size_t *count)
{
    struct edges_reader reader = {.session = session, .info = gpucode_image_info(image)};
    struct file file;
    int code = file_read(&file, path, &session->diagnostics);
    if (code)
        return code;
    reader.place = (struct gpucode_diagnostic){.file = file.name, .column = 1};
    for (const char *line = file.bytes, *end; !code && line < file.bytes + file.size; line = end) {
        end = memchr(line, '\n', (size_t)(file.bytes + file.size - line));
        end = end ? end + 1 : file.bytes + file.size;
        reader.place.line++;
        reader.place.length = (unsigned)(end - line);
        if (*line != '#' && *line != '\n' && *line != '\r')
            code = add_line(&reader, line);
    }
    file_free(&file);
    if (code)
        free(reader.list);
    *list = code ? NULL : reader.list;
    *count = code ? 0 : reader.count;
    return code;
}
