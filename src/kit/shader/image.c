/* SPDX-License-Identifier: MIT */
#include "cli_a3xx_messages.h"
#include "kit/shader/shader.h"

#include "front/answer.h"
#include "front/arguments.h"
#include "front/output.h"
#include "front/session.h"
#include "front/terminal.h"
#include "kit/a3xx/shader/grid.h"
#include "kit/a3xx/shader/inputs.h"

#include <gpucode/picture.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define ANSWER_ROWS "kit/shader/answer.def"
#define ANSWER_PART_IMAGE
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table shader_image_answer_table = {"run", "A picture that was drawn.", fields,
                                                               sizeof fields / sizeof *fields};

#define QUOTE_WORD(word) #word
#define QUOTE(word) QUOTE_WORD(word)
#define MANY_PIXELS 16384 /* more than one process draws them */
#define NAME_ROOM 4096    /* of a picture's file */

struct drawing {
    struct session *session;
    const struct shader_set *set;
    const struct input *input;
    struct shader_grid grid;
    struct gpucode_a3xx_usage usage;
    bool pair_assumed, color_assumed;
    const char *declared; /* the name that the source has for the colour, or null */
    struct progress progress;
};

/* --- what is wanted ---------------------------------------------------------------------------------------------- */

/* The machine runs many quads at once. */
static bool is_wide(const struct shader_grid *grid)
{
    const struct gpucode_machine *machine = grid->inputs->machine;
    return gpucode_machine_processor(machine, SHADER_GRID_THREADS - 1) &&
           !gpucode_machine_processor(machine, SHADER_GRID_THREADS);
}

/* What a recording says, ahead of options. */
static void take_recorded(struct drawing *drawing)
{
    struct shader_grid *grid = &drawing->grid;
    struct shader_picture picture = {0};
    if (!drawing->session->recorded || !drawing->set->recorded)
        return;
    drawing->set->recorded(drawing->session, &picture);
    grid->has_pair = picture.has_pair;
    grid->pair = picture.pair;
    grid->has_place = picture.has_place;
    grid->place = picture.place;
    for (; grid->targets < picture.targets && grid->targets < SHADER_GRID_TARGETS; grid->targets++)
        grid->color[grid->targets] =
            (struct shader_color){picture.color[grid->targets].half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL,
                                  picture.color[grid->targets].first, 4};
    grid->left = picture.left;
    grid->top = picture.top;
    grid->across = picture.across;
    grid->down = picture.down;
}

static int read_size(struct drawing *drawing)
{
    take_recorded(drawing);
    const char *text = drawing->session->arguments.value[OPTION_A3XX_IMAGE];
    if (!shader_pixel_size(&drawing->grid, text))
        return value_refuse(drawing->session, OPTION_A3XX_IMAGE, text, SHADER_PIXEL_SIZE_EXPECTED);
    bool one_pixel = arguments_have(&drawing->session->arguments, OPTION_A3XX_PIXEL);
    static const enum option_id others[] = {OPTION_A3XX_PRINT, OPTION_A3XX_TRACE, OPTION_A3XX_CYCLES,
                                            OPTION_A3XX_LOCAL_SIZE, OPTION_A3XX_LOCAL_ID};
    for (size_t i = one_pixel ? 3 : 0; i < sizeof others / sizeof *others; i++) {
        const char *value = drawing->session->arguments.value[others[i]];
        if (arguments_have(&drawing->session->arguments, others[i]))
            return value_refuse(drawing->session, others[i], value ? value : "",
                                one_pixel ? "a run without --image"
                                          : "a run without --image, or with --pixel X,Y for one of its pixels");
    }
    if (!shader_pixel_has_quad(&drawing->grid) && !is_wide(&drawing->grid))
        return value_refuse(drawing->session, OPTION_POLICY, drawing->set->threads,
                            "4, which is the preset here: pictures are made of quads");
    return EXIT_DONE;
}

