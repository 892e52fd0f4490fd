// What heads the report of each shipped scenario: what went wrong first and mattered, in words. `headlines.json` is the list.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Delivery } from "../src/substrate/envelope.ts";
import { replay, why } from "./builtIn.ts";
import { readBundle } from "./builtInScenarios.ts";
import { goldens } from "./golden.ts";
import { carrying } from "./mail.ts";

const headlines = JSON.parse(readFileSync("test/headlines.json", "utf8")) as {
  readonly [name: string]: string;
};

const CHARS_MAX = 140;

it.each(goldens)(
  "[VB56] %s is headed by what went wrong first, and by no symptom where a goal failed",
  (name) => {
    const bundle = readBundle(`recordings/${name}`);
    const log: Delivery[] = [];
    replay(bundle, (one) => log.push(one));

    const told = why(log, bundle.inputs);

    const says = told?.first?.says ?? told?.chain[0]?.says ?? "";
    expect({ [name]: says.slice(0, CHARS_MAX) }).toEqual({ [name]: headlines[name] });
    const hasFailed = carrying(log, "goal.ended").some(({ event }) => event.status === "abandoned");
    if (hasFailed) expect(told?.question).not.toMatch(/^stressor:/);
  },
);
