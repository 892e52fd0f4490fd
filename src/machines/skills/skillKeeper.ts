/**
 * The keeper of skills: the registry, one row a skill, and all that is asked of it. Each skill is a statechart of its own; the
 * keeper is an island, because registry, store and what is routed must agree. Source: seed 001, path A; rulings K1, K6, K7, K11.
 */
import { defined } from "../defined.ts";
import { type FolderPolicy, pathsIn } from "../folders.ts";
import { ask, type Delivered, type Json, type Letter, type Mail, startActor } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { between, integer, type ValuesOf } from "../policyLeaf.ts";
import { readJson } from "../readJson.ts";
import { done, onlyLogged, type Service } from "../service.ts";
import { seconds } from "../units.ts";
import { creationFault, namedArgs } from "./creation.ts";
import { trimPython } from "./pythonText.ts";
import { executionText, runCause, scriptResult, scriptRun, skillResultClass } from "./scriptRun.ts";
import type { SkillInput, SkillRefusal } from "./skill.ts";
import {
  type BookPolicy,
  type CallOutcome,
  countCall,
  retirableRows,
  rowOf,
  saveSkill,
  withoutRow,
} from "./skillBook.ts";
import {
  answerSection,
  answerTo,
  askBroken,
  askerOf,
  type BrokenSkills,
  brokenIn,
  brokenOf,
  type Called,
  type Done,
  hearCall,
  judgeProgram,
  type KeeperState,
  type Listing,
  type ListingPolicy,
  listLetters,
  listWithBroken,
  replyTo,
  routeNearest,
  withoutKey,
} from "./skillListing.ts";
import {
  isEmptyStore,
  readLegacy,
  readStore,
  registryPath,
  registryText,
  retiredPath,
  SANDBOX_FOLDER,
  SKILLS,
  type Store,
  skillPath,
  storeFolder,
} from "./skillStore.ts";

export const callLeaves = {
  callLimitMs: integer(seconds(10), between(1, seconds(600), "ms"), {
    says: "How long one call of a skill may take.",
    source: "ours: as any call of Python",
  }),
};

type Policy = ListingPolicy & BookPolicy & ValuesOf<typeof callLeaves> & { readonly store: Store };

/** What agents call to acquire skills and to look after them. Source: seed 001, path A. */
export const skillBuiltins = [
  {
    name: "create_skill",
    description:
      "Creates a permanent acquired skill from Python source after a test run: name, description, " +
      "parameters_schema, python_code, test_payload.",
    servedBy: SKILLS,
    isLockable: true,
    output: "usual",
  },
  {
    name: "manage_skills",
    description: "Lists acquired skills with status, usage and failure counts; archives degraded.",
    servedBy: SKILLS,
  },
] as const;

/** The registry as it is now; its sender waits for no answer. */
const registryLetter = ({ book }: KeeperState, { store }: Policy): Letter => ({
  to: "files",
  event: { type: "files.write", path: registryPath(store), text: registryText(book) },
});

/** A skill begins its life, or is brought to life again. */
function startSkill(state: KeeperState, input: Omit<SkillInput, "keeper">) {
  const { name } = input;
  const nth = (ownValue(state.births, name) ?? 0) + 1;
  const address = nth === 1 ? `skill/${name}` : `skill/${name}#${nth}`;
  return {
    state: { ...state, births: { ...state.births, [name]: nth } },
    address,
    letter: startActor("skill", address, { ...input, keeper: SKILLS }),
  };
}

/** To the skill that lives under this name. */
function toSkill(state: KeeperState, name: string, event: Letter["event"]): Letter[] {
  const to = ownValue(state.lives, name);
  return to === undefined ? [] : [{ to, event }];
}

// create_skill: what is asked of its arguments, the skill that comes of it, its row, and the answer.

/** The engine knows which names are taken. */
function askNames(state: KeeperState, { agent, params, at }: Called): Done {
  const key = `names:${at.seq}`;
  const open = { asker: askerOf(at), agent, params };
  return done({ ...state, asking: { ...state.asking, [key]: open } }, [
    ask({ to: at.from, key, event: { type: "tools.asked" } }),
  ]);
}

