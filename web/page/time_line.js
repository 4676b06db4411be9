// SPDX-License-Identifier: MIT
// A script's time line as a picture.

// A picture of the program's as elements, so that it scales and its titles are read.
export function svg_of(bytes, label) {
    const parsed = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement;
    const drawn = document.importNode(parsed, true);
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", label);
    return drawn;
}

// {drawn (the picture, or null), actions, text}
export async function time_line_of(engine, view) {
    const plot = "page-plot.svg", args = ["run", ...view.options, view.name];
    const { made, objects } = await engine.objects([...args, "--plot", plot], view.files, { wanted: [plot] });
    return { drawn: made[plot] ? svg_of(made[plot], "time line") : null, actions: objects.filter(({ action }) => action) };
}
