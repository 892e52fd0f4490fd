// Section of SPEC.md: Blame and prevent. What is asked about where nobody names it.
import { afterAll, expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { baseOfBundle, playBase } from "../../src/edges/causes/baseRun.ts";
import { effectNamed } from "../../src/edges/causes/effectNamed.ts";
import { checkedLists } from "../../src/edges/pool/checkWorlds.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";

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
