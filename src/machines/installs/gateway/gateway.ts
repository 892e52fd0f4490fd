/**
 * The gateway: every tool of an install, judged by the address that it is asked from; content, artifacts, records, approvals
 * and revisions in one place, because they must agree. An island. Source: seed 003; rulings I.
 */
import { defined } from "../../defined.ts";
import { isPlainPath } from "../../folders.ts";
import { isoTime } from "../../isoTime.ts";
import { type At, answer, ask, type Delivered, type EventType, type Letter } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { Changed } from "../../portMail.ts";
import type { SandboxPolicy } from "../../sandboxPolicy.ts";
import { done, type Outcome, onlyLogged, type Service } from "../../service.ts";
import { GATEWAY, WARDEN } from "../addresses.ts";
import type { CodeFacts } from "../detection/codeFacts.ts";
import { pythonFactsOf, pythonFactsRun } from "../detection/pythonFacts.ts";
import type { InstallsPolicy } from "../installsPolicy.ts";
import { ownerFault } from "../toolOwners.ts";
import {
  artifactBuild,
  artifactInspect,
  contentRead,
  contentWrite,
  promotionQuery,
  promotionRecord,
} from "./artifactTools.ts";
import { bookFacts } from "./bookFacts.ts";
import {
  type Answer,
  asAgent,
  type Books,
  type Call,
  type Done,
  type Env,
  failing,
  type Living,
  NO_BOOKS,
  type Served,
  type Tool,
} from "./books.ts";
import { createFromIntent } from "./createFromIntent.ts";
import { diff, inspect, list, promote, reject, rollback } from "./revisionTools.ts";
import {
  awakened,
  begun,
  NO_OPENING,
  type Opening,
  openingFiles,
  STORE_KEY,
  storeAsked,
  storeSteps,
} from "./store.ts";
import {
  approvalInspect,
  approvalList,
  isOutside,
  type Notice,
  noted,
  workflowStateTool,
} from "./workflows.ts";

/** What is served one after another, because each may change the books. */
type Request = Delivered<"gateway.asked" | "capability.called"> | Notice;

/** An act on its way: first Python may be asked what code means, then the files are written, step by step. */
interface Act {
  readonly request: Request;
  readonly parsed: readonly (readonly [text: string, facts: CodeFacts])[];
  /** The text that Python is asked about now; null once the act is being written. */
  readonly needs: string | null;
  /** What is still to be written, the step that is asked for first. */
  readonly steps: readonly Changed[];
  /** The books once all of it is written, and what is told then. */
  readonly after: Books;
  readonly letters: readonly Letter[];
}

export interface GatewayState {
  readonly startsAtMs: number;
  readonly living: Living;
  readonly books: Books;
  /** False while the store is read. */
  readonly isReady: boolean;
  /** Why the store does not count; null when it does. */
  readonly damage: string | null;
  readonly queue: readonly Request[];
  readonly act: Act | null;
  /** What later acts rest on: the numbers of the letters by which it came to be. */
  readonly grounds: { readonly [key: string]: readonly number[] };
}

type Turned = Outcome<GatewayState>;

/** A restart loses none of it: it is so whatever the books say. */
const openingGateway = (startsAtMs: number, living: Living): GatewayState => ({
  ...{ startsAtMs, living },
  books: NO_BOOKS,
  isReady: false,
  damage: null,
  queue: [],
  act: null,
  grounds: {},
});

const actKey = ({ seq }: At): string => `act:${seq}`;

export interface GatewayInput {
  /** What virtual time 0 is, in ms since 1970. */
  readonly startsAtMs?: number;
  /** What is there from the start; nothing when absent. */
  readonly opening?: Opening;
}

