// SPEC VW: what the page says of causes, effects and states is what the run itself says.
import { describe, expect, it } from "vitest";
import { viewColumns } from "../../src/edges/view/viewColumns.ts";
import { playRecorded } from "../../src/run/playRecorded.ts";
import { explainer } from "../../src/run/why.ts";
import type { Log } from "../../src/substrate/log.ts";
import { knownAt } from "../../src/viewer/actorState.ts";
import { PageLog } from "../../src/viewer/pageLog.ts";
import { FLAG } from "../../src/viewer/viewData.ts";
import { viewed } from "../edges/view/viewedRecording.ts";
import { madeLog } from "./madeLog.ts";

const RECORDINGS = ["weather-fetcher", "synt-chain-choice", "install-no-record", "skill-degrades"];

it.each(RECORDINGS)(
  "[VW5] the chain of each delivery on the page of %s is the one that `why` tells",
  (name) => {
    const { open, log } = viewed(`recordings/${name}`);
    const { run } = open;
    const asked = explainer(run.parts, run.deliveries, run.bundle.inputs);
    const place = new Map([...run.deliveries].map(({ seq }, at) => [seq, at]));

    const other = [...run.deliveries].map((one, at) => {
      const told = asked.chain(one, 51).map(({ seq }) => place.get(seq));
      const rest = told[0] === at ? told.slice(1) : told;
      return rest.slice(0, 50).join() === log.chain(at).places.slice(0, rest.length).join()
        ? []
        : [one.seq];
    });

    expect(other.flat()).toEqual([]);
    expect(log.count).toBe(run.deliveries.length);
  },
);

it("[VW5] beyond 250,000 deliveries the chain follows what triggered what", () => {
  const { open, log } = viewed("recordings/null-stub");
  const { parts, deliveries, bundle } = open.run;
  const asked = explainer(parts, deliveries, bundle.inputs);
  const hasChains = (length: number): boolean => {
    const none = { length, [Symbol.iterator]: () => [].values() };
    return viewColumns({ ...open.run, deliveries: none as unknown as Log }, asked).hasChains;
  };
  const long = new PageLog({ ...log.head, hasChains: false }, log.columns);
  const at = log.count - 1;
  const triggers: number[] = [];
  for (let one = log.columns.cause[at] ?? -1; one >= 0; one = log.columns.cause[one] ?? -1) {
    triggers.push(one);
  }

  expect([hasChains(250_000), hasChains(250_001)]).toEqual([true, false]);
  expect(triggers.length).toBeGreaterThan(2);
  expect(long.chain(at).places).toEqual(triggers.slice(0, 50));
});

it("[VW5] a chain is shown up to 50 steps, and what lies beyond is counted", () => {
  const log = madeLog(Array.from({ length: 53 }, (_, at) => ({ next: at - 1 })));

  expect(log.chain(50)).toMatchObject({ places: { length: 50, 0: 49, 49: 0 }, more: 0 });
  expect(log.chain(52)).toMatchObject({ places: { length: 50, 0: 51, 49: 2 }, more: 2 });
});

it("[VW6] of more than 50 failures stand first, then what went wrong; what cannot be told leads on, uncounted", () => {
  const { told, wrong, failure } = FLAG;
  const few = (count: number, flags: number, next: number) =>
    Array.from({ length: count }, () => ({ flags, next }));
  // The cause, plumbing behind which all lies, and one that goes back to neither.
  const log = madeLog([
    ...[{}, { flags: 0, next: 0 }],
    ...few(60, told, 1),
    ...few(3, told | wrong, 1),
    ...few(2, told | wrong | failure, 1),
    ...few(1, told | failure, 1),
    {},
  ]);
  const { count, failures, listed } = log.came(0);

  expect({ count, failures, listed: listed.length }).toEqual({
    count: 66,
    failures: 3,
    listed: 50,
  });
  expect(listed.slice(0, 7)).toEqual([65, 66, 67, 62, 63, 64, 2]);
});

it("[VW6] what failed, and what went wrong in itself, is what `why` says of each delivery", () => {
  const { open, log } = viewed("recordings/synt-day-lock");
  const { parts, deliveries, bundle } = open.run;
  const asked = explainer(parts, deliveries, bundle.inputs);
  const marked = (flag: number) =>
    [...deliveries].flatMap(({ seq }, place) => (log.has(place, flag) ? [seq] : []));
  const wrong = [...deliveries].filter((one) => asked.isWrong(one)).map(({ seq }) => seq);

  expect([marked(FLAG.failure), marked(FLAG.wrong)]).toEqual([
    asked.failures().map(({ seq }) => seq),
    wrong,
  ]);
  expect(marked(FLAG.failure).length * wrong.length).toBeGreaterThan(0);
});

describe("what came of a delivery", () => {
  const { log } = viewed("recordings/install-no-record");
  const causes = log.head.chains[0]?.links.at(-1)?.place ?? 0;
  const leading = Array.from({ length: log.count }, (_, at) => at).filter(
    (at) => log.has(at, FLAG.told) && log.chain(at).places.includes(causes),
  );
  const came = log.came(causes);

  it("[VW6] is everything whose chain leads to it", () => {
    expect(leading.length).toBeGreaterThan(1);
    expect(came.count).toBe(leading.length);
  });

  it("[VW6] is counted, and listed up to 50: failures first, then what went wrong", () => {
    expect(came.listed.every((at) => leading.includes(at))).toBe(true);
    expect(came.listed).toHaveLength(Math.min(50, leading.length));
    const ranks = came.listed.map((at) =>
      log.has(at, FLAG.failure) ? 0 : log.has(at, FLAG.wrong) ? 1 : 2,
    );
    expect(ranks).toEqual(ranks.toSorted());
  });
});

it("[VW10] what an actor knew is what the kernel held at that moment", async () => {
  const { open, log, rows } = viewed("recordings/weather-fetcher");
  const { run } = open;
  const deliveries = Math.floor(log.count / 2);
  const held = new Map<string, object>();
  playRecorded(run.parts, run.bundle, {
    after: {
      deliveries,
      look: (kernel) => {
        for (const [address, context] of Object.entries(kernel.contexts()))
          held.set(address, context);
      },
    },
  });

  expect(held.size).toBeGreaterThan(3);
  for (const [address, context] of held) {
    const known = await knownAt(log, rows, address, deliveries - 1, () => true);
    expect({ address, context: known?.context }).toEqual({
      address,
      context: JSON.parse(JSON.stringify(context)),
    });
  }
});
