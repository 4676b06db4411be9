/* SPDX-License-Identifier: MIT */
/* What a page of HTML is made of beside the answer: style, and the search over what is folded. */
#ifndef ANSWER_PAGE_H
#define ANSWER_PAGE_H

static const char page_style[] =
    "<style>:root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;margin:1em auto;max-width:110ch;"
    "padding:0 1em}body:has(.sides){max-width:190ch}pre,table{font:13px/1.4 "
    "ui-monospace,monospace}pre{white-space:pre-wrap}ins{color:#080;"
    "text-decoration:none}del{color:#b00;text-decoration:none}mark{background:none;color:#960}var{font-style:normal;"
    "color:#068}small{font-size:1em;opacity:.6}summary{cursor:pointer}"
    "#bar{position:fixed;top:0;left:0;right:0;height:3em;display:flex;gap:1em;align-items:center;padding:0 "
    "1em;box-sizing:border-box;border-bottom:1px solid #8888}html:has(#q){overflow:hidden}"
    "html:has(#q) body{margin:3em 0 0;height:calc(100vh - 3em);max-width:none;box-sizing:border-box;overflow:auto}"
    "details{overflow-x:auto;content-visibility:auto;contain-intrinsic-size:auto 1.4em}"
    "input{font:inherit;width:30em;max-width:70%}td{padding:0 1ch 0 0;white-space:pre;vertical-align:top}"
    "h1{font-size:1.3em}table.sides,.sides tbody{display:block}.sides tr{display:flex}.sides tr:hover{background:#8882}"
    ".sides td{flex:1 1 0;min-width:0;overflow-x:auto;padding:0}.sides td+td{border-left:1px solid #8888}"
    "@media(prefers-color-scheme:dark){ins{color:#7d7}del{color:#f88}mark{color:#fc6}var{color:#6cf}}</style>";

/* Above everything that scrolls, so that it covers nothing. */
static const char search_field[] = "<span id=bar><input id=q type=search placeholder='search what is folded' "
                                   "aria-label=search><span id=n></span></span>";

/*
 * Rows stand once in the page, and "@N" for row N where it comes again. A part that is opened for the first time has
 * its rows made into elements. The search looks through the rows: parts without a match are hidden, the first with one
 * are opened, and of a part that is open only matching rows stay.
 */
static const char search_script[] =
    "<script>const q=document.getElementById('q'),n=document.getElementById('n');let t,w='',all,low,match=[];\n"
    "const parts=document.getElementsByTagName('details'),plain=r=>r.replace(/<[^>]*>/g,'').toLowerCase();\n"
    "const make=()=>{if(all)return;all=[];for(const d of parts){d.rows=[];const s=d.querySelector('script');"
    "if(!s)continue;const p=s.textContent.split('</tr>\\n');d.end=p.pop();for(const r of p){"
    "const at=r.indexOf('<tr>'),b=r.slice(at+4);if(at)d.rows.push(r.slice(0,at));"
    "d.rows.push(b[0]=='@'?+b.slice(1):all.push(b)-1)}}low=all.map(plain)};\n"
    "const sift=d=>{for(const r of d.querySelectorAll('tr'))r.hidden=w&&!d.own&&!plain(r.innerHTML).includes(w)};\n"
    "const fill=d=>{make();const s=d.querySelector('script');if(s){const e=document.createElement('div');"
    "e.innerHTML=d.rows.map(i=>typeof i=='number'?'<tr>'+all[i]+'</tr>':i).join('')+d.end;s.replaceWith(e)}sift(d)};\n"
    "document.addEventListener('toggle',e=>{if(e.target.open)fill(e.target)},true);\n"
    "const "
    "search=()=>{make();w=q.value.toLowerCase().replace(/&/g,'&amp;').replace(/</g,'&lt;').replace(/>/g,'&gt;');\n"
    "match=low.map(r=>r.includes(w));let k=0,open=0;for(const d of parts){\n"
    "d.own=w&&plain(d.firstChild.innerHTML).includes(w);const hit=w?d.rows.filter(i=>match[i]).length:0;\n"
    "d.hidden=w&&!hit&&!d.own;d.open=w&&hit&&!d.own&&open++<20;if(d.open)fill(d);k+=hit}\n"
    "n.textContent=w?k+' values':''};\n"
    "q.oninput=()=>{clearTimeout(t);t=setTimeout(search,150)};\n"
    "const go=()=>{const d=document.getElementById(location.hash.slice(1));if(d)d.open=true};onhashchange=go;go()"
    "</script>\n";

#endif
