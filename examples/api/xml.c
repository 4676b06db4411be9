/* SPDX-License-Identifier: MIT */
/* Register names from an XML file; link with gpucode-xml and expat. */
#include <gpucode/xml.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char file[] = "<database xmlns=\"http://nouveau.freedesktop.org/\">"
                               "<domain name=\"A6XX\"><reg32 offset=\"0x1234\" name=\"MY_REGISTER\"/></domain>"
                               "</database>";
    const struct gpucode_target *target = gpucode_target_find("afuc:a630");
    const struct gpucode_diagnostic_handler silent = {0};
    struct gpucode_xml *xml = NULL;
    char name[GPUCODE_NAME_MAX];
    if (gpucode_xml_load(file, strlen(file), "mine.xml", target, &silent, &xml) != GPUCODE_OK)
        return 1;
    if (gpucode_name_of(target, gpucode_xml_names(xml), GPUCODE_SPACE_GPU, 0x1234, name, sizeof name))
        printf("0x1234 is %s\n", name);
    gpucode_xml_free(xml);
    return 0;
}
