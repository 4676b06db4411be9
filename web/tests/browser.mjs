// SPDX-License-Identifier: MIT
// The browser that tests drive; undefined: there is none.
import { spawnSync } from "node:child_process";

export const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((name) => spawnSync(name, ["--version"]).status === 0);
