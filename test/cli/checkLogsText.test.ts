// What `check` says of logs, and how it ends, of findings that are made up.
import { expect, it } from "vitest";
import { checkLogsCommand, codeOf, foundText, withoutAllowed } from "../../src/cli/checkLogs.ts";
import { bundlesBelow } from "../../src/edges/bundle/bundleFolders.ts";
import type { FolderFindings } from "../../src/edges/pool/findWork.ts";
import type { Occurrence } from "../../src/findings/finding.ts";
import { newFolder } from "../folders.ts";

type Read = Extract<FolderFindings, { readonly unread?: never }>;

const place = (finding: string, seq: number, tool = "save"): Occurrence => ({
  ...{ finding, seq, step: null, atMs: 0, tool, agent: "cedar", says: `${finding} at ${seq}` },
  related: [],
});
function log(folder: string, occurrences: readonly Occurrence[], change: Partial<Read> = {}): Read {
  return {
    ...{ folder, deliveries: 9, partial: false, judged: null, occurrences },
    facts: { offered: 1, called: 1, returned: 1, said: 1, judged: 0 },
    tallies: occurrences.map(({ finding, tool, agent }) => ({ finding, tool, agent, count: 1 })),
    ...change,
  };
}
const broken = (exitCode: number): FolderFindings => ({
  ...{ folder: "bad", unread: { says: "bad", exitCode } },
});
const told = (all: readonly FolderFindings[], ids = ["empty-success", "same-again"]) => ({
  ...{ folder: "logs", asked: all.length, ids, all },
});

it("[FI20, FI45] a tested finding exits 1, an untested one 0, and what cannot be read by the worst of its codes", () => {
  const code = (mayLack: boolean, ...all: readonly FolderFindings[]) =>
    codeOf(all, { untested: ["same-again"], mayLack });
  const found = log("a", [place("empty-success", 4)]);
  const lacking = log("a", [], { notRead: { count: 1 } as NonNullable<Read["notRead"]> });

  expect(code(false, log("a", []))).toBe(0);
  expect(code(false, log("a", [place("same-again", 4)]))).toBe(0);
  expect(code(false, log("b", []), found)).toBe(1);
  expect([code(false, lacking), code(true, lacking)]).toEqual([1, 0]);
  expect(code(true, lacking, found)).toBe(1);
  expect([code(false, broken(2), found), code(false, broken(3), broken(2))]).toEqual([2, 3]);
});

it("[FI22] a folder without a bundle is bad usage, and names import", () => {
  expect(() => bundlesBelow(newFolder())).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringContaining("ghostlight import "),
    }),
  );
});

it("[FI20] where none of several logs could be read, nothing was looked for", () => {
  expect(foundText(told([broken(2), broken(2)]))).toBe(
    "logs: none of 2 logs could be read, so that nothing was looked for.",
  );
});

it("[FI24] the table goes by finding and then by how many, and the first place of each is told", () => {
  const many = [place("same-again", 3), place("same-again", 5, "find"), place("empty-success", 7)];
  const tallies = [
    ...[1, 4].map((count) => ({ finding: "same-again", tool: `t${count}`, agent: "a", count })),
    { finding: "same-again", tool: "t4", agent: "ann", count: 2 },
    { finding: "empty-success", tool: "save", agent: "a", count: 2 },
  ];
  const text = foundText(told([log("a", []), log("b", many, { tallies })]));

  expect(text.match(/^\| (\S+) \(untested\) +\| \S+ +\| a\w*/gm)).toEqual([
    expect.stringMatching(/empty-success .*save/),
    expect.stringMatching(/same-again .*t4 .*a$/),
    expect.stringMatching(/same-again .*t4 .*ann$/),
    expect.stringMatching(/same-again .*t1/),
  ]);
  expect(text).toContain("same-again at 3\n    npx ghostlight why b 3");
  expect(text).not.toContain("same-again at 5");
});

it("[FI25] a finding is named where no log holds what it rests on, and not where some do", () => {
  const facts = { offered: 0, called: 0, returned: 0, said: 1, judged: 0 };
  const bare = log("a", [], { facts });

  expect(foundText(told([bare, bare]))).toContain("same-again: no calls, no results");
  expect(foundText(told([bare, log("b", [])]))).not.toContain("same-again: no");
});

it("[FI23] what is allowed without a tool is allowed with each, and with one of that alone", () => {
  const beside = place("empty-success", 7, "find");
  const again = [place("same-again", 3), place("same-again", 5, "find")];
  const logs = told([log("a", [...again, beside])]);
  const left = (tool: string | null) => {
    const { all, allowed } = withoutAllowed(logs, [{ finding: "same-again", tool }]);
    return [
      allowed,
      all.flatMap((one) => (one.unread === undefined ? one.occurrences.map(({ seq }) => seq) : [])),
    ];
  };

  expect([left(null), left("find"), left("other")]).toEqual([
    [2, [7]],
    [1, [3, 7]],
    [0, [3, 5, 7]],
  ]);
});

it.each([
  ...["runs", "seed", "property", "set", "profile", "interpreter", "cache", "out", "assert"],
  "list",
])("[FI23] logs have no --%s", async (name) => {
  await expect(checkLogsCommand("nowhere", { [name]: true })).rejects.toThrow(`--${name}`);
});