function startCreation(
  state: KeeperState,
  { capabilities, broken, at: { key = "" } }: Delivered<"tools.answered">,
  { ghostRules }: Policy,
): Done {
  const open = ownValue(state.asking, key);
  if (open === undefined) return done(state);
  const before = { ...state, asking: withoutKey(state.asking, key) };
  const { asker, agent } = open;
  const params = namedArgs(open.params);
  const taken = new Map<string, string>();
  for (const { name } of capabilities) {
    if (rowOf(state.book, name) === undefined) taken.set(name, "another capability");
  }
  for (const name of Object.keys(state.making)) taken.set(name, "a skill that is being created");
  const fault = creationFault(params, taken);
  const name = textOf(params.name);
  if (fault !== null) {
    const { cause, found, allowed } = fault;
    const todo = `Allowed: ${allowed}. ${fault.todo}`;
    const refusal: SkillRefusal = { stage: "asking", cause, found, todo };
    return done(before, [
      { to: SKILLS, event: { type: "skill.refused", skill: name, agent, ...refusal } },
      answerTo(asker, { ok: false, error: refusalText(name, refusal) }),
    ]);
  }
  const started = startSkill(before, {
    name,
    agent,
    kept: null,
    description: textOf(params.description),
    parametersSchema: readJson(textOf(params.parameters_schema)) ?? {},
    code: textOf(params.python_code),
    payload: textOf(params.test_payload),
  });
  const listed = ghostRules === "on" ? brokenOf(brokenIn(broken), name) : {};
  const making = { ...started.state.making, [name]: { ...asker, ...listed } };
  return done({ ...started.state, making }, [started.letter]);
}

const textOf = (value: Json | undefined): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

const refusalText = (name: string, { stage, cause, found, todo }: SkillRefusal): string =>
  `SkillError: ${name || "a skill"} was refused at ${stage}, ${cause}: ${found}. ${todo}`;

/** A skill that came to nothing. A word of the keeper's own to the log changes nothing. */
function refuseCreation(state: KeeperState, event: Delivered<"skill.refused">): Done {
  const asker = ownValue(state.making, event.skill);
  if (event.at.from === SKILLS || asker === undefined) return done(state);
  const error = refusalText(event.skill, event);
  return done({ ...state, making: withoutKey(state.making, event.skill) }, [
    answerTo(asker, { ok: false, error }, [event.at.seq]),
  ]);
}

/** The skill's file is written: now its row, and nothing after it. */
function writeRow(
  state: KeeperState,
  { skill: name, description, parametersSchema, code, at }: Delivered<"skill.registering">,
  { store }: Policy,
): Done {
  const { book, saving } = saveSkill(state.book, { name, description, parametersSchema, code });
  const key = `row:${at.seq}`;
  const rows = { ...state.rows, [key]: { asker: askerOf(at), name, saving, before: state.book } };
  const write = { path: registryPath(store), text: registryText(book) };
  return done({ ...state, book, rows }, [
    ask({ to: "files", key, event: { type: "files.write", ...write }, because: [at.seq] }),
  ]);
}

/** The row stands, so the skill lives; the one that bore its name before gives way. */
function finishCreation(
  state: KeeperState,
  { ok, error = "the store did not take it", at }: Delivered<"files.replied">,
  policy: Policy,
): Done {
  const { key = "" } = at;
  const open = ownValue(state.rows, key);
  if (open === undefined) return done(state);
  const { asker, name, saving, before } = open;
  const rows = withoutKey(state.rows, key);
  if (!ok) {
    const old = rowOf(before, name);
    const others = withoutRow(state.book, name);
    const book = old === undefined ? others : [...others, old];
    return done({ ...state, rows, book }, [
      replyTo(asker, { type: "skill.registered", ok: false, error }),
    ]);
  }
  const status = rowOf(state.book, name)?.status ?? "active";
  const creator = ownValue(state.making, name);
  const next = {
    ...state,
    rows,
    making: withoutKey(state.making, name),
    lives: { ...state.lives, [name]: asker.from },
  };
  const { broken } = creator ?? {};
  const result = { ok: true, skill: name, status, call: name, ...(broken && { broken }) };
  const because = "it was created again";
  return done(next, [
    ...toSkill(state, name, { type: "skill.left", skill: name, how: "replaced", because }),
    replyTo(asker, { type: "skill.registered", ok: true, status, saving }),
    ...listLetters(next, policy),
    ...(creator === undefined ? [] : [answerTo(creator, { ok: true, result }, [at.seq])]),
  ]);
}

