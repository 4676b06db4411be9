/* SPDX-License-Identifier: MIT */
/* Prints who calls a routine of a small firmware, as text and as JSON. */
#include <gpucode/report.h>
#include <stdio.h>

static bool print(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, user) == length;
}

int main(void)
{
    static const char source[] = "[016ee002]\n[#jumptbl]\n"
                                 "call #level\nmov $02, 0x2\n"
                                 "CP_NOP:\nwaitin\nmov $01, $data\n"
                                 "level:\ncwrite $02, [$00 + @IB_LEVEL]\nret\nnop\n"
                                 "jumptbl:\n.jumptbl\n";
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_analysis *analysis;
    if (gpucode_assemble(source, sizeof source - 1, NULL, &program) != GPUCODE_OK ||
        gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), NULL, &image) != GPUCODE_OK ||
        gpucode_analyse(image, NULL, &analysis) != GPUCODE_OK)
        return 1;
    const struct gpucode_subject subject = {.image = image, .analysis = analysis, .program = program};
    struct gpucode_answer *answer = gpucode_answer_create();
    enum gpucode_status status = gpucode_report_references(&subject, "level", answer, NULL);
    for (unsigned form = GPUCODE_ANSWER_AS_TEXT; status == GPUCODE_OK && form <= GPUCODE_ANSWER_AS_JSON; form++)
        status = gpucode_answer_render(
            answer, &(struct gpucode_answer_options){.form = form, .write = print, .user = stdout});
    gpucode_answer_free(answer);
    gpucode_analysis_free(analysis);
    gpucode_image_free(image);
    gpucode_program_free(program);
    return status != GPUCODE_OK;
}
