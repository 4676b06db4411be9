// SPDX-License-Identifier: MIT
// Colours of the editor: what the language server says each word is, for the lines in view.
import { RangeSetBuilder, StateEffect } from "@codemirror/state";
import { Decoration, ViewPlugin } from "@codemirror/view";
import { LSPPlugin } from "@codemirror/lsp-client";

const redraw = StateEffect.define(), pause_ms = 100; // of scrolling

// Five numbers a word: lines and columns from the one before it, length, type, modifiers.
function decorations_of(doc, data, types) {
    const builder = new RangeSetBuilder();
    let line = 0, column = 0;
    for (let i = 0; i + 5 <= data.length; i += 5) {
        column = data[i] ? data[i + 1] : column + data[i + 1];
        line += data[i];
        if (line >= doc.lines)
            break;
        const { from, to } = doc.line(line + 1), start = Math.min(from + column, to), end = Math.min(start + data[i + 2], to);
        if (start < end)
            builder.add(start, end, Decoration.mark({ class: `word-${types[data[i + 3]]}` }));
    }
    return builder.finish();
}

export const colours = (language) => ViewPlugin.fromClass(class {
    constructor(view) {
        this.view = view;
        this.decorations = Decoration.none;
        language.on_answer = () => this.ask(); // the server has read the text
    }

    update(update) {
        if (update.docChanged)
            this.decorations = this.decorations.map(update.changes);
        if (update.viewportChanged && !update.docChanged) {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.ask(), pause_ms);
        }
    }

    async ask() {
        const plugin = LSPPlugin.get(this.view), types = plugin?.client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes;
        const { doc } = this.view.state, { from, to } = this.view.viewport;
        if (!types || plugin.syncedDoc !== doc)
            return; // once it knows this text it answers again
        const range = { start: { line: doc.lineAt(from).number - 1, character: 0 }, end: { line: doc.lineAt(to).number, character: 0 } };
        const answer = await plugin.client.request("textDocument/semanticTokens/range", { textDocument: { uri: plugin.uri }, range }).catch(() => null);
        if (!answer || this.gone || this.view.state.doc !== doc)
            return;
        this.decorations = decorations_of(doc, answer.data, types);
        this.view.dispatch({ effects: redraw.of(null) });
    }

    destroy() {
        this.gone = true;
        clearTimeout(this.timer);
    }
}, { decorations: (plugin) => plugin.decorations });