export function gatewayService({
  installs: policy,
  sandbox: { parseLimitMs },
}: {
  readonly installs: InstallsPolicy;
  readonly sandbox: Pick<SandboxPolicy, "parseLimitMs">;
}): Service<GatewayState, GatewayInput> {
  const acting = ({ at: { nowMs } }: { readonly at: At }): Acting => ({
    ...{ policy, parseLimitMs, nowMs },
  });
  const asked = (state: GatewayState, request: Request): Turned =>
    advanced({ ...state, queue: [...state.queue, request] }, acting(request));
  return {
    kind: "service",
    id: "gateway",
    init: ({ startsAtMs = 0, opening = NO_OPENING }) => {
      const changed = openingFiles(opening, policy);
      const isThere = Object.keys(changed).length > 0;
      const stored: Letter = { to: "files", event: { type: "files.apply", changed } };
      const letters = isThere ? [stored, storeAsked] : [storeAsked];
      const living = { natives: opening.natives, spawned: {} };
      return { state: openingGateway(startsAtMs, living), letters };
    },
    on: {
      "gateway.asked": asked,
      "capability.called": asked,
      "gating.said": asked,
      "workflow.told": asked,
      "approval.decided": asked,
      "approval.expired": asked,
      "approval.ruled": asked,
      "gateway.restarted": (state, { at }) =>
        isOutside(at) ? done(restarted(state), [storeAsked]) : onlyLogged(state),
      "spawned.living": (state, { root, names, at }) => {
        const spawned = { ...state.living.spawned, [root]: names };
        const living = { ...state.living, spawned };
        return done(at.from === WARDEN ? { ...state, living } : state);
      },
      "files.replied": (state, event) => filesReplied(state, event, acting(event)),
      "sandbox.replied": (state, event) => {
        const act = actOf(state, event);
        return act === null || act.needs === null
          ? onlyLogged(state)
          : textParsed(state, act, pythonFactsOf(event), acting(event));
      },
      "ask.bounced": (state, event) => bounced(state, event, acting(event)),
      ...logged,
    },
    ignores: [],
  };
}

/** What it had begun is lost with its memory; whoever waits at its door is still there. */
const restarted = ({ startsAtMs, living, queue }: GatewayState): GatewayState => ({
  ...openingGateway(startsAtMs, living),
  queue,
});

/** Facts of its own, for the log. */
const LOGGED = [
  "artifact.built",
  "approval.requested",
  "gate.opened",
  "gate.shut",
  "gateway.damaged",
  "gateway.foreign",
  "gateway.found",
  "install.refused",
  "promotion.recorded",
  "reach.refused",
  "revision.standing",
] as const satisfies readonly EventType[];

const logged = Object.fromEntries(LOGGED.map((type) => [type, onlyLogged<GatewayState>]));

/** The act that this answers; null for one that a restart has ended. */
const actOf = ({ act }: GatewayState, { at }: Delivered<EventType>) =>
  act !== null && at.key === actKey(act.request.at) ? act : null;

function filesReplied(
  state: GatewayState,
  event: Delivered<"files.replied">,
  acting: Acting,
): Turned {
  const { ok, error, at } = event;
  if (at.key === STORE_KEY) return storeRead(state, event, acting);
  const act = actOf(state, event);
  if (act === null || act.needs !== null) return onlyLogged(state);
  // One step is written, and the next one begins.
  if (ok)
    return followed(written({ ...state, act: { ...act, steps: act.steps.slice(1) } }), acting);
  return damaged({ ...state, act: null }, error ?? "the files did not take them", acting);
}

function storeRead(state: GatewayState, event: Delivered<"files.replied">, acting: Acting): Turned {
  if (state.isReady) return onlyLogged(state);
  const found = begun(event.files ?? {}, acting.policy);
  if ("damage" in found) return damaged(state, found.damage, acting);
  return followed(done({ ...state, isReady: true, books: found.books }, found.letters), acting);
}

/** Nothing is served from books that cannot be trusted; whoever asks is told. */
function damaged(state: GatewayState, fault: string, acting: Acting): Turned {
  const letter = { to: GATEWAY, event: { type: "gateway.damaged", fault } } as const;
  return followed(done({ ...state, isReady: true, damage: fault }, [letter]), acting);
}

function bounced(state: GatewayState, event: Delivered<"ask.bounced">, acting: Acting): Turned {
  const { key = "" } = event.at;
  const act = actOf(state, event);
  if (act === null) return done(state, awakened(state.books, key, acting.policy));
  const error = `nobody lives at ${event.address}`;
  return act.needs === null
    ? damaged({ ...state, act: null }, error, acting)
    : textParsed(state, act, { error }, acting);
}

