// What a read returns rests on who wrote it: worlds in which what one agent did reaches another by way of a file.
import { describe, expect, it } from "vitest";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { why } from "../../builtIn.ts";
import { recordRun } from "../../builtInRuns.ts";
import { loadScenario, parseScenario } from "../../builtInScenarios.ts";
import { clerksScenario } from "../../clerks.ts";
import { newFolder } from "../../folders.ts";
import { carrying } from "../../mail.ts";

async function played(text: string, variant: string | null = null) {
  const scenario = parseScenario(text, "clerks.yaml");
  const { seed } = scenario;
  const folder = newFolder();
  const rest = { seed, set: {}, untilMs: null, withLog: true };
  return recordRun({ scenario, text, variant, ...rest, folder });
}

const failed = (log: Iterable<Delivery>) =>
  carrying([...log], "call.finished").filter(({ event }) => !event.ok);

describe("three clerks", () => {
  const asTheyAre = played(clerksScenario);

  it("[VB57] a failure goes on through the files to the call that returned nothing and to the outside", async () => {
    const { deliveries, inputs } = await asTheyAre;

    const told = why(deliveries, inputs);

    expect(told?.chain.map(({ says }) => says).slice(2)).toEqual([
      "replier's call of send_reply failed: ValueError: there is no price to quote.",
      "keeper's call of copy_price wrote nothing into /desk/price.txt.",
      "finder's call of look_up, which returned nothing, wrote nothing into /desk/found.txt.",
      "The outside wrote /desk/catalogue.csv.",
    ]);
    expect(told?.origins).toMatchObject([{ kind: "outside", id: "new-catalogue" }]);
  });

  it("[VB57] a call that went well and returned nothing rests on what it was given, too", async () => {
    const { deliveries, inputs } = await played(clerksScenario);
    const hollow = carrying([...deliveries], "call.finished").find(
      ({ event }) => event.ok && event.nothing,
    );

    const told = why(deliveries, inputs, `${hollow?.seq}`);

    expect(told?.chain.map(({ says }) => says)).toEqual([
      expect.stringContaining("finder's call of look_up"),
      "The outside wrote /desk/catalogue.csv.",
    ]);
    expect(told?.origins).toMatchObject([{ kind: "outside", id: "new-catalogue" }]);
  });

  it("[VB13, VB57] without the outside input at its end nobody fails", async () => {
    const { deliveries } = await played(clerksScenario, "same-catalogue");

    expect(failed(deliveries)).toEqual([]);
  });

  it("[VB56] the headline is the lookup, not the stressor that came of it, and most failures go back to it", async () => {
    const { deliveries, inputs } = await asTheyAre;

    const told = why(deliveries, inputs);

    expect(told?.question).toMatch(/^goal:replier/);
    expect(told?.first?.says).toContain("finder's call of look_up, which returned nothing");
    expect(told?.failures).toMatchObject({
      alike: told?.failures?.all,
      origin: { id: "new-catalogue" },
    });
  });

  it("[VB57] where the file was there from the start, the failure ends at the plan, as nobody wrote it", async () => {
    const empty = clerksScenario
      .replace('/desk/price.txt: "4"', '/desk/price.txt: ""')
      .replace("agents: [finder, keeper, replier]", "agents: [replier]");
    const { deliveries, inputs } = await played(onlyReplies(empty));

    const [first] = failed(deliveries);
    const told = why(deliveries, inputs, `${first?.seq}`);

    expect(told?.origins.map(({ id }) => id)).toEqual(["plan:reply/reply", "goal:reply"]);
  });
});

/** The world without those who look up and copy. */
function onlyReplies(text: string): string {
  const from = text.indexOf("    - slug: look");
  return text.slice(0, from) + text.slice(text.indexOf("    - slug: reply")).replace("*page", PAGE);
}

const PAGE =
  '{ path: "{artifact}", content: "# {goal}: it says what was found and what follows from it, at some length, ' +
  'since a page of fewer than two hundred characters does not pass, nor one without the words of its goal in it." }';

it("[VB57] a skill that worked and fails since its feed was changed goes back to the change, else to its making", async () => {
  const { scenario, text } = loadScenario("skill-degrades");
  const { seed } = scenario;
  const folder = newFolder();
  const rest = { variant: null, seed, set: {}, untilMs: null, withLog: true };
  const { deliveries, inputs } = await recordRun({ scenario, text, ...rest, folder });

  const told = why(deliveries, inputs, "skill:price_sum");

  expect(told?.origins).toMatchObject([{ kind: "outside", id: "new-format" }]);
  expect(told?.chain.at(-1)?.says).toBe("The outside wrote /agentOS/workspace/shared/prices.txt.");
  expect(why(deliveries, inputs)?.first?.says).toContain("price_sum failed: IndexError");
});
