/* SPDX-License-Identifier: MIT */
/* What packets load into the GPU: descriptors, constants, shaders. */
#include "gpu/view.h"

#include "front/session.h"

#include <gpucode/asm.h>
#include <gpucode/image.h>
#include <stdlib.h>
#include <string.h>

/* Words of one load that are looked at; NUM_UNIT has 10 bits, and a unit 32 words at most. */
#define LOAD_WORDS_MAX (1u << 15)

static unsigned load_kind(const char *name)
{
    return strcmp(name, "shader") == 0 ? LOAD_SHADERS : strcmp(name, "constants") == 0 ? LOAD_CONSTANTS : LOAD_TEXTURES;
}

/* PREFIX.1.bin and so on. */
static bool add_shader(struct view *view, const uint32_t *words, size_t count)
{
    view->outputs.diagnostics = &view->session->diagnostics;
    view->code = outputs_add_numbered(&view->outputs, view->extract, ++view->extracted, "bin", words, 4 * count);
    return !view->code;
}

int view_commit(struct view *view, int code)
{
    if (!code && view->outputs.count)
        code = outputs_commit(&view->outputs);
    outputs_discard(&view->outputs);
    return code;
}

bool load_take(struct view *view, const struct gpucode_packet_event *event)
{
    unsigned kind = load_kind(event->name);
    bool extracts = kind == LOAD_SHADERS && view->extract;
    bool shows = (view->loads & kind) && view->form->load && view_shows(view);
    uint32_t words = event->count < LOAD_WORDS_MAX ? event->count : LOAD_WORDS_MAX;
    if ((!extracts && !shows) || event->condition == GPUCODE_PACKET_SKIPPED)
        return true;
    uint32_t *list = calloc(words, sizeof *list);
    if (!list) {
        view->code = out_of_memory(&view->session->diagnostics);
        return false;
    }
    struct gpucode_packet_event loaded = *event;
    loaded.count = (uint32_t)(gpucode_stream_load(view->recording->stream, view->submit, event->target_address, list,
                                                  4 * (size_t)words) /
                              4);
    bool good = !extracts || !loaded.count || add_shader(view, list, loaded.count);
    if (good && shows)
        view->form->load(view, &loaded, list);
    free(list);
    return good;
}

char *load_disassemble(unsigned family, const uint32_t *words, size_t count)
{
    struct gpucode_image_options options = {0};
    struct gpucode_image *image;
    char *text = NULL;
    size_t length;
    options.target = family == 3 ? gpucode_target_find("a3xx") : NULL;
    if (!options.target || gpucode_image_open(words, 4 * count / 8 * 8, &options, &image) != GPUCODE_OK)
        return NULL;
    if (gpucode_disassemble(image, NULL, &text, &length) != GPUCODE_OK)
        text = NULL;
    gpucode_image_free(image);
    return text;
}
