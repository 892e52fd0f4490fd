// Section of SPEC.md: Blame and prevent. What is asked about where nobody names it.
import { afterAll, expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { baseOfBundle, mixed, playBase } from "../../src/edges/causes/baseRun.ts";
import { effectNamed } from "../../src/edges/causes/effectNamed.ts";
import { checkedLists } from "../../src/edges/pool/checkWorlds.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";
import { readBundle } from "../builtInScenarios.ts";

const lists = await checkedLists(builtIn);
const host = { sandbox: lazySandbox({ kind: "auto" }), shell: lazyShell({ kind: "auto" }) };
afterAll(() => Promise.all([host.sandbox.close(), host.shell.close()]));

async function firstOf(name: string) {
  const base = baseOfBundle(lists, `recordings/${name}`);
  return effectNamed(lists, base, await playBase(lists, base, host), undefined);
}

it("[BL1] of failures that no metric of this run counts, the outcome is the question that is asked first", async () => {
  expect(await firstOf("synt-budget")).toEqual({
    kind: "asked",
    question: "request:req-0001",
    says: "`why` is asked of request:req-0001",
  });
});

it("[BL1] what has no name in other runs is refused, with what can be named", async () => {
  await expect(firstOf("install-no-hosts")).rejects.toThrow(
    "no name that another run could have; allowed: METRIC",
  );
});

it("[BL12] no script plays again what was live, a person's, from a recording, forked, or over too soon", () => {
  const { manifest } = readBundle("recordings/parameter-gap");
  const by = (port: string, who: string) =>
    mixed({ ...manifest, providers: { ...manifest.providers, [port]: who } });
  const forks = { at: { turn: 1 } } as unknown as NonNullable<typeof manifest.forks>;

  expect(mixed(manifest)).toBeUndefined();
  expect([
    by("port/llm.chat", "live: tiny"),
    mixed({ ...manifest, origin: "live:program" }),
  ]).toEqual([
    ...["a run in which somebody live answered", "a run in which somebody live answered"],
  ]);
  expect([
    by("port/person.decide", "a person, at the terminal"),
    by("port/llm.chat", "a recording of it"),
  ]).toEqual(["a run that goes on from a recording", "a run that goes on from a recording"]);
  expect(mixed({ ...manifest, forks })).toBe("a run that was forked");
  expect(mixed({ ...manifest, final: { ...manifest.final, outcome: "waiting" } as never })).toBe(
    "a run that did not come to its end",
  );
});
