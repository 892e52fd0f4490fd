// Programs that look on while a run goes, and meddle.
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  loadScenario,
  observe,
  parseScenario,
  play,
  type RunOptions,
  readBundle,
  record,
  replay,
  simulate,
} from "../../src/index.ts";
import { seconds } from "../../src/machines/units.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { newFolder } from "../folders.ts";

const scenario = parseScenario(smallScenario, "small.yaml");

/** Changes whatever it can reach. */
function meddle(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    meddle(part);
    Reflect.set(value, key, "meddled with");
  }
}
const isFrozenWithin = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  ((Object.isFrozen(value) && Object.keys(value).length > 0) ||
    Object.values(value).some(isFrozenWithin));

const meddling = { onDelivery: meddle, onInput: meddle };

it("[RV1] a program that changes what it is shown changes no run, and nothing of its own is frozen", async () => {
  const own = structuredClone(scenario);
  const untouched = simulate(scenario);

  expect(simulate(own, meddling).digest).toBe(untouched.digest);
  expect(observe(own, meddling).result.digest).toBe(untouched.digest);
  const played = await play(own, meddling);
  expect(played.result.digest).toBe(untouched.digest);
  const recorded = structuredClone(played.inputs);
  expect(simulate(own, { ...meddling, recorded }).digest).toBe(untouched.digest);

  expect(own).toEqual(scenario);
  expect(recorded).toEqual(played.inputs);
  expect([own, recorded].some(isFrozenWithin)).toBe(false);
});

it("[RV1] nor is what its scenario holds, where that is what is delivered", async () => {
  const own = structuredClone(loadScenario("tools-by-name").scenario);
  await play(own, { ...meddling, untilMs: seconds(30) });

  expect(own).toEqual(loadScenario("tools-by-name").scenario);
  expect(isFrozenWithin(own)).toBe(false);
});

it("[RV1] what a program throws while it looks on is thrown as it was, and is no bug of ours", async () => {
  const mine = new Error("mine");
  const calls: string[] = [];
  const throwing = (name: "onDelivery" | "onInput"): RunOptions => ({
    [name]: () => {
      calls.push(name);
      throw mine;
    },
  });
  for (const name of ["onDelivery", "onInput"] as const) {
    expect(() => simulate(scenario, throwing(name))).toThrow(mine);
    expect(() => observe(scenario, throwing(name))).toThrow(mine);
    const out = join(newFolder(), "out");
    await expect(record(scenario, out, throwing(name))).rejects.toBe(mine);

    const bundle = readBundle(out);
    expect(bundle.manifest.final?.outcome).toBe("interrupted");
    expect(replay(bundle).matches).toBe(true);
  }
  // Each is called no more once it has thrown.
  expect(calls).toHaveLength(6);
});
