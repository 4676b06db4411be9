// SPDX-License-Identifier: MIT
// What ran, as colours of a graph: green for what ran, yellow for a part of it, red for what did not. A text or a dashed edge
// says the same to those who see no colours.

const whole = "#a5d6a7", part = "#fff3a0", none = "#f3b8b0";
const share = (ran, of) => (ran === 0 ? none : ran === of ? whole : part);

// `coverage --json` and `graph --json` of the same code -> a function from a unit of a section to whether it ran, and
// {ran, of} by function, both by the numbers that the graph's nodes have.
export function coverage_of(report, graph) {
    const sections = graph.sections.map(({ name, functions }) => {
        const covered = report.sections.find((section) => section.name === name);
        const runs = covered?.ran_words ?? covered?.ran_bytes ?? [];
        const start = (one) => one.start_words ?? one.start_bytes;
        return { runs, functions: functions.map((one) => covered?.routines.findLast((routine) => start(routine) <= start(one))) };
    });
    return {
        has_run: (section, unit) => sections[section]?.runs.some(([first, last]) => first <= unit && unit <= last) ?? false,
        share: (section, index) => sections[section]?.functions[index],
    };
}

// A graph in graphviz' language, coloured.
export function colour(dot, { has_run, share: share_of }) {
    const words = (routine) => `<BR/>${routine.ran} of ${routine.instructions} ran`;
    return dot.split("\n").map((line) => {
        const block = line.match(/^\s*b(\d+)_\d+_(\d+) \[/), node = line.match(/^\s*f(\d+)_(\d+) \[/);
        if (block) {
            const ran = has_run(Number(block[1]), Number(block[2]));
            return line.replace(/style=filled, fillcolor="[^"]*"/, ran ? `style=filled, fillcolor="${whole}"` : `style="filled,dashed", fillcolor="${none}"`);
        }
        const routine = node && share_of(Number(node[1]), Number(node[2]));
        if (routine)
            return line.replace(/fillcolor="[^"]*"/, `fillcolor="${share(routine.ran, routine.instructions)}"`).replace(/>\];$/, `${words(routine)}>];`);
        return line.replace(/ID="f(\d+)_(\d+)"([^>]*)BGCOLOR="[^"]*">(.*?)<\/TD>/g, (cell, section, index, rest, label) => {
            const alone = share_of(Number(section), Number(index));
            return alone ? `ID="f${section}_${index}"${rest}BGCOLOR="${share(alone.ran, alone.instructions)}">${label}${words(alone)}</TD>` : cell;
        });
    }).join("\n").replace(/label=<([^>]*?)(<BR\/>)/, 'label=<$1<BR/><FONT COLOR="#2e7d32">&#9632;</FONT> ran <FONT COLOR="#c9a500">&#9632;</FONT> in part <FONT COLOR="#c62828">&#9632;</FONT> did not run$2');
}
