/* SPDX-License-Identifier: MIT */
/* Textures from files: PNG pictures and raw floats, alone or as levels, layers, slices or faces. */

#include "kit/a3xx/shader/inputs.h"

#include <gpucode/picture.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 2048
#define EXPECTED                                                                                                       \
    "UNIT=FILE.png or FILE.f32:WIDTHxHEIGHT, units from 0 to 15, sides from 1 to 8192; several files with commas, "    \
    "and :levels, :array, :3d "                                                                                        \
    "or :cube after the last"

/* One picture: four floats a texel. */
struct plane {
    unsigned width, height;
    float *texels;
};

struct texture {
    struct shader_inputs *inputs;
    unsigned unit;
    unsigned kind; /* enum gpucode_a3xx_texture_kind */
    bool array;    /* files are layers; else, in 2D, levels */
    bool makes_levels;
    struct plane *planes; /* one for each file */
    unsigned count;
};

static enum shader_status wrong(struct shader_inputs *inputs, const char *expected)
{
    inputs->expected = expected;
    return SHADER_WRONG;
}

/* --- files ------------------------------------------------------------------------------------------------------- */

/* "NAME.f32:WIDTHxHEIGHT"; cuts the size off the path. */
static bool is_raw(char *path, unsigned *width, unsigned *height)
{
    char *colon = strrchr(path, ':'), *stop;
    if (!colon || colon - path < 5 || memcmp(colon - 4, ".f32", 4) != 0 || colon[1] < '1' || colon[1] > '9')
        return false;
    unsigned long sides[2] = {strtoul(colon + 1, &stop, 10), 0};
    if (*stop == 'x' && stop[1] >= '1' && stop[1] <= '9')
        sides[1] = strtoul(stop + 1, &stop, 10);
    if (*stop || !sides[1] || sides[0] > GPUCODE_A3XX_TEXTURE_SIDE_MAX || sides[1] > GPUCODE_A3XX_TEXTURE_SIDE_MAX)
        return false;
    *width = (unsigned)sides[0];
    *height = (unsigned)sides[1];
    *colon = 0;
    return true;
}

static enum shader_status read_floats(struct shader_inputs *inputs, const char *bytes, size_t size, struct plane *plane)
{
    size_t count = (size_t)plane->width * plane->height * 4;
    if (size != count * 4)
        return wrong(inputs, "a file of 16 bytes for each texel, four 32-bit floats");
    plane->texels = malloc(size);
    if (!plane->texels)
        return SHADER_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *at = (const unsigned char *)bytes + 4 * i;
        plane->texels[i] =
            shader_float_value(at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
    }
    return SHADER_GIVEN;
}

static enum shader_status read_picture(struct shader_inputs *inputs, const char *path, const char *bytes, size_t size,
                                       struct plane *plane)
{
    struct gpucode_picture_options options = {.file_name = path, .on_diagnostic = inputs->on_diagnostic};
    struct gpucode_picture picture;
    enum gpucode_status status = gpucode_picture_read(bytes, size, &options, &picture);
    *plane = (struct plane){picture.width, picture.height, picture.texels};
    return status == GPUCODE_OK ? SHADER_GIVEN : status == GPUCODE_ERROR_MEMORY ? SHADER_NO_MEMORY : SHADER_NO_FILE;
}

/* `path` may be changed. */
static enum shader_status read_plane(struct shader_inputs *inputs, char *path, struct plane *plane)
{
    char *bytes = NULL;
    size_t size = 0;
    bool raw = is_raw(path, &plane->width, &plane->height);
    size_t length = strlen(path);
    if (!length)
        return wrong(inputs, EXPECTED);
    if (!raw && (strstr(path, ".f32:") || (length > 4 && strcmp(path + length - 4, ".f32") == 0)))
        return wrong(inputs, "the size of raw floats after the name: FILE.f32:WIDTHxHEIGHT, sides from 1 to 8192");
    if (!inputs->read(inputs->user, path, &bytes, &size))
        return SHADER_NO_FILE;
    enum shader_status status =
        raw ? read_floats(inputs, bytes, size, plane) : read_picture(inputs, path, bytes, size, plane);
    free(bytes);
    return status;
}

/* --- the text ---------------------------------------------------------------------------------------------------- */