/* The first of two full registers. */
static int read_pair(struct drawing *drawing, enum option_id option, bool *has, uint32_t *number)
{
    const char *text = drawing->session->arguments.value[option];
    *has |= text != NULL;
    if (text && !shader_pixel_register(drawing->grid.inputs->machine, text, number))
        return value_refuse(drawing->session, option, text, SHADER_PIXEL_PAIR_EXPECTED);
    return EXIT_DONE;
}

static bool has_bit(const uint32_t *words, unsigned bit)
{
    return words[bit / 32] >> bit % 32 & 1;
}

/* --ij, or what the source calls so, or r0.x where the shader interpolates and finds something there that nobody gave
 * it. */
static int find_pair(struct drawing *drawing)
{
    struct shader_grid *grid = &drawing->grid;
    int code = read_pair(drawing, OPTION_A3XX_IJ, &grid->has_pair, &grid->pair);
    if (code || grid->has_pair || drawing->session->recorded)
        return code;
    drawing->pair_assumed = shader_pixel_pair(grid, drawing->input->program, &drawing->usage);
    if (!grid->has_pair && grid->inputs->varies)
        return complain(&drawing->session->diagnostics, CLI_A3XX_IMAGE_PAIR, drawing->input->file.name,
                        "--ij names the first of the two registers that have it");
    return EXIT_DONE;
}

/*
 * What the shader leaves: the longest run of registers, up to four, that it writes and does not read
 * afterwards; full ones before half ones, those that begin a vector before others.
 */
static bool guess_color(const struct drawing *drawing, struct shader_color *color)
{
    bool best_begins = false;
    for (unsigned half = 0; half < 2; half++) {
        const struct gpucode_a3xx_file *file = half ? &drawing->usage.half : &drawing->usage.full;
        for (uint32_t i = 0; i < 61 * 4; i++) {
            unsigned count = 0;
            while (count < 4 && i + count < 61 * 4 && has_bit(file->outputs, i + count))
                count++;
            bool begins = i % 4 == 0;
            if (count < color->count || !count || (count == color->count && (best_begins || !begins)))
                continue;
            *color = (struct shader_color){half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL, i, count};
            best_begins = begins;
        }
    }
    return color->count > 0;
}

/* "r0.x,hr4.x": the first registers of the targets' colours. */
static bool read_colors(struct shader_grid *grid, const char *text)
{
    for (grid->targets = 0; grid->targets < SHADER_GRID_TARGETS;) {
        struct shader_color *color = &grid->color[grid->targets++];
        size_t length = strcspn(text, ",");
        color->count = 4;
        if (!shader_find(grid->inputs->machine, grid->inputs->program, text, length, &color->space, &color->first) ||
            (color->space != GPUCODE_A3XX_FULL && color->space != GPUCODE_A3XX_HALF) || color->first > 240)
            return false;
        if (!text[length])
            return true;
        text += length + 1;
    }
    return false;
}

/* --color-out, or the first @out of the source, or what the shader leaves. */
static int find_color(struct drawing *drawing)
{
    struct shader_grid *grid = &drawing->grid;
    const char *text = drawing->session->arguments.value[OPTION_A3XX_COLOR_OUT];
    grid->instead = drawing->set->instead;
    if (grid->targets && !text) /* the recording says it */
        return EXIT_DONE;
    grid->targets = 1;
    if (text)
        return read_colors(grid, text)
                   ? EXIT_DONE
                   : value_refuse(
                         drawing->session, OPTION_A3XX_COLOR_OUT, text,
                         "the first of four registers (r0.x, hr0.x), or of each of up to eight render targets, "
                         "with commas between");
    struct gpucode_declaration declaration;
    for (unsigned i = 0;
         drawing->input->program && gpucode_program_declaration(drawing->input->program, i, &declaration); i++)
        if (strcmp(declaration.kind, "out") == 0 && declaration.file == 'r') {
            grid->color[0] = (struct shader_color){declaration.half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL,
                                                   declaration.first, declaration.count < 4 ? declaration.count : 4};
            drawing->declared = declaration.name ? declaration.name : "";
            return EXIT_DONE;
        }
    drawing->color_assumed = guess_color(drawing, &grid->color[0]);
    if (drawing->color_assumed)
        return EXIT_DONE;
    return complain(&drawing->session->diagnostics, CLI_A3XX_IMAGE_COLOR, drawing->input->file.name,
                    "--color-out r0.x names its first register, or @out(r0.x) in the source");
}

