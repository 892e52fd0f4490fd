// The table of SPEC.md on what the real system's cases are held by.
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allKinds, casesOf, golden, isAbsent } from "./metnosOracle.ts";

interface Row {
  readonly kinds: readonly string[];
  readonly heldBy: string;
  readonly leftOut: string;
}

const isTableHere = existsSync("SPEC.md");
const [, section = ""] = isTableHere
  ? readFileSync("SPEC.md", "utf8").split("### What the oracle of synt covers")
  : [];
const rows: readonly Row[] = (section.split("\n## ")[0] ?? "")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [, kinds = "", heldBy = "", leftOut = ""] = line.split("|").map((cell) => cell.trim());
    return {
      kinds: [...kinds.matchAll(/`([^`]+)`/g)].map(([, kind]) => kind ?? ""),
      heldBy,
      leftOut,
    };
  });
const textOf = (name: string): string => {
  const [path] = ["test/machines/synt/**", "test/substrate", "test"].flatMap((folder) =>
    globSync(`${folder}/${name}`),
  );
  return path === undefined ? "" : readFileSync(path, "utf8");
};

it.runIf(isTableHere)("[SO1] says for each kind either what holds it or why nothing does", () => {
  const unclear = rows.filter(({ heldBy, leftOut }) => (heldBy === "") === (leftOut === ""));
  const kinds = rows.flatMap((row) => row.kinds);

  expect(unclear).toEqual([]);
  expect(kinds.length).toBeGreaterThan(40);
  expect(kinds.filter((kind, index) => kinds.indexOf(kind) !== index)).toEqual([]);
});

describe.skipIf(isAbsent || !isTableHere)(golden("the table of kinds"), () => {
  it("[SO1] has every kind once, and no other", () => {
    expect(rows.flatMap(({ kinds }) => kinds).toSorted()).toEqual(allKinds);
  });

  it("[SO1] what holds a kind reads its golden cases", () => {
    const held = rows.filter(({ heldBy }) => heldBy !== "");
    const unread = held.flatMap(({ kinds, heldBy }) =>
      kinds.filter((kind) => casesOf(kind).length === 0 || !textOf(heldBy).includes(`"${kind}`)),
    );

    expect(held.length).toBeGreaterThan(0);
    expect(unread).toEqual([]);
  });
});