/* Takes ":levels", ":array", ":3d", ":cube" off the end; false: two that exclude each other. */
static bool take_forms(struct texture *texture, char *text)
{
    static const char *const forms[] = {":levels", ":array", ":3d", ":cube"};
    bool found[4] = {false};
    for (size_t i = 0, length; length = strlen(text), i < 4; i++) {
        size_t form = strlen(forms[i]);
        if (length <= form || strcmp(text + length - form, forms[i]) != 0)
            continue;
        text[length - form] = 0;
        found[i] = true;
        i = SIZE_MAX; /* from the first again */
    }
    texture->makes_levels = found[0];
    texture->array = found[1];
    texture->kind = found[2] ? GPUCODE_A3XX_3D : found[3] ? GPUCODE_A3XX_CUBE : GPUCODE_A3XX_2D;
    return !(found[2] && found[3]) && !(found[1] && found[2]);
}

static enum shader_status read_planes(struct texture *texture, char *text)
{
    unsigned count = 1;
    for (const char *at = text; (at = strchr(at, ',')); at++)
        count++;
    if (count > FILES_MAX)
        return wrong(texture->inputs, "at most 2048 files");
    texture->planes = calloc(count, sizeof *texture->planes);
    if (!texture->planes)
        return SHADER_NO_MEMORY;
    for (char *end; text; text = end) {
        end = strchr(text, ',');
        if (end)
            *end++ = 0;
        enum shader_status status = read_plane(texture->inputs, text, &texture->planes[texture->count++]);
        if (status != SHADER_GIVEN)
            return status;
    }
    return SHADER_GIVEN;
}

/* Do the pictures make up what they are said to be? */
static enum shader_status check(const struct texture *texture)
{
    const struct plane *planes = texture->planes;
    bool levels = texture->kind == GPUCODE_A3XX_2D && !texture->array;
    if (texture->kind == GPUCODE_A3XX_CUBE && texture->count % 6)
        return wrong(texture->inputs, "six files for a cube: +x,-x,+y,-y,+z,-z");
    if (texture->kind == GPUCODE_A3XX_CUBE && planes->width != planes->height)
        return wrong(texture->inputs, "faces as wide as they are high");
    if (texture->kind == GPUCODE_A3XX_CUBE && !texture->array && texture->count > 6)
        return wrong(texture->inputs, "six files, or :array too");
    if (levels && texture->makes_levels && texture->count > 1)
        return wrong(texture->inputs, "one file where :levels makes the others");
    if (levels && texture->count > GPUCODE_A3XX_TEXTURE_LEVELS_MAX)
        return wrong(texture->inputs, "at most 14 levels");
    for (unsigned i = 1; i < texture->count; i++) {
        unsigned width = planes->width >> (levels ? i : 0), height = planes->height >> (levels ? i : 0);
        if (planes[i].width != (width ? width : 1) || planes[i].height != (height ? height : 1))
            return wrong(texture->inputs, levels ? "files that are levels: each half as wide and high as the one before"
                                                 : "files of one size");
    }
    if ((uint64_t)planes->width * planes->height * (levels ? 1 : texture->count) > GPUCODE_A3XX_TEXELS_MAX)
        return wrong(texture->inputs, "at most 2^26 texels");
    return SHADER_GIVEN;
}

/* --- levels ------------------------------------------------------------------------------------------------------ */

static unsigned half(unsigned side)
{
    return side > 1 ? side / 2 : 1;
}

/* How much of texel `from` of `side` lies in texel `to` of half as many: 1 and less where sides are odd. */
static double share(unsigned from, unsigned to, unsigned side)
{
    double step = (double)side / half(side), low = to * step, high = low + step;
    double first = from > low ? from : low, last = from + 1 < high ? from + 1.0 : high;
    return last > first ? last - first : 0;
}

/* The first texel with a share in `to`. */
static unsigned first_of(unsigned to, unsigned side)
{
    return (unsigned)((uint64_t)to * side / half(side));
}

/* The texel of the next level at x, y, z: the mean over the box that it stands for. */
static void take_mean(const struct texture *texture, unsigned x, unsigned y, unsigned z, unsigned slices, float to[4])
{
    const struct plane *plane = &texture->planes[z];
    double sum[4] = {0}, all = 0;
    unsigned width = plane->width, height = plane->height, depth = slices ? slices : 1, from = slices ? z : 0;
    for (unsigned k = first_of(from, depth); k < depth && share(k, from, depth) > 0; k++)
        for (unsigned j = first_of(y, height); j < height && share(j, y, height) > 0; j++)
            for (unsigned i = first_of(x, width); i < width && share(i, x, width) > 0; i++) {
                double weight = share(i, x, width) * share(j, y, height) * share(k, from, depth);
                const float *texel = texture->planes[slices ? k : z].texels + ((size_t)j * width + i) * 4;
                for (unsigned c = 0; c < 4; c++)
                    sum[c] += weight * (double)texel[c];
                all += weight;
            }
    for (unsigned c = 0; c < 4; c++)
        to[c] = (float)(sum[c] / all);
}

