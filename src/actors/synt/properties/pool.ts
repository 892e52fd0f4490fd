/** The pools of random worlds with synt: lines of executors, twins, a family, and what was seen of them. Ours. */
import fc from "fast-check";
import type { Said } from "./answers.ts";

const HOPS = "read filter sort group classify compress share"
  .split(" ")
  .map((verb) => `${verb}_files`);
export const FAMILY = ["image", "audio", "doc"];

const described = (name: string): string =>
  `SCOPO: ${name.replaceAll("_", " ")}. PATTERN: ${name}(items). NON: nothing else. OUT: what it did.`;
const executor = (name: string, more: Said = {}): Said => ({
  ...{ name, description: described(name), ...more },
});

export const pool = fc.record({
  hops: fc.nat(HOPS.length - 1),
  short: fc.option(fc.tuple(fc.nat(HOPS.length - 1), fc.nat(HOPS.length - 1))),
  // Where a heavy one leads back along a light line, a walk in circles would be the best.
  shortUses: fc.constantFrom(3, 40),
  lineUses: fc.constantFrom(9, 9, 2),
  works: fc.constantFrom(1_000, 1_000, 700, 0),
  pair: fc.constantFrom("none", "same", "differ"),
  family: fc.constantFrom("none", "same", "differ"),
  hot: fc.boolean(),
  links: fc.constantFrom(0, 10, 51),
});
type Pool = typeof pool extends fc.Arbitrary<infer T> ? T : never;

/** `read_files` and the pool's hops to `share_files`, where there are any. */
const lineOf = ({ hops }: Pool): readonly string[] => [
  ...HOPS.slice(0, Math.max(1, hops)),
  ...(hops > 0 ? HOPS.slice(-1) : []),
];

export function executorsOf(given: Pool): readonly Said[] {
  const { works, pair, family, hot, links } = given;
  const line = lineOf(given).map((name, index) =>
    executor(name, {
      // Different kinds, else the night would merge them all.
      ...{ takes: [`files-${index}`], gives: [`files-${index + 1}`] },
      ...(index === 1 && { works }),
    }),
  );
  const reach = (where: string): Said => ({ "fs:write": [where] });
  const pdf = (name: string, where: string) =>
    executor(name, { takes: ["pdf"], gives: ["path"], profile: reach(where) });
  const kinds = FAMILY.map((kind) =>
    executor(`order_${kind}_file`, {
      ...{ takes: ["path"], gives: ["files"], shape: { by: "date", file_kind: kind } },
      profile: family === "differ" ? { [`net:${kind}`]: [kind], [`fs:${kind}`]: ["~/"] } : {},
    }),
  );
  const cases = { csv: 38, doc: 2 };
  return [
    ...line,
    ...(pair === "none"
      ? []
      : [pdf("archive_pdf", "~/a/"), pdf("store_pdf", pair === "same" ? "~/a/" : "~/b/")]),
    ...(family === "none" ? [] : kinds),
    ...(hot
      ? [
          executor("filter_messages", {
            takesMs: 9_000,
            seen: { runs: 40, ok: 40, meanMs: 9_000, cases },
          }),
        ]
      : []),
    ...(links > 0
      ? ["find_urls", "read_urls_html", "compress_texts"].map((name) => executor(name))
      : []),
  ];
}

export function mnestsOf(given: Pool): readonly Said[] {
  const { short, shortUses, lineUses, pair, works } = given;
  const line = lineOf(given);
  const along = line.slice(0, -1).map((from, index) => ({
    ...{
      from,
      to: line[index + 1] ?? "",
      uses: lineUses,
      ...(index === 0 && works < 1_000 && { failed: 9 }),
    },
  }));
  const across = (short ?? []).map((index) => HOPS[index] ?? "");
  return [
    ...along,
    ...(across.length === 2 && across.every((name) => line.includes(name))
      ? [{ from: across[0] ?? "", to: across[1] ?? "", uses: shortUses }]
      : []),
    ...(pair === "none" ? [] : [{ from: "archive_pdf", to: "store_pdf", uses: 20, over: "2d" }]),
  ];
}

export const memosOf = ({ links }: Pool): readonly Said[] =>
  links === 0
    ? []
    : [
        { query: "Which links are in here?", chain: ["find_urls", "read_urls_html"], uses: links },
        {
          query: "Say it in short.",
          chain: ["find_urls", "read_urls_html", "compress_texts"],
          uses: links,
        },
      ];
