// What bubblewrap is told: what a program behind it may see of the host, and that it may write none of it.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findWalls } from "../../../src/edges/processes/bwrap.ts";
import { newFolder } from "../../folders.ts";

it.skipIf(process.platform !== "linux")(
  "[SB6] all that the walls show of the host is mounted to be read only",
  () => {
    const folder = newFolder();
    writeFileSync(join(folder, "bwrap"), "");
    chmodSync(join(folder, "bwrap"), 0o755);

    const told = findWalls(folder)?.(["/usr/bin/node", "child.js"], ["/app/*", "/data"]) ?? [];

    const mounts = told.filter((word) => /bind/.test(word));
    expect(new Set(mounts)).toEqual(new Set(["--ro-bind-try", "--ro-bind"]));
    // The clock behind them is as without: in no zone of the host.
    expect(told.join(" ")).toContain("--setenv TZ UTC");
    for (const file of ["/usr/bin/node", "/app", "/data"]) {
      expect(told.join(" ")).toContain(`--ro-bind ${file} ${file}`);
    }
  },
);
