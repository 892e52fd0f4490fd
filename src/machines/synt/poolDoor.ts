/**
 * The door of the pool: an executor comes in when its signature is right, and goes when what lies in
 * its folder is no longer what was signed. Source: seed 002, 3 and 4.2.1; rulings Y12, Y19.
 */
import { type At, ask, type Delivered, type Letter, startActor } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Outcome } from "../service.ts";
import { sortedJson } from "../sortedJson.ts";
import { EXECUTORS_FOLDER, POOL } from "./contract.ts";
import { about, factsOf } from "./facts.ts";
import { promoted } from "./mnestome.ts";
import { chainName } from "./naming.ts";
import {
  type Checking,
  type Made,
  type Offer,
  type PoolEntry,
  type PoolState,
  unseen,
} from "./poolState.ts";

type Answered = Outcome<PoolState>;
type Admission = Extract<Checking, { does: "admit" }>;

/** What the signature is over: the manifest and the code, as one text. */
export const signedText = ({ manifest, code }: Pick<Made, "manifest" | "code">): string =>
  sortedJson({ manifest, code });

const verification = (key: string, made: Made): Letter =>
  ask({
    to: "port/sign",
    key,
    event: {
      type: "sign.asked",
      purpose: "verify",
      text: signedText(made),
      signature: made.signature,
      key: made.key,
    },
  });

/** A request offers what it has made; the signature is looked at first. */
export function offered(state: PoolState, offer: Offer, at: At): Answered {
  const key = `offer:${at.seq}`;
  const checking = { does: "admit" as const, offer, to: at.from, re: at.seq };
  return {
    state: { ...state, checking: { ...state.checking, [key]: checking } },
    letters: [verification(key, offer.made)],
  };
}

const refusal = ({ to, re }: Admission, why: string): Letter => ({
  to,
  event: { type: "pool.admitted", ok: false, why },
  re,
});

export const turnedAway = (state: PoolState, checking: Admission): Answered => ({
  state,
  letters: [refusal(checking, "the signature is not that of the artefact")],
});

export function admitted(state: PoolState, checking: Admission, at: At): Answered {
  const { facts, made, replaces, specialises, covers, grantedBy } = checking.offer;
  const { name, version } = facts;
  if (Object.hasOwn(state.executors, name)) {
    const taken = refusal(checking, `the pool has ${name} already`);
    const facts = factsOf(state.facts, [about.executor(name)]);
    return { state, letters: [{ ...taken, because: facts }] };
  }
  const entry: PoolEntry = {
    ...facts,
    ...{ state: "proposed", isLoaded: false, isVisible: false, isHandcrafted: false },
    ...{ made, specialises, closes: [...new Set([name, ...covers])], seen: unseen },
  };
  const next = {
    ...state,
    executors: { ...state.executors, [name]: entry },
    mnests: promoted(state.mnests, { name, version }, [name, ...covers]),
    // Chains that it incorporates stand in for nothing any more.
    composed: Object.fromEntries(
      Object.entries(state.composed).filter(
        ([, { chain }]) => ![name, ...covers].includes(chainName(chain) ?? ""),
      ),
    ),
  };
  const changes = replaces.members.map(
    (member): Letter => ({
      to: `executor/${member}`,
      event: { type: `executor.${replaces.how}`, into: name },
    }),
  );
  const letters = [...filesOf(name, made), ...started(name, version, false), ...changes];
  const because = [grantedBy, at.seq];
  const { to, re } = checking;
  return {
    state: next,
    letters: [
      ...letters.map((letter) => ({ ...letter, because })),
      { to, event: { type: "pool.admitted", ok: true, why: null }, re },
    ],
  };
}

/** The island of an executor that is granted already. */
export const started = (name: string, version: string, isHandcrafted: boolean): Letter[] => [
  startActor("executorLifecycle", `executor/${name}`, { name, version, isHandcrafted, pool: POOL }),
  { to: `executor/${name}`, event: { type: "executor.synthesized" } },
  { to: `executor/${name}`, event: { type: "executor.granted" } },
];

const pathsOf = (name: string) => ({
  code: `${EXECUTORS_FOLDER}/${name}/${name}.py`,
  manifest: `${EXECUTORS_FOLDER}/${name}/manifest.json`,
  signature: `${EXECUTORS_FOLDER}/${name}/manifest.json.sig`,
});

function filesOf(name: string, { code, manifest, signature }: Made): Letter[] {
  const paths = pathsOf(name);
  const texts = {
    [paths.code]: code,
    [paths.manifest]: sortedJson(manifest),
    [paths.signature]: signature,
  };
  return Object.entries(texts).map(
    ([path, text]): Letter => ({ to: "files", event: { type: "files.write", path, text } }),
  );
}

/** An actor wrote into an executor's folder: what lies there now is checked as it was at birth. */
export function tampered(
  state: PoolState,
  { path, text, at }: Delivered<"folder.changed">,
): Answered {
  const name = path.slice(EXECUTORS_FOLDER.length + 1).split("/")[0] ?? "";
  const entry = ownValue(state.executors, name);
  if (entry?.made == null) return { state, letters: [] };
  const { code, manifest, signature } = entry.made;
  const made = madeWith(name, entry.made, path, text);
  const isSame = made.code === code && made.manifest === manifest && made.signature === signature;
  // What the keeper itself has written.
  if (isSame) return { state, letters: [] };
  const key = `load:${at.seq}`;
  return {
    state: { ...state, checking: { ...state.checking, [key]: { does: "load", name } } },
    letters: [verification(key, made)],
  };
}

function madeWith(name: string, made: Made, path: string, text: string | null): Made {
  const paths = pathsOf(name);
  if (path === paths.code) return { ...made, code: text ?? "" };
  if (path === paths.signature) return { ...made, signature: text ?? "" };
  if (path !== paths.manifest || text === sortedJson(made.manifest)) return made;
  return { ...made, manifest: text };
}

export const loaded = (state: PoolState, name: string, isRight: boolean): Answered => ({
  state,
  letters: isRight ? [] : [{ to: `executor/${name}`, event: { type: "signature.broken" } }],
});
