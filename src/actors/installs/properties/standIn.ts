/** A stand-in for the Python that reads code before an install: it knows the few texts of random worlds. Labelled so in every manifest. Ours. */
import { seconds } from "../../../machines/units.ts";
import type { PortReply, Provider } from "../../../substrate/port.ts";
import { namedRandom } from "../../../substrate/random.ts";
import { CODE_TEXTS, type CodeName, codeText } from "./codeTexts.ts";

/** Ours: a restart or a decision may come between. */
const LATENCY_MS = { least: 20, most: seconds(2) };

/** In front of what stands in for the Python of other parts. */
export function standInFacts(seed: number, before: Provider | undefined): Provider {
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
