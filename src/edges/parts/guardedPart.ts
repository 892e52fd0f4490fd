/** A part of a program's own whose functions throw errors that name them: its author's mistake is no bug of ours. */
import { NeedsPython, NeedsShell } from "../../contract/needsHost.ts";
import type { Part } from "../../contract/part.ts";
import { LimitReached } from "../../substrate/limits.ts";
import { RecordingMiss } from "../../substrate/recordedPort.ts";
import type { Blame } from "../../substrate/resident.ts";
import { isEdgeError, PartThrew } from "../errors.ts";

/** Its machines, too, are answered for; see `castOf`. */
interface Answered {
  readonly blame: (machine: string) => Blame;
}

/** The same part; what it gives to others is guarded as it is. Wrapped once, since its functions hear every delivery. */
export function guardedPart<P extends Part>(part: P): P & Answered {
  // The same members as the part, each as it was but for what it throws.
  const same = facade(part, "", part.name) as P;
  return { ...same, blame: (machine) => blameOf(part.name, machine) };
}

/** Data and schemas: nothing in them is called while a world is played. */
const untouched: ReadonlySet<string> = new Set([
  ...["policy", "profiles", "attaches", "ports", "edge.contracts"],
  ...["scenario.fields", "scenario.agentFields", "scenario.events", "scenario.withoutAgents"],
]);

/** Functions that give functions, or objects that have them. What all others give is data. */
const makers: ReadonlySet<string> = new Set([
  ...["meter", "scriptedModel", "scriptedPorts", "fronts", "promises"],
  ...["serve", "columns", "watch", "seen", "standIns"],
]);

function guarded(value: unknown, at: string, part: string): unknown {
  if (untouched.has(at)) return value;
  if (typeof value === "function") return guardedFunction(value as AnyFunction, at, part); // Its caller knows what it takes.
  if (Array.isArray(value)) return value.map((one) => guarded(one, `${at}${nameIn(one)}`, part));
  return typeof value === "object" && value !== null ? facade(value, at, part) : value;
}

type AnyFunction = (...args: unknown[]) => unknown;

function guardedFunction(run: AnyFunction, at: string, part: string): unknown {
  const isMaker = makers.has(at.split(".").at(-1) ?? "");
  const given = (value: unknown): unknown => (isMaker ? guarded(value, at, part) : value);
  const fail = (thrown: unknown): never => {
    throw blamed(thrown, `part ${part} ${at}`);
  };
  return (...args: unknown[]): unknown => {
    try {
      const value: unknown = run(...args);
      return value instanceof Promise ? value.then(given).catch(fail) : given(value);
    } catch (thrown) {
      return fail(thrown);
    }
  };
}

/** An object with the same members: it may be frozen, or of a class with private fields. */
function facade(of: object, at: string, part: string): object {
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(of));
  const members = [...namesOf(of)].map((name): [string, PropertyDescriptor] => {
    const value: unknown = Reflect.get(of, name);
    const member = memberAt(at, name);
    if (typeof value === "function" && !untouched.has(member)) {
      return [name, { enumerable: true, value: guardedFunction(value.bind(of), member, part) }];
    }
    const isRead = typeof value !== "object" || value === null || !isPlain || untouched.has(member);
    return isRead
      ? [name, { enumerable: true, get: () => Reflect.get(of, name) }]
      : [name, { enumerable: true, value: guarded(value, member, part) }];
  });
  return Object.defineProperties({}, Object.fromEntries(members));
}

/** Its own members, and those of its class. */
function namesOf(of: object): Set<string> {
  const names = new Set(Object.keys(of));
  let above: object | null = Object.getPrototypeOf(of);
  while (above !== null && above !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(above)) names.add(name);
    above = Object.getPrototypeOf(above);
  }
  names.delete("constructor");
  return names;
}

function memberAt(at: string, name: string): string {
  if (!/^[\w-]+$/u.test(name)) return `${at}["${name}"]`;
  return at === "" ? name : `${at}.${name}`;
}

const nameIn = (one: unknown): string =>
  typeof one === "object" && one !== null && "id" in one ? `["${one.id}"]` : "";

const blameOf = (part: string, machine: string): Blame => ({
  threw: (thrown, address) => blamed(thrown, `part ${part} machine ${machine}, as ${address}`),
  noPort: (port, address, isListed) =>
    new PartThrew({
      where: { path: `part ${part} machine ${machine}, as ${address}` },
      found: `a letter to ${port}, ${isListed ? "which nothing serves" : `which \`ports\` does not list for ${machine}`}`,
      allowed: isListed ? "a port with a provider" : "ports that it lists",
      todo: isListed
        ? `Give ${port} a provider in the part's \`scriptedPorts\`, such as \`drawn(…)\`.`
        : `Write \`ports: { ${machine}: ["${port}"] }\` in the part, and give the port a provider in \`scriptedPorts\`.`,
    }),
});

/** What ends a run for a reason of its own, wherever it passes through. */
const passing = [LimitReached, RecordingMiss, NeedsPython, NeedsShell];

function blamed(thrown: unknown, path: string): Error {
  if (isEdgeError(thrown)) return thrown;
  if (thrown instanceof Error && passing.some((kind) => thrown instanceof kind)) return thrown;
  const text = textOf(thrown);
  // By its tables, or by XState.
  const isRestless = /took more than \d+ microsteps|^Error: Infinite loop detected/u.test(text);
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  const place = placeIn(stack);
  return new PartThrew({
    where: { path },
    found: isRestless
      ? "a machine that never comes to rest: it took more than 100 steps for one event"
      : `${text}${place === undefined ? "" : ` (${place})`}`,
    allowed: isRestless
      ? "`always` and `raise` that end in a state without a next step"
      : "a function that throws nothing",
    todo: "Mend the part: this comes from its own code.",
    ...(stack !== undefined && { stackOfPart: stack }),
  });
}

function textOf(thrown: unknown): string {
  try {
    return thrown instanceof Error
      ? `${thrown.name}: ${thrown.message.split("\n")[0]}`
      : `${JSON.stringify(thrown)}, which is no Error`;
  } catch {
    return `a ${typeof thrown} that has no text`;
  }
}

/** Where this program lies: `src` of a checkout, or `dist` of the package. */
const ours = new URL("../..", import.meta.url).href;

/** `queue.ts:88`: the first place of a stack that is neither ours nor a library's. */
function placeIn(stack = ""): string | undefined {
  for (const line of stack.split("\n")) {
    const [, place, row] = /^\s+at (?:.*\()?(.+?):(\d+):\d+\)?$/u.exec(line) ?? [];
    if (place === undefined || /[\\/]node_modules[\\/]|node:|<anonymous>/u.test(place)) continue;
    // A module may have been asked for anew, under the same name with a query.
    const file = place.replace(/^async |\?.*$/gu, "").replace(/^(?!file:)/u, "file://");
    if (!file.startsWith(ours)) return `${file.split(/[\\/]/u).at(-1)}:${row}`;
  }
  return undefined;
}
