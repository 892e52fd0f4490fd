// The scripted models of those who install: what they are shown moves what they answer, and the seed blurs it.
import { expect, it } from "vitest";
import { scriptedModel } from "../../../src/actors/installs/scriptedCrew.ts";
import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import type { Scenario } from "../../../src/contract/scenario.ts";
import type { CrewView } from "../../../src/machines/installs/crew/crewModel.ts";
import { namedRandom } from "../../../src/substrate/random.ts";
import { policyWith } from "../../builtIn.ts";

/** How many of a thousand answers to this view were such. */
function share(
  view: CrewView,
  policy: { readonly [path: string]: PolicyValue },
  isSuch: (answer: { readonly [member: string]: unknown }, choice: string) => boolean,
  without: readonly string[] = [],
): number {
  const model = scriptedModel({
    // The model reads nothing else of a scenario.
    scenario: {} as unknown as Scenario,
    policy: policyWith(policy),
    random: namedRandom(7),
    without: new Set(without),
  });
  return Array.from({ length: 1_000 }, (_, nth) =>
    model.answer({
      ...{ port: "port/llm.chat", from: "auditor.default", purpose: view.purpose, nth, seq: nth },
      ...{ nowMs: 0, request: null },
      event: { type: "llm.asked", purpose: view.purpose, view },
    }),
  ).filter(({ event, choice = "" }) =>
    isSuch(event.type === "llm.replied" ? JSON.parse(event.text) : {}, choice),
  ).length;
}

const auditing = (text: string): CrewView => ({
  ...{ purpose: "install.audit", wish: "weather", goal: "Fetch the weather.", unread: 0 },
  ...{ artifact: "art_a1b2c3d4", declared: ["NetworkAccess"] },
  files: [{ name: "main.py", text }],
});
const turning = (phase: "created" | "gated"): CrewView => ({
  ...{ purpose: "install.turn", wish: "weather", intent: {}, loose: [], phase, hint: null },
  did: [],
});

const FETCHES = "import urllib.request\n";
const THREAT = `${FETCHES}subprocess.run("sudo reboot")\n`;

it("[INS100] an auditor sees a threat that it is shown, but for those it misses", () => {
  const passes = (text: string, misses: number, without: readonly string[] = []) =>
    share(
      auditing(text),
      { "installs.crew.slips.misses": misses },
      ({ threats_detected: threats }) => Array.isArray(threats) && threats.length === 0,
      without,
    );

  expect(passes(FETCHES, 0)).toBe(1_000);
  expect(passes(THREAT, 0)).toBe(0);
  expect(Math.abs(passes(THREAT, 300) - 300)).toBeLessThan(50);
  expect(passes(THREAT, 300, ["audit:misses"])).toBe(0);
});

it("[INS100] a builder tries again what failed as often as its habit says, and never where it went well", () => {
  const retries = (phase: "created" | "gated") =>
    share(
      turning(phase),
      { "installs.crew.slips.retries": 400 },
      (_, choice) => choice === "turn:retries",
    );

  expect(Math.abs(retries("gated") - 400)).toBeLessThan(50);
  expect(retries("created")).toBe(0);
});
