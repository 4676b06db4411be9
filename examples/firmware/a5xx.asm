; SPDX-License-Identifier: MIT
;
; Both firmwares of a5xx in one file, which is not how drivers load them: for tools that want one. `gpucode run` makes the
; same of a5xx_pfp.asm --me a5xx_pm4.asm.
.target afuc:a530
.include "a5xx_pfp.asm"
.section PM4
.include "a5xx_pm4.asm"