// A call of a skill: its file is read from the store and run in the sandbox, and what came of it is counted.

/** Ours: a call's view of the virtual files. */
const VIEW_FILES_MAX = 50;

/** The source of truth is the file in the store; a view of the files that the call names comes with it. */
function callSkill(
  state: KeeperState,
  { agent, capability: skill, params, at }: Called,
  policy: Policy,
  beyond: FolderPolicy,
): Done {
  const row = rowOf(state.book, skill);
  if (row?.status !== "active") {
    const why = row === undefined ? "no skill of this name is registered" : "it is degraded";
    const error = `SkillError: ${skill}: ${why}`;
    return done(state, [answerTo(askerOf(at), { ok: false, error })]);
  }
  const key = `call:${at.seq}`;
  const named = [...new Set(pathsIn(JSON.stringify(params), beyond))].slice(0, VIEW_FILES_MAX);
  const folders = [skillPath(skill, policy.store), ...named];
  const open = { asker: askerOf(at), skill, agent, params };
  return done({ ...state, calls: { ...state.calls, [key]: open } }, [
    ask({ to: "files", key, event: { type: "files.snapshot", folders }, because: [at.seq] }),
  ]);
}

/** Its code is there, or it has failed. */
function runSkill(
  state: KeeperState,
  { files = {}, at: { key = "", seq } }: Delivered<"files.replied">,
  policy: Policy,
): Done {
  const open = ownValue(state.calls, key);
  if (open === undefined) return done(state);
  const path = skillPath(open.skill, policy.store);
  const code = ownValue(files, path);
  if (code === undefined) {
    const cause = "FileNotFoundError: its file is gone from the store";
    return endCall(state, key, { outcome: "failure", cause, fact: seq }, policy);
  }
  const event: Letter["event"] = {
    type: "sandbox.run",
    purpose: "skill",
    limitMs: policy.callLimitMs,
    ...scriptRun(code, path, [JSON.stringify(open.params)]),
    files: withoutKey(files, path),
  };
  return done(state, [ask({ to: "port/sandbox.run", key, event, because: [seq] })]);
}

/** How the script ended, in the classes of the real system: `infra` is charged to neither side. */
function judgeRun(state: KeeperState, event: Delivered<"sandbox.replied">, policy: Policy): Done {
  const { at, changed, created } = event;
  const run = scriptResult(event);
  const outcome = OUTCOMES[skillResultClass(executionText(run))];
  const end: End =
    outcome === "success"
      ? { outcome, cause: null, fact: at.seq, result: resultOf(run.stdout), changed, created }
      : { outcome, cause: runCause(run), fact: at.seq };
  return endCall(state, at.key ?? "", end, policy);
}

const OUTCOMES = { ok: "success", fail: "failure", infra: "infra" } as const;

/** What it printed: JSON where it is some, nothing where it is blank. */
function resultOf(stdout: string): Json {
  const text = trimPython(stdout);
  // What prints `null` has printed JSON, too.
  const read = text === "" ? null : readJson(text);
  return read === undefined ? { output: stdout } : read;
}

interface End {
  readonly outcome: CallOutcome;
  readonly cause: string | null;
  /** What the outcome rests on. */
  readonly fact: number;
  readonly result?: Json;
  readonly changed?: Mail["capability.answered"]["changed"];
  readonly created?: readonly string[] | undefined;
}

function endCall(state: KeeperState, key: string, end: End, policy: Policy): Done {
  const open = ownValue(state.calls, key);
  if (open === undefined) return done(state);
  const { asker, skill, agent } = open;
  const { outcome, cause, fact, result, changed, created } = end;
  const book = countCall(state.book, skill, outcome, policy);
  const next: KeeperState = { ...state, book, calls: withoutKey(state.calls, key) };
  const letters: Letter[] = book === state.book ? [] : [registryLetter(next, policy)];
  const row = rowOf(book, skill);
  if (row !== undefined) {
    const { status, usageCount, failureCount } = row;
    const counts = { status, usageCount, failureCount };
    const event = { type: "skill.counted", ...counts, skill, agent, outcome, cause } as const;
    letters.push(...toSkill(next, skill, event));
    const isDegraded = status === "degraded" && rowOf(state.book, skill)?.status === "active";
    if (isDegraded) letters.push(...listLetters(next, policy));
  }
  const said: Mail["capability.answered"] =
    outcome === "success"
      ? defined({ ok: true, result, changed, created })
      : { ok: false, error: `${skill}: ${cause ?? "it failed"}` };
  return done(next, [...letters, answerTo(asker, said, [fact])]);
}

