# debug macro.asm
# Places in macros, of this source and of a map.
break macro.asm:5
break macro.asm:11
continue
where
continue
continue
info line
reverse-continue
