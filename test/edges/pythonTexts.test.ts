import { describe, expect, it } from "vitest";
import { factsOfTexts } from "../../src/actors/installs/edge/installCheck.ts";
import type { PythonCall } from "../../src/edges/python/sandbox.ts";
import { policyWith } from "../builtIn.ts";

const answer = { stage: "called", called: true, requires: [], files: [], isNone: false };
const facts = (text: unknown): string => JSON.stringify({ facts: [[text, "import", 1]], hits: [] });

/** Python that ends early, together, where one of the texts is `slow`, and tells less of several where one is `short`. */
function slowPython() {
  const asked: number[] = [];
  const call = async ({ kwargs: { texts, text } }: PythonCall) => {
    const all = Array.isArray(texts) ? texts : [text];
    asked.push(all.length);
    const isLate = all.includes("slow");
    const told = all.includes("short") ? all.slice(1) : all;
    const result = Array.isArray(texts) ? told.map(facts) : facts(text);
    const ended = { ok: !isLate, timedOut: isLate, result: isLate ? null : result, error: null };
    // All that a reader of the answer looks at.
    return { ...answer, ...ended } as never;
  };
  return { asked, call };
}

const read = async (texts: readonly string[]) => {
  const python = slowPython();
  const counts: number[] = [];
  const { sandbox } = policyWith({});
  const all = await factsOfTexts(texts, python, sandbox, (done) => counts.push(done));
  return { all, asked: python.asked, counts };
};

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `text ${index}`);

describe("Python texts", () => {
  it("[INS135] are asked 32 at a time, and no more characters than one long text has", async () => {
    const { all, asked, counts } = await read(numbered(33));

    expect([asked, counts, all.size]).toEqual([[32, 1], [32, 33], 33]);
    for (const text of ["text 1", "text 31", "text 32"]) {
      const fact = { name: text, how: "import", line: 1 };
      expect(all.get(text)).toEqual({ facts: [fact], hits: [] });
    }
    const long = ["a", "b"].map((letter) => letter.repeat(65_535));
    expect((await read(["c", ...long, "d"])).asked).toEqual([2, 2]);
  });

  it("[INS135] that end early together are asked one by one, so that none spoils another's answer", async () => {
    const { all, asked } = await read([...numbered(2), "slow"]);

    expect(asked).toEqual([3, 1, 1, 1]);
    expect([all.get("text 0"), all.get("slow")]).toMatchObject([
      { hits: [] },
      { error: "Python did not read it in time" },
    ]);
    const short = await read(["text 0", "short"]);
    expect(short.asked).toEqual([2, 1, 1]);
    expect(short.all.get("text 0")).toMatchObject({ facts: [{ name: "text 0" }] });
  });
});
