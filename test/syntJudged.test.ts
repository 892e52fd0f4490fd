// Worlds in which R decides, on some seeds; `npm run goldens` has more of them.

import { expect, it } from "vitest";
import { WORLD } from "../src/contract/gauge.ts";
import { exactTerms } from "../src/machines/synt/score/reward.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { observe } from "./builtIn.ts";
import { judgeWorlds } from "./syntJudged.ts";
import { auditOf, eventsOf, items, syntScenario } from "./syntWorld.ts";

judgeWorlds(10);

it("[SN76] event, audit, report and metric hold every proposal, refused compositions with chain and terms", () => {
  const scenario = syntScenario("synt-chain-choice");
  const log: Delivery[] = [];
  const { meter, story } = observe(scenario, {
    ports: { "port/sandbox.run": items },
    onDelivery: (one) => log.push(one),
  });
  const told = eventsOf(log, "synth.stated").flatMap(({ event }) => event.weighed);
  const audited = [...auditOf(log).values()].flat().flatMap((line) => line.weighed ?? []);
  const reported = story.synt.requests.flatMap(({ weighed }) => weighed);
  const refused = told.filter(({ scored }) => !scored.reward.passes);
  const last = (name: "synt.passed" | "synt.belowGate") => meter.series(name, WORLD).at(-1)?.value;

  expect(refused.length).toBeGreaterThan(2);
  expect(audited).toMatchObject(
    told.map(({ artefact, scored: { reward } }) => ({
      ...(Array.isArray(artefact) ? { chain: artefact } : { artefact }),
      reward: { exact: { ...exactTerms(reward.terms), total: reward.total } },
      passes: reward.passes,
    })),
  );
  expect(reported.map(({ passes }) => passes)).toEqual(
    expect.arrayContaining(told.map(({ scored }) => scored.reward.passes)),
  );
  expect(reported).toHaveLength(told.length);
  expect([last("synt.belowGate"), last("synt.passed")]).toEqual([
    refused.length,
    told.length - refused.length,
  ]);
});
