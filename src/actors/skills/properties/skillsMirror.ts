/**
 * What became of skills, recounted from the log: rows as the store had them, and every call since by what the sandbox
 * said of it. What the keeper says of counts and states is never read.
 */
import { isMap } from "../../../machines/isMap.ts";
import type { Json, MailOf } from "../../../machines/letter.ts";
import { readJson } from "../../../machines/readJson.ts";
import { contentHash } from "../../../machines/skills/contentHash.ts";
import { skillNameFault } from "../../../machines/skills/creation.ts";
import { SKILLS, storeFolder } from "../../../machines/skills/skillStore.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";

export interface RowSeen {
  readonly hash: string;
  /** Its uses before the log began. */
  readonly usesBefore: number;
  readonly successes: number;
  readonly failures: number;
  /** Failures in a row. */
  readonly streak: number;
  /** Whether it was degraded before the log began, and nothing has cleared that. */
  readonly wasDegraded: boolean;
}

export type RowsSeen = ReadonlyMap<string, RowSeen>;

/** A row as it is written. */
export interface RowText {
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  readonly uses: number;
  readonly failures: number;
  readonly status: string;
  readonly hash: string;
}

/** What file and row say of one another. */
export interface Orphans {
  readonly filesAlone: readonly string[];
  readonly rowsAlone: readonly string[];
  /** Names of rows that are none. */
  readonly unfit: readonly string[];
}

export interface CallSeen {
  readonly name: string;
  /** The row when it was called; undefined when there was none. */
  readonly row: RowSeen | undefined;
}

type Files = { readonly [path: string]: string };

const REGISTRY = "skills_registry.json";
/** Builtins and the engine's own, by which nothing is run. */
export const NO_SKILLS: readonly string[] = ["create_skill", "manage_skills", "retire_capability"];
/** How many deliveries of the keeper are remembered at most: what they say arrives at the same instant. */
const REMEMBERED_MAX = 100;

export class SkillsMirror {
  rows: Map<string, RowSeen> = new Map();
  /** By name: the delivery to the keeper with which it was retired, unless it was saved anew. */
  readonly retired = new Map<string, number>();
  /** Names of creations on their way, by the number of the call. */
  readonly creating = new Map<number, string>();
  /** What the registry said last, by name. */
  readonly hashes = new Map<string, string>();
  /** What the store's last reading found, by the delivery that brought it. */
  readonly orphans = new Map<number, Orphans>();
  readonly #after = new Map<number, Map<string, RowSeen>>();
  readonly #calls = new Map<number, CallSeen>();
  readonly #snapshots = new Map<number, { readonly cause: number; readonly folder: string }>();
  /** The call whose code came with this delivery. */
  readonly #coded = new Map<number, number>();
  readonly #runs = new Map<number, number>();
  /** Whether another hand was on the registry since it was last read or written. */
  #isForeign = true;

  observe(delivery: SeenDelivery): void {
    const { to, from, event, cause, re, seq } = delivery;
    if (to === SKILLS) this.#kept(delivery);
    else if (to === "files") this.#stored(delivery);
    else if (to === "port/sandbox.run" && from === SKILLS) {
      this.#runs.set(seq, this.#coded.get(cause ?? 0) ?? 0);
    } else if (to === "kernel" && event.type === "actor.start" && event.machine === "skillKeeper") {
      this.rows = new Map();
    } else if (event.type === "capability.answered" && from === SKILLS) {
      this.creating.delete(re ?? 0);
    }
  }

  /** The rows as the keeper had them once this delivery was done. */
  after(seq: number | null): RowsSeen | undefined {
    return seq === null ? undefined : this.#after.get(seq);
  }

  /** The call that this run of the sandbox is for. */
  callOf(run: number): CallSeen | undefined {
    return this.#calls.get(this.#runs.get(run) ?? 0);
  }

  #kept(delivery: SeenDelivery): void {
    const { seq, event, re, letters } = delivery;
    if (event.type === "capability.called") {
      const { capability: name, params } = event;
      if (name === "create_skill") this.creating.set(seq, String(params["name"]));
      if (!NO_SKILLS.includes(name)) this.#calls.set(seq, { name, row: this.rows.get(name) });
    } else if (event.type === "files.replied") this.#filesCame(seq, re, event.files ?? {});
    else if (event.type === "sandbox.replied") this.#ended(this.#runs.get(re ?? 0), event);
    else if (event.type === "skill.registering") this.#saved(event);
    if (letters.some(({ type }) => type === "files.write" || type === "entries.listed")) {
      remember(this.#after, seq, new Map(this.rows));
    }
  }

  #stored({ seq, from, event, cause }: SeenDelivery): void {
    if (from !== SKILLS) {
      if (event.type.startsWith("files.") && JSON.stringify(event).includes(REGISTRY)) {
        this.#isForeign = true;
      }
      return;
    }
    if (event.type === "files.snapshot") {
      const [folder = ""] = event.folders;
      remember(this.#snapshots, seq, { cause: cause ?? 0, folder });
    } else if (event.type === "files.write" && event.path.endsWith(REGISTRY)) {
      this.#isForeign = false;
    } else if (event.type === "files.move") {
      const name = nameIn(event.path);
      this.rows.delete(name);
      this.#after.get(cause ?? 0)?.delete(name);
      this.retired.set(name, cause ?? 0);
    }
  }

  #filesCame(seq: number, re: number | undefined, files: Files): void {
    const asked = this.#snapshots.get(re ?? 0);
    if (asked === undefined) return;
    const { folder, cause } = asked;
    if (folder === storeFolder("memory") || folder === storeFolder("sandbox")) {
      this.#read(seq, files, folder);
    }
    if (!this.#calls.has(cause)) return;
    this.#coded.set(seq, cause);
    // Its file is gone.
    if (files[folder] === undefined) this.#counted(cause, "failure");
  }