// How the store is read: at the start, when an engine starts, and after a wipe.

const STORE_KEY = "store";
const WIPE_KEY = "wipe";

const askStore = ({ store }: Policy): Letter => {
  const folders = [...new Set([storeFolder(store), storeFolder("sandbox")])];
  return ask({ to: "files", key: STORE_KEY, event: { type: "files.snapshot", folders } });
};

/** File and row agree again; what does not, or is no row, is reported. */
function takeStore(
  state: KeeperState,
  { files = {} }: Delivered<"files.replied">,
  policy: Policy,
  builtins: readonly string[],
): Done {
  const { store } = policy;
  const isFresh = store === "memory" && isEmptyStore(files, store);
  const legacy = isFresh ? readLegacy(files, builtins) : undefined;
  const found = legacy?.found ?? readStore(files, store, builtins);
  const copied = Object.entries(legacy?.files ?? {});
  const kept = reviveSkills({ ...state, book: found.book, isRead: true, waiting: [] });
  const isOther = copied.length > 0 || found.rowsAlone.length > 0;
  return done(kept.state, [
    ...copied.map(([path, text]): Letter => {
      return { to: "files", event: { type: "files.write", path, text } };
    }),
    ...(isOther ? [registryLetter(kept.state, policy)] : []),
    {
      to: SKILLS,
      event: {
        type: "store.found",
        skills: found.book.length,
        migrated: legacy?.found.book.map(({ name }) => name) ?? [],
        filesAlone: found.filesAlone.filter((name) => ownValue(state.making, name) === undefined),
        rowsAlone: found.rowsAlone,
        ...(found.unfit.length > 0 && { unfit: found.unfit }),
        ...(found.changed.length > 0 && { changed: found.changed }),
        fault: found.fault,
      },
    },
    ...kept.letters,
    ...listLetters(kept.state, policy, state.waiting),
  ]);
}

/** Every row has a skill that lives, and no other skill lives. */
function reviveSkills(state: KeeperState): Done {
  const because = "its file or its row is gone";
  const letters = Object.entries(state.lives)
    .filter(([name]) => rowOf(state.book, name) === undefined)
    .map(([skill, to]): Letter => {
      return { to, event: { type: "skill.left", skill, how: "lost", because } };
    });
  let next = state;
  const lives: { [name: string]: string } = {};
  for (const { name, description, parametersSchema, status: kept } of state.book) {
    const known = ownValue(state.lives, name);
    if (known !== undefined) {
      lives[name] = known;
      continue;
    }
    const row = { name, agent: "", description, parametersSchema, kept };
    const started = startSkill(next, { ...row, code: "", payload: "" });
    next = started.state;
    lives[name] = started.address;
    letters.push(started.letter);
  }
  return done({ ...next, lives }, letters);
}

// What leaves the registry: at each call of manage_skills and each dream.

/** File, row and entry go together; the file goes to the archive. */
function retireSkills(
  state: KeeperState,
  leaving: readonly { readonly name: string; readonly because: string }[],
  policy: Policy,
): Done {
  if (leaving.length === 0) return done(state);
  const { store } = policy;
  let next = state;
  const letters: Letter[] = [];
  for (const { name, because } of leaving) {
    const [path, to] = [skillPath(name, store), retiredPath(name, store)];
    letters.push(
      { to: "files", event: { type: "files.move", path, to } },
      ...toSkill(next, name, { type: "skill.left", skill: name, how: "retired", because }),
    );
    next = { ...next, book: withoutRow(next.book, name), lives: withoutKey(next.lives, name) };
  }
  return done(next, [...letters, registryLetter(next, policy), ...listLetters(next, policy)]);
}

/** Those that are due, and which clause decided, told apart (K1). */
const leavingOf = (state: KeeperState, policy: Policy) =>
  retirableRows(state.book, policy).map(({ name, failures, failuresOfYoung }) => ({
    name,
    because: [
      ...(failures ? ["it failed too often in a row"] : []),
      ...(failuresOfYoung ? ["it failed often and was used little"] : []),
    ].join(", and "),
  }));

