// What a report counts and what a metric measures under the same word. Every scenario and variant is
// held to it where its golden is replayed; here random worlds are.

import { describe, expect, it } from "vitest";
import { worldOf } from "../src/run/check/check.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { Input } from "../src/substrate/port.ts";
import { observe } from "./builtIn.ts";
import { randomWorlds } from "./builtInPromises.ts";
import { unlikeCounts } from "./countsAlike.ts";

describe("a count has one meaning", () => {
  const worlds = randomWorlds({});

  it("[VB28] in random worlds a report's numbers are those of the metric of that name", () => {
    for (let seed = 0; seed < 30; seed++) {
      const scenario = worlds.compile(worldOf(worlds, seed));
      const deliveries: Delivery[] = [];
      const inputs: Input[] = [];
      const { result, meter, story } = observe(scenario, {
        onDelivery: (one) => deliveries.push(one),
        onInput: (one) => inputs.push(one),
      });

      const run = { scenario, policy: result.policy, deliveries, inputs, meter, story };
      expect(unlikeCounts(run), `world ${seed}`).toEqual([]);
    }
  });
});