/* How the gateway serves: one act at a time, told and answered once all of it is written. Source: rulings I9; dossier 1.7. */

interface Acting {
  readonly policy: InstallsPolicy;
  readonly parseLimitMs: number;
  readonly nowMs: number;
}

/** Serves whoever waits, as far as nothing has to be waited for. */
function advanced(state: GatewayState, acting: Acting): Turned {
  let now = state;
  const letters: Letter[] = [];
  for (;;) {
    const [request, ...queue] = now.queue;
    if (!now.isReady || now.act !== null || request === undefined) return { state: now, letters };
    const turned = taken({ ...now, queue }, { request, parsed: [] }, acting);
    now = turned.state;
    letters.push(...turned.letters);
  }
}

type Begun = Pick<Act, "request" | "parsed">;

/** Looks at a request, once more when Python has said what it is about. */
function taken(state: GatewayState, begun: Begun, acting: Acting): Turned {
  const { request, parsed } = begun;
  const { books, startsAtMs, living } = state;
  const { policy, parseLimitMs, nowMs } = acting;
  const timestamp = isoTime(startsAtMs + nowMs);
  const env: Env = { living, policy, timestamp, nowMs, parsed: new Map(parsed) };
  const made = outcomeOf(state, request, env);
  if ("needs" in made) {
    const act = { ...begun, needs: made.needs, steps: [], after: books, letters: [] };
    return done({ ...state, act }, [parsing(act, parseLimitMs)]);
  }
  const steps = storeSteps(books, made.books);
  const odd = steps.flatMap((step) => Object.keys(step)).find((path) => !isPlainPath(path));
  if (odd !== undefined) {
    const unwritable = failing(books, [`Invalid name: ${odd} cannot be the path of a file`]);
    return settled(state, actWithLetters(state, request, unwritable, env));
  }
  const act = actWithLetters(state, request, made, env);
  return steps.length === 0 ? settled(state, act) : written({ ...state, act: { ...act, steps } });
}

/** Of what the gateway is told, there is no answer. */
type Made = Pick<Done, "books" | "letters"> & { readonly answer: Answer | null };

function outcomeOf(
  { books, damage }: GatewayState,
  request: Request,
  env: Env,
): Made | { readonly needs: string } {
  const call = callOf(request);
  if (call === null) {
    if (damage !== null) return { books, answer: null };
    const notice = request as Notice; // All others are calls.
    return { answer: null, ...noted(books, notice, env) };
  }
  const made =
    damage === null
      ? served(books, call, env)
      : failing(books, [`fatal: the gateway's books are corrupted: ${damage}`]);
  if ("needs" in made) return made;
  return { ...made, letters: [...refusals(call, made.answer), ...(made.letters ?? [])] };
}

function callOf(request: Request): Call | null {
  switch (request.type) {
    case "gateway.asked": {
      const { tool, params, workflow, at } = request;
      return defined({ tool, params, from: at.from, workflow });
    }
    case "capability.called":
      return { tool: request.capability, params: request.params, from: asAgent(request.agent) };
    default:
      return null;
  }
}

/** A tool that did not do what it was asked is told of, and waiting for a person is no refusal. */
function refusals({ tool, from: by, params }: Call, made: Answer): readonly Letter[] {
  if (made.ok || made.approvalRequired !== undefined) return [];
  const agent = ownValue(params, "agent_id");
  const reasons = made.reasons ?? [made.error?.message ?? "no reason given"];
  const of = typeof agent === "string" ? { agent } : {};
  return [{ to: GATEWAY, event: { type: "install.refused", tool, by, ...of, reasons } }];
}

/** The act with all that is said once it is written; its letters rest on what was told before. */
function actWithLetters(state: GatewayState, request: Request, made: Made, { policy }: Env): Act {
  const because = groundsOf(state, request);
  const facts = [...(made.letters ?? []), ...bookFacts(state.books, made.books, policy)];
  return {
    ...{ request, parsed: [], needs: null, steps: [], after: made.books },
    letters: [
      ...facts.map((letter) => ({ ...letter, because })),
      ...(made.answer === null ? [] : answerTo(request, made.answer)),
    ],
  };
}