  #read(seq: number, files: Files, folder: string): void {
    const registry = files[`${folder}/${REGISTRY}`];
    const rows = rowsIn(registry) ?? [];
    const keys = Object.keys(registryIn(registry) ?? {});
    const names = namesIn(files, folder);
    const isFresh = registry === undefined && names.length === 0;
    const old = storeFolder("sandbox");
    const legacy = isFresh && folder !== old ? (rowsIn(files[`${old}/${REGISTRY}`]) ?? []) : [];
    const inLegacy = namesIn(files, old);
    const kept = [
      ...rows.filter(({ name }) => names.includes(name)),
      ...legacy.filter(({ name }) => inLegacy.includes(name)),
    ];
    remember(this.orphans, seq, {
      filesAlone: names.filter((name) => !keys.includes(name)),
      rowsAlone: rows.flatMap(({ name }) => (names.includes(name) ? [] : [name])),
      unfit: keys.filter((name) => !rows.some((row) => row.name === name)),
    });
    const before = this.rows;
    this.rows = new Map(
      kept.map((row) => {
        const known = before.get(row.name);
        const isOwn = known !== undefined && known.hash === row.hash && !this.#isForeign;
        return [row.name, isOwn ? known : seenOf(row)];
      }),
    );
    for (const { name, hash } of kept) this.hashes.set(name, hash);
    for (const { name } of kept) this.retired.delete(name);
    this.#isForeign = false;
  }

  #saved({ skill, code, parametersSchema, description }: MailOf<"skill.registering">): void {
    const hash = contentHash(code, parametersSchema, description);
    const before = this.rows.get(skill);
    this.retired.delete(skill);
    if (before?.hash === hash) return;
    const known = before ?? { usesBefore: 0, successes: 0, failures: 0 };
    this.rows.set(skill, { ...known, hash, streak: 0, wasDegraded: false });
  }

  #ended(call: number | undefined, reply: MailOf<"sandbox.replied">): void {
    if (call === undefined) return;
    const { ok, timedOut, exitCode: ownEnd, result } = reply;
    const isBrokenOff = timedOut === true || (!ok && ownEnd === undefined);
    const exitCode = ownEnd ?? (isMap(result) ? result["exitCode"] : null);
    const isKilled = isBrokenOff || exitCode === 124 || exitCode === 137 || saysTheSystem(result);
    this.#counted(call, isKilled ? "infra" : exitCode === 0 ? "success" : "failure");
  }

  #counted(call: number, outcome: "success" | "failure" | "infra"): void {
    const name = this.#calls.get(call)?.name ?? "";
    const row = this.rows.get(name);
    this.#calls.delete(call);
    if (row === undefined || outcome === "infra") return;
    const { successes, failures, streak } = row;
    this.rows.set(
      name,
      outcome === "success"
        ? { ...row, successes: successes + 1, streak: 0, wasDegraded: false }
        : { ...row, failures: failures + 1, streak: streak + 1 },
    );
  }
}

function remember<T>(map: Map<number, T>, seq: number, value: T): void {
  map.set(seq, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED_MAX && oldest !== undefined) map.delete(oldest);
}

/** The words by which the real system's executor says that the machine broke it off. */
const saysTheSystem = (result: Json | undefined): boolean =>
  /\[SYSTEM ERROR\]|Critical Tool Error|\[SANDBOX JOB PROMOTED\]/.test(
    isMap(result) ? `${result["stdout"]}\n${result["stderr"]}` : "",
  );

const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1, -".py".length);

const namesIn = (files: Files, folder: string): string[] =>
  Object.keys(files)
    .filter((path) => path.endsWith(".py") && path.slice(0, path.lastIndexOf("/")) === folder)
    .map(nameIn);

const seenOf = ({ hash, uses, failures, status }: RowText): RowSeen => ({
  ...{ hash, usesBefore: uses, successes: 0, failures: 0, streak: failures },
  wasDegraded: status === "degraded",
});

/** The rows that a registry holds; undefined for what is none. */
export function rowsIn(text: string | undefined): readonly RowText[] | undefined {
  const read = registryIn(text);
  if (read === undefined) return undefined;
  return Object.entries(read).flatMap(([name, given]) => {
    const row = readJson(JSON.stringify(given));
    if (!isMap(row) || skillNameFault(name) !== null) return [];
    const { description, parameters_schema: schema = {}, content_hash: hash } = row;
    const { usage_count: uses, failure_count: failures, status } = row;
    return typeof description === "string" &&
      typeof hash === "string" &&
      isStatus(status) &&
      Number(uses) >= 0 &&
      Number(failures) >= 0
      ? [
          {
            name,
            description,
            schema,
            hash,
            status,
            uses: Number(uses),
            failures: Number(failures),
          },
        ]
      : [];
  });
}

/** Rows by name, whatever they are; undefined for what is no registry. */
function registryIn(text: string | undefined): { readonly [name: string]: Json } | undefined {
  try {
    const read: Json = JSON.parse(text ?? "");
    return isMap(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

const isStatus = (value: Json | undefined): value is string =>
  value === "active" || value === "degraded";

/** The rows that the keeper writes with this delivery; undefined for any other. */
export function rowsWritten({ to, from, event }: SeenDelivery): readonly RowText[] | undefined {
  if (to !== "files" || from !== SKILLS || event.type !== "files.write") return undefined;
  return event.path.endsWith(REGISTRY) ? rowsIn(event.text) : undefined;
}
