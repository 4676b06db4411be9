/* SPDX-License-Identifier: MIT */
/* The fixed parts of the page of --html. */
#ifndef GPU_PAGE_H
#define GPU_PAGE_H

static const char page_head[] =
    "<!doctype html><html lang=en><meta charset=utf-8><title>gpucode decode</title>\n"
    "<style>body{font:14px/1.4 monospace;margin:1em;background:#fff;color:#222}td{padding:0 .8em 0 "
    "0;vertical-align:top}"
    "summary{cursor:pointer;padding:.2em 0}h2{font-size:1em}.c{background:#fff3c4}td:last-child,i{color:#777}"
    "input{font:inherit;width:30em;position:sticky;top:0}@media(prefers-color-scheme:dark){body{background:#181818;"
    "color:#ddd}.c{background:#443a10}a{color:#8bf}}</style>\n"
    "<input id=q type=search placeholder='search registers, fields, values' aria-label=search> <span id=n></span>\n";

/* Draws without a match are hidden, those with one are opened, and only their matching rows stay. */
static const char page_tail[] =
    "<script>const q=document.getElementById('q'),n=document.getElementById('n');let t;\n"
    "q.oninput=()=>{clearTimeout(t);t=setTimeout(()=>{const w=q.value.toLowerCase();let k=0;\n"
    "for(const d of document.querySelectorAll('details')){let hit=0;for(const r of d.querySelectorAll('tr')){\n"
    "const m=!w||r.textContent.toLowerCase().includes(w);r.hidden=!m;hit+=m}\n"
    "const own=w&&d.firstChild.textContent.toLowerCase().includes(w);if(own)for(const r of "
    "d.querySelectorAll('tr'))r.hidden=false;\n"
    "d.hidden=w&&!hit&&!own;d.open=w&&hit>0&&!own;k+=w?hit:0}n.textContent=w?k+' values':''},150)};\n"
    "const go=()=>{const "
    "d=document.getElementById(location.hash.slice(1));if(d)d.open=true};onhashchange=go;go()</script>\n";

#endif