/** Lists the skills, once those that are due have left. */
function manageSkills(
  state: KeeperState,
  { at }: Called,
  policy: Policy,
  broken: BrokenSkills,
): Done {
  const leaving = leavingOf(state, policy);
  const after = retireSkills(state, leaving, policy);
  const skills = after.state.book.map((row) => ({
    name: row.name,
    description: row.description,
    status: row.status,
    usage_count: row.usageCount,
    failure_count: row.failureCount,
    ...brokenOf(broken, row.name),
  }));
  const result = { ok: true, skills, retired: leaving.map(({ name }) => name) };
  return done(after.state, [...after.letters, answerTo(askerOf(at), { ok: true, result })]);
}

/** retire_capability of a skill: an agent says that nobody needs it. */
function archiveSkill(state: KeeperState, { params, at }: Called, policy: Policy): Done {
  const name = String(params["name"]);
  if (rowOf(state.book, name) === undefined) {
    const error = `SkillError: no skill is called ${name}`;
    return done(state, [answerTo(askerOf(at), { ok: false, error })]);
  }
  const after = retireSkills(state, [{ name, because: "an agent retired it" }], policy);
  const result = { ok: true, retired: name };
  return done(after.state, [...after.letters, answerTo(askerOf(at), { ok: true, result })]);
}

export const skillKeeperService = ({
  skills: policy,
  engine: { builtins },
  folders,
}: {
  readonly skills: Policy;
  readonly folders: FolderPolicy;
  /** Their names are taken. */
  readonly engine: { readonly builtins: readonly string[] };
}): Service<KeeperState> => {
  const list = (state: KeeperState, event: Listing, broken: BrokenSkills): Done =>
    event.type === "section.asked"
      ? answerSection(state, event, policy, broken)
      : manageSkills(state, event, policy, broken);
  return {
    kind: "service",
    id: "skillKeeper",
    init: () => ({
      state: {
        book: [],
        engine: null,
        lives: {},
        births: {},
        making: {},
        calls: {},
        asking: {},
        rows: {},
        waiting: [],
        isRead: false,
        sections: {},
        listing: {},
        nearest: null,
      },
      letters: [askStore(policy)],
    }),
    on: {
      // An engine is answered once the store is read, so that it lists what is there.
      "entries.asked": (state, { at }) =>
        done({ ...state, engine: at.from, waiting: [...state.waiting, askerOf(at)] }, [
          askStore(policy),
        ]),
      "section.asked": (state, event) => askBroken(state, event, policy, list),
      "capability.called": (state, event) => {
        switch (event.capability) {
          case "create_skill":
            return askNames(state, event);
          case "manage_skills":
            return askBroken(state, event, policy, list);
          case "retire_capability":
            return archiveSkill(state, event, policy);
          default:
            return callSkill(state, event, policy, folders);
        }
      },
      "tools.answered": (state, event) =>
        listWithBroken(state, event, list) ?? startCreation(state, event, policy),
      "embed.replied": (state, event) => routeNearest(state, event, policy),
      "files.replied": (state, event) => {
        const { key = "" } = event.at;
        if (key === STORE_KEY) return takeStore(state, event, policy, builtins);
        if (key.startsWith("row:")) return finishCreation(state, event, policy);
        if (key.startsWith("call:")) return runSkill(state, event, policy);
        if (key !== WIPE_KEY) return done(state);
        // Whatever lies in the sandbox goes; then the store is read, for it may have lain there.
        const paths = Object.keys(event.files ?? {});
        return done(state, [
          { to: "files", event: { type: "files.delete", paths } },
          askStore(policy),
        ]);
      },
      "sandbox.replied": (state, event) => judgeRun(state, event, policy),
      "skill.registering": (state, event) => writeRow(state, event, policy),
      "skill.refused": refuseCreation,
      "skill.stepped": onlyLogged,
      "skill.wrapped": onlyLogged,
      "store.found": onlyLogged,
      "permission.asked": (state, event) => judgeProgram(state, event, policy),
      "call.reported": (state, event) => hearCall(state, event, policy),
      "dream.began": (state) => retireSkills(state, leavingOf(state, policy), policy),
      "sandbox.wiped": (state) => {
        const event = { type: "files.snapshot", folders: [SANDBOX_FOLDER] } as const;
        return done(state, [ask({ to: "files", key: WIPE_KEY, event })]);
      },
    },
    ignores: [],
  };
};