/* The next level in the place of this one; of volumes slices become fewer too. */
static bool next_level(struct texture *texture)
{
    bool volume = texture->kind == GPUCODE_A3XX_3D;
    unsigned count = volume ? half(texture->count) : texture->count;
    unsigned width = half(texture->planes->width), height = half(texture->planes->height);
    struct plane *smaller = calloc(count, sizeof *smaller);
    bool good = smaller;
    for (unsigned z = 0; good && z < count; z++) {
        smaller[z] = (struct plane){width, height, malloc((size_t)width * height * 4 * sizeof(float))};
        good = smaller[z].texels;
        for (unsigned y = 0; good && y < height; y++)
            for (unsigned x = 0; x < width; x++)
                take_mean(texture, x, y, z, volume ? texture->count : 0,
                          smaller[z].texels + ((size_t)y * width + x) * 4);
    }
    if (!good) {
        for (unsigned z = 0; smaller && z < count; z++)
            free(smaller[z].texels);
        free(smaller);
        return false;
    }
    for (unsigned z = 0; z < texture->count; z++)
        free(texture->planes[z].texels);
    free(texture->planes);
    texture->planes = smaller;
    texture->count = count;
    return true;
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

static bool store(const struct texture *texture, const struct plane *plane, uint64_t *address)
{
    unsigned char bytes[4096];
    size_t count = (size_t)plane->width * plane->height * 4;
    for (size_t i = 0; i < count;) {
        size_t used = 0;
        for (; i < count && used < sizeof bytes; i++)
            for (unsigned k = 0, bits = shader_float_bits(plane->texels[i]); k < 4; k++)
                bytes[used++] = (unsigned char)(bits >> 8 * k);
        if (gpucode_machine_store(texture->inputs->machine, *address, bytes, used) != GPUCODE_OK)
            return false;
        *address += used;
    }
    return true;
}

static enum shader_status bind(struct texture *texture)
{
    uint64_t first = texture->inputs->texels, unit = (uint64_t)texture->unit << 32;
    uint64_t address = first ? first + unit : GPUCODE_A3XX_TEXELS(texture->unit);
    uint32_t fields[GPUCODE_A3XX_TEXTURE_FIELDS] = {texture->planes->width, texture->planes->height, 1, 1,
                                                    texture->kind};
    if (texture->kind == GPUCODE_A3XX_CUBE)
        fields[GPUCODE_A3XX_TEXTURE_DEPTH] = texture->count / 6;
    else if (texture->kind == GPUCODE_A3XX_3D || texture->array)
        fields[GPUCODE_A3XX_TEXTURE_DEPTH] = texture->count;
    else
        fields[GPUCODE_A3XX_TEXTURE_LEVELS] = texture->count;
    for (bool more = true; more;) {
        for (unsigned i = 0; i < texture->count; i++)
            if (!store(texture, &texture->planes[i], &address))
                return SHADER_NO_MEMORY;
        more = texture->makes_levels && (texture->planes->width > 1 || texture->planes->height > 1 ||
                                         (texture->kind == GPUCODE_A3XX_3D && texture->count > 1));
        if (more && !next_level(texture))
            return SHADER_NO_MEMORY;
        fields[GPUCODE_A3XX_TEXTURE_LEVELS] += more;
    }
    for (uint32_t i = 0; i < GPUCODE_A3XX_TEXTURE_FIELDS; i++)
        gpucode_machine_write(texture->inputs->machine, 0, GPUCODE_A3XX_TEXTURE,
                              GPUCODE_A3XX_TEXTURE_FIELDS * texture->unit + i, fields[i]);
    return SHADER_GIVEN;
}

enum shader_status shader_give_texture(struct shader_inputs *inputs, const char *text)
{
    char *equals;
    unsigned long unit = *text >= '0' && *text <= '9' ? strtoul(text, &equals, 10) : GPUCODE_A3XX_TEXTURES;
    if (unit >= GPUCODE_A3XX_TEXTURES || *equals != '=')
        return wrong(inputs, EXPECTED);
    struct texture texture = {.inputs = inputs, .unit = (unsigned)unit};
    char *copy = strdup(equals + 1);
    if (!copy)
        return SHADER_NO_MEMORY;
    enum shader_status status = take_forms(&texture, copy) ? read_planes(&texture, copy) : wrong(inputs, EXPECTED);
    if (status == SHADER_GIVEN)
        status = check(&texture);
    if (status == SHADER_GIVEN)
        status = bind(&texture);
    for (unsigned i = 0; i < texture.count; i++)
        free(texture.planes[i].texels);
    free(texture.planes);
    free(copy);
    return status;
}