/* --- what came of it --------------------------------------------------------------------------------------------- */

static const char *name_of(const struct drawing *drawing, unsigned space, uint32_t number, char name[32])
{
    gpucode_machine_name(drawing->grid.inputs->machine, space, number, name, 32);
    return name;
}

/* "out.1.png": where the picture of a target after the first goes. */
static void name_target(const char *path, unsigned target, char *text, size_t size)
{
    const char *end = strrchr(path, '.');
    int length = end && !strchr(end, '/') ? (int)(end - path) : (int)strlen(path);
    if (target)
        snprintf(text, size, "%.*s.%u%s", length, path, target, path + length);
    else
        snprintf(text, size, "%s", path);
}

static void tell_targets(const struct drawing *drawing, const char *path, struct gpucode_answer *answer)
{
    const struct shader_grid *grid = &drawing->grid;
    if (grid->targets < 2)
        return;
    gpucode_answer_begin(answer, &fields[PICTURE_TARGETS]);
    for (unsigned i = 0; i < grid->targets; i++) {
        char name[32], file[NAME_ROOM];
        name_target(path, i, file, sizeof file);
        gpucode_answer_begin(answer, &fields[PICTURE_TARGET]);
        gpucode_answer_text(answer, &fields[PICTURE_TARGET_COLOR],
                            name_of(drawing, grid->color[i].space, grid->color[i].first, name));
        gpucode_answer_text(answer, &fields[PICTURE_TARGET_FILE], file);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

static int tell_picture(const struct drawing *drawing, const char *path)
{
    const struct shader_grid *grid = &drawing->grid;
    struct gpucode_answer *answer = answer_begin(drawing->session);
    char name[32];
    gpucode_answer_begin(answer, &fields[PICTURE]);
    gpucode_answer_text(answer, &fields[PICTURE_STOP], "end");
    gpucode_answer_text(answer, &fields[PICTURE_DECLARED], drawing->declared);
    if (drawing->declared)
        gpucode_answer_format(answer, &fields[PICTURE_COLOR_LINE], "%s, declared as @out %s",
                              name_of(drawing, grid->color[0].space, grid->color[0].first, name), drawing->declared);
    gpucode_answer_text(answer, &fields[PICTURE_FILE], path);
    gpucode_answer_number(answer, &fields[PICTURE_WIDTH], grid->width);
    gpucode_answer_number(answer, &fields[PICTURE_HEIGHT], grid->height);
    gpucode_answer_number(answer, &fields[PICTURE_KILLED], grid->killed);
    gpucode_answer_number(answer, &fields[PICTURE_INSTRUCTIONS], grid->instructions);
    gpucode_answer_text(answer, &fields[PICTURE_COLOR],
                        name_of(drawing, grid->color[0].space, grid->color[0].first, name));
    if (grid->has_pair)
        gpucode_answer_text(answer, &fields[PICTURE_IJ], name_of(drawing, GPUCODE_A3XX_FULL, grid->pair, name));
    gpucode_answer_flag(answer, &fields[PICTURE_IJ_ASSUMED], drawing->pair_assumed);
    gpucode_answer_flag(answer, &fields[PICTURE_COLOR_ASSUMED], drawing->color_assumed);
    tell_targets(drawing, path, answer);
    gpucode_answer_end(answer);
    return answer_end(drawing->session, answer);
}

static int complain_of_pixel(struct drawing *drawing)
{
    const struct shader_grid *grid = &drawing->grid;
    char hint[160];
    if (grid->stop.reason == GPUCODE_STOP_END)
        return out_of_memory(&drawing->session->diagnostics);
    snprintf(hint, sizeof hint, "`gpucode debug --image %ux%u --pixel %u,%u`, and the other options, shows that pixel",
             grid->width, grid->height, grid->x, grid->y);
    bool seen = grid->x < grid->width && grid->y < grid->height;
    return complain(&drawing->session->diagnostics, CLI_A3XX_IMAGE_STOPPED, drawing->input->file.name,
                    seen              ? hint
                    : grid->stop.code ? gpucode_explain(grid->stop.code)
                                      : "--limit lets it go on",
                    grid->x, grid->y, (unsigned)grid->stop.pc,
                    grid->stop.code ? grid->stop.text : "the limit of instructions is reached");
}

/* The Netpbm format of a picture with alpha: a header in text, then the bytes as they are. Null: out of memory. */
static char *make_pam(const struct shader_grid *grid, const uint8_t *rgba, size_t *size)
{
    static const char head[] = "P7\nWIDTH %u\nHEIGHT %u\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
    size_t texels = (size_t)grid->width * grid->height * 4;
    char *bytes = malloc(sizeof head + 32 + texels);
    if (!bytes)
        return NULL;
    size_t length = (size_t)sprintf(bytes, head, grid->width, grid->height);
    memcpy(bytes + length, rgba, texels);
    *size = length + texels;
    return bytes;
}

static bool is_pam(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".pam") == 0;
}

/* A name that promises another format would hold a PNG that its own programs refuse. Other names may end as they like.
 */
static int check_picture_name(struct session *session)
{
    static const char others[][8] = {".avif", ".bmp", ".dds", ".exr", ".gif", ".jpeg", ".jpg",  ".ktx",
                                     ".pgm",  ".pnm", ".ppm", ".svg", ".tga", ".tif",  ".tiff", ".webp"};
    const char *path = session->arguments.operands[0], *end = strrchr(path, '.');
    for (size_t i = 0; end && i < sizeof others / sizeof others[0]; i++)
        if (strcasecmp(end, others[i]) == 0)
            return complain(&session->diagnostics, CLI_A3XX_PICTURE_FORMAT, NULL, "name it .png or .pam", path);
    return EXIT_DONE;
}

/* PNG, or PAM where the file's name says so. */
static int encode_picture(struct drawing *drawing, const char *path, const uint8_t *rgba, void **bytes, size_t *size)
{
    struct diagnostics *diagnostics = &drawing->session->diagnostics;
    enum gpucode_status status;
    if (is_pam(path))
        status = (*bytes = make_pam(&drawing->grid, rgba, size)) ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
    else
        status = gpucode_picture_write(rgba, drawing->grid.width, drawing->grid.height, bytes, size);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(diagnostics, CLI_A3XX_NO_PICTURES, NULL, "a name that ends in .pam gives that format");
    return status == GPUCODE_OK ? EXIT_DONE : out_of_memory(diagnostics);
}

static int write_target(struct drawing *drawing, unsigned target, const uint8_t *rgba)
{
    const struct shader_grid *grid = &drawing->grid;
    char path[NAME_ROOM];
    void *bytes = NULL;
    size_t size = 0;
    name_target(drawing->session->arguments.operands[0], target, path, sizeof path);
    int code = encode_picture(drawing, path, rgba + 4 * (size_t)target * grid->width * grid->height, &bytes, &size);
    if (!code)
        code = outputs_write(&drawing->session->diagnostics, path, bytes, size);
    free(bytes);
    return code;
}

static int write_pictures(struct drawing *drawing, const uint8_t *rgba)
{
    const char *path = drawing->session->arguments.operands[0];
    bool streams = strcmp(path, "-") == 0;
    int code = EXIT_DONE;
    if (streams && drawing->session->on_terminal)
        return complain(&drawing->session->diagnostics, CLI_NO_OUTPUT, NULL, NULL);
    if (streams && drawing->grid.targets > 1)
        return value_refuse(drawing->session, OPTION_A3XX_COLOR_OUT,
                            drawing->session->arguments.value[OPTION_A3XX_COLOR_OUT],
                            "one register, where the picture goes to standard output");
    for (unsigned i = 0; !code && i < drawing->grid.targets; i++)
        code = write_target(drawing, i, rgba);
    return code || streams ? code : tell_picture(drawing, path); /* nothing else goes to standard output */
}

static void show_progress(void *user, unsigned done, unsigned total)
{
    struct drawing *drawing = user;
    if (!drawing->session->json)
        progress_show(&drawing->progress, "rows of quads", (int)done, (int)total);
}

/* What is taken for granted, and what is 0. */
static void note_assumptions(struct drawing *drawing, struct shader_inputs *inputs)
{
    const struct shader_grid *grid = &drawing->grid;
    struct diagnostics *diagnostics = &drawing->session->diagnostics;
    const char *file = drawing->input->file.name;
    char first[32], last[32];
    for (unsigned i = 0; i < 2; i++) {
        inputs->given[0][grid->pair + i] |= grid->has_pair;
        inputs->given[0][grid->place + i] |= grid->has_place;
    }
    if (drawing->pair_assumed)
        complain(diagnostics, CLI_A3XX_IMAGE_ASSUMED, file, "--ij says otherwise", "the barycentric pair", "r0.x",
                 "r0.y");
    if (drawing->color_assumed)
        complain(diagnostics, CLI_A3XX_IMAGE_ASSUMED, file, "--color-out, or @out in the source, says otherwise",
                 "the colour", name_of(drawing, grid->color[0].space, grid->color[0].first, first),
                 name_of(drawing, grid->color[0].space, grid->color[0].first + grid->color[0].count - 1, last));
    shader_note_missing(drawing->session, drawing->input, inputs);
}

static int draw_picture(struct drawing *drawing)
{
    struct diagnostics *diagnostics = &drawing->session->diagnostics;
    uint8_t *rgba = malloc((size_t)drawing->grid.width * drawing->grid.height * 4 * drawing->grid.targets);
    if (!rgba)
        return out_of_memory(diagnostics);
    progress_begin(&drawing->progress);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    bool many = (uint64_t)drawing->grid.width * drawing->grid.height >= MANY_PIXELS;
    drawing->grid.jobs = many && processors > 0 ? (unsigned)processors : 1;
    drawing->grid.progress = show_progress;
    drawing->grid.user = drawing;
    bool good = shader_grid_run(&drawing->grid, rgba);
    progress_clear(&drawing->progress);
    int code = good ? write_pictures(drawing, rgba) : complain_of_pixel(drawing);
    free(rgba);
    return code;
}

static int draw(struct drawing *drawing, struct shader_inputs *inputs)
{
    int code = check_picture_name(drawing->session);
    if (!code)
        code = read_size(drawing);
    if (!code)
        code = read_pair(drawing, OPTION_A3XX_FRAG_COORD, &drawing->grid.has_place, &drawing->grid.place);
    if (!code)
        code = find_pair(drawing);
    if (!code)
        code = find_color(drawing);
    if (!code)
        note_assumptions(drawing, inputs);
    return code ? code : draw_picture(drawing);
}

/* What is said of a picture is said of none. */
static int refuse_without_picture(struct session *session)
{
    static const unsigned options[] = {OPTION_A3XX_FRAG_COORD, OPTION_A3XX_COLOR_OUT};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (arguments_have(&session->arguments, options[i]))
            return value_refuse(session, options[i], session->arguments.value[options[i]],
                                "a run with --image WIDTHxHEIGHT, the size of the picture");
    return EXIT_DONE;
}

int shader_quad(struct session *session, const struct shader_set *set, const struct input *input,
                struct shader_inputs *inputs)
{
    if (!shader_picture_is_quad(session))
        return refuse_without_picture(session);
    struct drawing drawing = {.session = session, .set = set, .input = input, .grid = {.inputs = inputs}};
    unsigned x = 0, y = 0;
    set->usage(input->image, &drawing.usage);
    if (!arguments_have(&session->arguments, OPTION_A3XX_IMAGE))
        return value_refuse(session, OPTION_A3XX_PIXEL, session->arguments.value[OPTION_A3XX_PIXEL],
                            "a run with --image WIDTHxHEIGHT, the size of the picture");
    int code = read_size(&drawing);
    if (!code && !arguments_have(&session->arguments, OPTION_A3XX_PIXEL))
        code = value_refuse(session, OPTION_A3XX_IMAGE, session->arguments.value[OPTION_A3XX_IMAGE],
                            "--pixel X,Y with it: one quad is debugged");
    const char *text = session->arguments.value[OPTION_A3XX_PIXEL];
    if (!code && !shader_pixel_place(&drawing.grid, text, &x, &y))
        code = value_refuse(session, OPTION_A3XX_PIXEL, text,
                            "X,Y from 0,0, the upper left, to the last pixel of --image");
    if (!code)
        code = read_pair(&drawing, OPTION_A3XX_FRAG_COORD, &drawing.grid.has_place, &drawing.grid.place);
    if (!code)
        code = find_pair(&drawing);
    if (code)
        return code;
    shader_grid_place(&drawing.grid, x, y);
    for (unsigned i = 0; i < 2; i++) {
        inputs->given[0][drawing.grid.pair + i] |= drawing.grid.has_pair;
        inputs->given[0][drawing.grid.place + i] |= drawing.grid.has_place;
    }
    if (drawing.pair_assumed)
        complain(&session->diagnostics, CLI_A3XX_IMAGE_ASSUMED, input->file.name, "--ij says otherwise",
                 "the barycentric pair", "r0.x", "r0.y");
    return EXIT_DONE;
}

/* --- as `run` has it ---------------------------------------------------------------------------------------------- */

void shader_picture_settle(const struct session *session, const struct shader_set *set, struct shader_group *group,
                           struct gpucode_setting *settings)
{
    if (!arguments_have(&session->arguments, OPTION_A3XX_IMAGE))
        return;
    *group = (struct shader_group){0};
    settings[0] = (struct gpucode_setting){set->threads, QUOTE(SHADER_GRID_QUAD)};
    settings[1] = (struct gpucode_setting){NULL, NULL};
}

void shader_picture_widen(const struct shader_run *run, struct gpucode_setting *settings)
{
    const struct arguments *arguments = &run->session->arguments;
    struct gpucode_a3xx_usage usage;
    if (!arguments_have(arguments, OPTION_A3XX_IMAGE) || arguments_have(arguments, OPTION_A3XX_PIXEL) ||
        run->set->usage(run->input->image, &usage) != GPUCODE_OK || usage.writes_memory)
        return;
    if (run->set->sees_others && run->set->sees_others(run->input->image))
        return;
    for (const struct gpucode_setting *setting = settings + 1; setting->name; setting++)
        if (strcmp(setting->name, run->set->threads) == 0 || strcmp(setting->name, run->set->meeting) == 0)
            return;
    settings->value = QUOTE(SHADER_GRID_THREADS);
}

int shader_picture_run(struct shader_run *run, uint64_t limit)
{
    const struct arguments *arguments = &run->session->arguments;
    if (arguments_have(arguments, OPTION_A3XX_IMAGE) && !arguments_have(arguments, OPTION_A3XX_PIXEL)) {
        struct drawing drawing = {.session = run->session,
                                  .set = run->set,
                                  .input = run->input,
                                  .grid = {.inputs = &run->inputs, .limit = limit}};
        run->set->usage(run->input->image, &drawing.usage);
        return draw(&drawing, &run->inputs);
    }
    int code = shader_quad(run->session, run->set, run->input, &run->inputs);
    return code ? code : shader_run_machine(run, limit);
}

bool shader_picture_is_quad(const struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    return arguments_have(arguments, OPTION_A3XX_IMAGE) ||
           (arguments_have(arguments, OPTION_A3XX_PIXEL) && !session->recorded);
}

int shader_picture_select(struct session *session, struct gpucode_debug *debug)
{
    const char *at = session->arguments.value[OPTION_A3XX_PIXEL];
    uint64_t x, y;
    if (!at || !number_take(&at, &x) || !number_read(at + 1, UINT64_MAX, &y))
        return EXIT_DONE; /* there is none: it was looked at when the machine was made */
    enum gpucode_status status = gpucode_debug_select(debug, (unsigned)((y & 1) * 2 + (x & 1)));
    return status == GPUCODE_OK
               ? EXIT_DONE
               : complain(&session->diagnostics, CLI_INTERNAL, NULL, NULL, gpucode_status_text(status));
}
