/* SPDX-License-Identifier: MIT */
#include "front/kinds.h"

#include "front/session.h"
#include "utf8/utf8.h"

#include <gpucode/asm.h>
#include <gpucode/image.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A kind of file that begins with certain bytes. */
struct kind {
    const char *bytes;
    size_t length;
    const char *what, *advice;
};

static const struct kind kinds[] = {
    {"\x89PNG", 4, "a PNG picture", "pictures are what `run --texture` reads and `run --image` writes"},
    {"\x1f\x8b", 2, "compressed by gzip",
     "a recorded stream (.rd.gz) is for `gpucode decode`, `replay` and `extract`; decompress other files first"},
    {"\x28\xb5\x2f\xfd", 4, "compressed by zstd", "decompress it first: zstd -d FILE"},
    {"\xfd"
     "7zXZ",
     5, "compressed by xz", "decompress it first: xz -d FILE"},
    {"PK\3\4", 4, "a zip archive", "take the file out of it first: unzip FILE"},
    {"\x7f"
     "ELF",
     4, "a program or object file of the computer",
     "GPU code stands in files of its own: firmware, shaders, scripts; of ELF files those of `asm --form elf`"},
    {"\x55\xaa", 2, "an option ROM, such as a video BIOS", "`gpucode extract` takes the code out of it"},
};

static uint32_t word_at(const struct file *file, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)file->bytes + at;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Records of a type and a size, one behind the other: the first two are looked at. */
static bool is_recording(const struct file *file)
{
    size_t at = 0;
    for (unsigned i = 0; i < 2; i++) {
        if (file->size - at < 8 || !word_at(file, at) || word_at(file, at) > 20)
            return false;
        uint32_t length = word_at(file, at + 4);
        if (length > file->size - at - 8)
            return false;
        at += 8 + length;
    }
    return true;
}

/* Text: a source, a log of a driver, or something else. */
static const char *kind_of_text(const struct file *file, const char **advice, char *what, size_t size)
{
    const struct gpucode_target *target = gpucode_source_target(file->bytes, file->size);
    if (target) {
        snprintf(what, size, "a source for %s", gpucode_target_name(target));
        *advice = "`gpucode asm` makes code of it; `run`, `debug` and `lint` take it as it is";
        return what;
    }
    *advice =
        "a source names its target in its first line, `.target NAME`, or with -t; `gpucode extract` looks for code "
        "in logs and traces, and --hex reads hex digits";
    return "text";
}

/* Code of which the bytes themselves say what it is. */
static const char *kind_of_image(const struct file *file, const char **advice, char *what, size_t size)
{
    struct gpucode_image *image;
    if (gpucode_image_open(file->bytes, file->size, NULL, &image) != GPUCODE_OK)
        return NULL;
    snprintf(what, size, "code for %s", gpucode_target_name(gpucode_image_info(image)->target));
    gpucode_image_free(image);
    *advice = "`gpucode disasm` lists it, `info` says what is in it, `run` and `debug` run it";
    return what;
}

/* Is that what the user has just done? Such advice begins with the command's name. */
static bool advises_the_same(const struct session *session, const char *advice)
{
    const char *name = session->command->name;
    size_t length = strlen(name);
    return strncmp(advice, "`gpucode ", 9) == 0 && strncmp(advice + 9, name, length) == 0 && advice[9 + length] == '`';
}

void kinds_tell(struct session *session, const struct file *file)
{
    const char *what = NULL, *advice = NULL;
    char text[128];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !what; i++)
        if (file->size >= kinds[i].length && memcmp(file->bytes, kinds[i].bytes, kinds[i].length) == 0) {
            what = kinds[i].what;
            advice = kinds[i].advice;
        }
    if (!what && !file->size) {
        what = "empty";
    } else if (!what && is_recording(file)) {
        what = "a recorded command stream";
        advice = "it is for `gpucode decode`, `replay` and `extract`";
    } else if (!what && utf8_is_text(file->bytes, file->size)) {
        what = kind_of_text(file, &advice, text, sizeof text);
    } else if (!what) {
        what = kind_of_image(file, &advice, text, sizeof text);
    }
    if (advice && advises_the_same(session, advice))
        advice = NULL;
    if (what)
        complain(&session->diagnostics, CLI_FILE_KIND, file->name, advice, what);
}
