/** What is promised of installs. */
import type { PartPromises, PartWorlds } from "../../../contract/part.ts";
import type { WorldEvent } from "../../../contract/worldSource.ts";
import { seconds } from "../../../machines/units.ts";
import type { PortReply, Provider } from "../../../substrate/port.ts";
import { namedRandom } from "../../../substrate/random.ts";
import { bookProperties } from "./books.ts";
import { CODE_TEXTS, type CodeName, codeText } from "./codeTexts.ts";
import { gateProperties } from "./gates.ts";
import { installsNear, installsOf } from "./near.ts";
import { reachProperties } from "./reach.ts";
import { randomInstallWorld } from "./world.ts";

// The share that installs have of the worlds in which promises are put to the test.

const SANDBOX = "port/sandbox.run";

/** Ours: a restart or a decision may come between. */
const LATENCY_MS = { least: 20, most: seconds(2) };

/** In front of what stands in for the Python of other parts. */
function standInFacts(seed: number, before: Provider | undefined): Provider {
  const random = namedRandom(seed);
  return {
    answer(request): PortReply | null {
      const { from, purpose, nth, event } = request;
      if (event.type !== "sandbox.run" || purpose !== "detect") {
        return before?.answer(request) ?? null;
      }
      const draw = random.at(from, `stand-in ${purpose}`, nth);
      const result = JSON.stringify(saidOf(event.params?.["text"]));
      return {
        event: {
          ...{ type: "sandbox.replied", ok: true, functionName: event.name },
          ...{ isNone: false, result },
        },
        latencyMs: draw.integer(LATENCY_MS.least, LATENCY_MS.most),
      };
    },
  };
}

const NAMES = Object.keys(CODE_TEXTS) as CodeName[]; // The keys of that record.

function saidOf(text: unknown) {
  const name = NAMES.find((one) => codeText(one).text === text);
  const { said } = name === undefined ? {} : codeText(name);
  return said ?? { error: "it is no text of a random world" };
}

const worlds: PartWorlds = {
  random: randomInstallWorld,
  near: installsNear,
  cut: (source, isKept) => {
    const own = installsOf(source);
    if (own === undefined) return source;
    const wanted = own.wanted.filter((one) => isKept(one as unknown as WorldEvent)); // A wish has an id and a time.
    return { ...source, installs: { ...own, wanted } };
  },
  standIns: (seed, before) => ({ [SANDBOX]: standInFacts(seed, before[SANDBOX]) }),
};

export const promises: PartPromises = {
  properties: [...gateProperties, ...reachProperties, ...bookProperties],
  worlds,
};