function answerTo(request: Request, made: Answer): readonly Letter[] {
  if (request.type !== "capability.called") {
    return answer(request.at, { type: "gateway.answered", ...made });
  }
  const { ok, result = null, error } = made;
  const said = ok ? { ok, result } : { ok, result, error: error?.message ?? "approval required" };
  return answer(request.at, { type: "capability.answered", ...said });
}

/** The agent or the artifact that it is about. */
function keysOf(request: Request): readonly string[] {
  const call = callOf(request);
  if (call === null) return "agent" in request ? [request.agent] : [];
  const named = ["agent_id", "artifact_id"].map((name) => ownValue(call.params, name));
  return named.filter((one) => typeof one === "string");
}

const GROUNDS_MAX = 8;

function groundsOf({ grounds }: GatewayState, request: Request): readonly number[] {
  const before = keysOf(request).flatMap((key) => ownValue(grounds, key) ?? []);
  return [...new Set([...before, request.at.seq])].sort((a, b) => a - b).slice(-GROUNDS_MAX);
}

function settled(state: GatewayState, { request, after, letters }: Act): Turned {
  const { seq } = request.at;
  const isOther = after !== state.books;
  const mine = isOther ? keysOf(request) : [];
  const grounds = Object.fromEntries(
    mine.map((key) => [key, [...(ownValue(state.grounds, key) ?? []), seq].slice(-GROUNDS_MAX)]),
  );
  return {
    state: { ...state, books: after, act: null, grounds: { ...state.grounds, ...grounds } },
    letters,
  };
}

/** The next step of an act goes to the files; the last one was the end of it. */
function written(state: GatewayState): Turned {
  const { act } = state;
  if (act === null) return done(state);
  const [step] = act.steps;
  return step === undefined ? settled(state, act) : done(state, [applied(act, step)]);
}

const applied = ({ request }: Act, changed: Changed): Letter =>
  ask({ to: "files", key: actKey(request.at), event: { type: "files.apply", changed } });

/** What Python said of one text is kept, and the request is looked at again. */
function textParsed(state: GatewayState, act: Act, facts: CodeFacts, acting: Acting): Turned {
  const parsed = [...act.parsed, [act.needs ?? "", facts] as const];
  return followed(taken({ ...state, act: null }, { request: act.request, parsed }, acting), acting);
}

/** And whoever waits behind it is served. */
function followed(turned: Turned, acting: Acting): Turned {
  const next = advanced(turned.state, acting);
  return done(next.state, [...turned.letters, ...next.letters]);
}

const parsing = ({ request, needs }: Act, limitMs: number): Letter =>
  ask({
    to: "port/sandbox.run",
    key: actKey(request.at),
    event: { type: "sandbox.run", purpose: "detect", limitMs, ...pythonFactsRun(needs ?? "") },
  });

/* The tools by name, each refused to whoever does not own it. */

const TOOLS: { readonly [tool: string]: Tool } = {
  "agent.revision.create_from_intent": createFromIntent,
  "agent.revision.promote": promote,
  "agent.revision.list": list,
  "agent.revision.inspect": inspect,
  "agent.revision.rollback": rollback,
  "agent.revision.diff": diff,
  "agent.revision.reject": reject,
  "artifact.build": artifactBuild,
  "artifact.inspect": artifactInspect,
  "content.write": contentWrite,
  "content.read": contentRead,
  "promotion.record": promotionRecord,
  "promotion.query": promotionQuery,
  "workflow.state": workflowStateTool,
  "approval.list": approvalList,
  "approval.inspect": approvalInspect,
};

export const GATEWAY_TOOLS: readonly string[] = Object.keys(TOOLS);

const TO_BUILDER = "Delegate it to the one that may: installs to specialized_builder.default.";

/** Judged by where the call came from; what its parameters claim is nothing to it. */
function served(books: Books, call: Call, env: Env): Served {
  const stranger = ownerFault(call.tool, call.from, env.policy);
  if (stranger !== null) return failing(books, [`permission: ${stranger}`], TO_BUILDER);
  const tool = ownValue(TOOLS, call.tool);
  if (tool !== undefined) return tool(books, call, env);
  return failing(
    books,
    [`Unknown tool '${call.tool}'`],
    `Call one of ${GATEWAY_TOOLS.join(", ")}.`,
  );
}
