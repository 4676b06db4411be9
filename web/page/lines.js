// SPDX-License-Identifier: MIT
// Which lines of a text another version of it has changed: "- old", "+ new", in order, with the number of the line in front.

const lines_of = (text) => text.replace(/\n$/, "").split("\n");

// The longest common part of two lists of lines, as lengths[i][j] of what is behind i and j.
function common_lengths(old, now) {
    const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
    for (let i = old.length - 1; i >= 0; i--)
        for (let j = now.length - 1; j >= 0; j--)
            lengths[i][j] = old[i] === now[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    return lengths;
}

export function differences(before, after) {
    const old = lines_of(before), now = lines_of(after), changes = [];
    let start = 0, end = 0;
    while (start < old.length && start < now.length && old[start] === now[start])
        start++;
    while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end))
        end++;
    const left = old.slice(start, old.length - end), right = now.slice(start, now.length - end);
    if (left.length > 4000 || right.length > 4000)
        return [`lines ${start + 1} to ${start + left.length} change`];
    const lengths = common_lengths(left, right);
    for (let i = 0, j = 0; i < left.length || j < right.length; )
        if (i < left.length && j < right.length && left[i] === right[j]) {
            i++;
            j++;
        } else if (i < left.length && (j === right.length || lengths[i + 1][j] >= lengths[i][j + 1])) {
            changes.push(`${String(start + i + 1).padStart(4)} - ${left[i++].trim()}`);
        } else {
            changes.push(`     + ${right[j++].trim()}`);
        }
    return changes;
}
