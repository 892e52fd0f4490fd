// Real logs of ../shared/traces; the figures stand in docs/import-scenario.md.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { agreements, type LogAgreement } from "../../../tools/agreement.ts";

const TRACES = fileURLToPath(new URL("../../../../shared/traces", import.meta.url));

describe.skipIf(!existsSync(TRACES))("(skipped where shared/traces is absent)", () => {
  const all = async (name: string): Promise<readonly LogAgreement[]> => {
    const found: LogAgreement[] = [];
    for await (const one of agreements([`${TRACES}/${name}`])) found.push(one);
    return found;
  };

  it("[IM90] every call of the airline's episodes is made again, and returns the same", async () => {
    const logs = await all("airline-tool-calls.jsonl");
    const playable = logs.filter(({ agreement }) => agreement !== null);

    expect([logs.length, playable.length]).toEqual([50, 45]);
    expect(logs.filter(({ agreement }) => agreement === null).map(({ why }) => why)).toEqual(
      Array.from({ length: 5 }, () => expect.stringContaining("in which no agent calls a tool")),
    );
    expect(playable.filter(({ agreement, holds }) => agreement?.first !== null || !holds)).toEqual(
      [],
    );
    expect(
      playable.reduce((sum, { agreement }) => sum + (agreement?.calls.sameResults ?? 0), 0),
    ).toBe(282);
  });

  it("[IM90] every message of the conversations of several agents is sent again", async () => {
    const logs = await all("who-and-when");

    expect(logs.length).toBe(47);
    expect(logs.filter(({ agreement, holds }) => agreement?.first !== null || !holds)).toEqual([]);
    expect(logs.reduce((sum, { agreement }) => sum + (agreement?.messages.same ?? 0), 0)).toBe(432);
  });
});
