import { expect, it } from "vitest";
import { readGoalRegistry } from "../../../../src/machines/agents/goal/goalContext.ts";
import { unseenAtStart } from "../../../../src/machines/agents/suffering/goalLedger.ts";
import { days } from "../../../../src/machines/units.ts";
import { only, sufferers } from "./sufferers.ts";

const line = (n: number, artifact: string, status = "completed") =>
  JSON.stringify({
    ...{
      n,
      status,
      artifact,
      slug: "page",
      text: "Write",
      evidence: null,
      progress: 1,
      outputs: 1,
    },
    ...{ misses: 0, lastCapability: null, wrote: [], atMs: n * 10 },
  });
const goals = readGoalRegistry(
  [line(1, "/agentOS/a.md"), line(2, "/agentOS/b.md"), line(3, "/agentOS/c.md", "abandoned")].join(
    "\n",
  ),
);

it("[ST13] what completed goals made and no line names is unseen after a restart", () => {
  expect(unseenAtStart(goals, undefined)).toEqual([
    { n: 1, path: "/agentOS/a.md", sinceMs: 10 },
    { n: 2, path: "/agentOS/b.md", sinceMs: 20 },
  ]);
  expect(unseenAtStart(goals, '{"n":2}\n{torn').map(({ n }) => n)).toEqual([1]);
  expect(unseenAtStart(goals, "null\n[]\n7").map(({ n }) => n)).toEqual([1, 2]);
});

it("[ST13] a file written twice is as old as its first completion", () => {
  const twice = readGoalRegistry([line(1, "/agentOS/a.md"), line(2, "/agentOS/a.md")].join("\n"));

  expect(unseenAtStart(twice, undefined)).toEqual([{ n: 1, path: "/agentOS/a.md", sinceMs: 10 }]);
});

it("[ST13] old artifacts go on being old after a restart", () => {
  const unseen = [{ agent: "cedar", n: 1, path: "/agentOS/a.md", sinceMs: 0 }];
  const one = sufferers(only("invisibility"), { unseen });
  one.world.wait(days(1) + 1);
  one.cycle();

  expect(one.feels()).toEqual(["invisibility"]);
  const none = sufferers(only("futility"), { unseen });
  expect(none.world.context<{ records: object }>("goalLedger").records).toEqual({});
});
