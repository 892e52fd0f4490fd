/** How the gateway serves: one act at a time, told and answered once all of it is written. Source: rulings I9; dossier 1.7. */
import { defined } from "../defined.ts";
import { isPlainPath } from "../folders.ts";
import { isoTime } from "../isoTime.ts";
import { answer, ask, type Letter } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Changed } from "../portMail.ts";
import { GATEWAY } from "./addresses.ts";
import type { CodeFacts } from "./detection/codeFacts.ts";
import { pythonFactsRun } from "./detection/pythonFacts.ts";
import type { Books } from "./gatewayBooks.ts";
import { type Answer, asAgent, type Call, type Env, failing, type Served } from "./gatewayCall.ts";
import { bookFacts } from "./gatewayFacts.ts";
import { noted } from "./gatewayNotices.ts";
import { type Act, actKey, type Done, type GatewayState, type Request } from "./gatewayState.ts";
import { storeSteps } from "./gatewayStore.ts";
import { served } from "./gatewayTools.ts";
import type { InstallsPolicy } from "./installsPolicy.ts";

export interface Acting {
  readonly policy: InstallsPolicy;
  readonly parseLimitMs: number;
}

/** Serves whoever waits, as far as nothing has to be waited for. */
export function advanced(state: GatewayState, nowMs: number, acting: Acting): Done {
  let now = state;
  const letters: Letter[] = [];
  for (;;) {
    const [request, ...queue] = now.queue;
    if (!now.isReady || now.act !== null || request === undefined) return { state: now, letters };
    const done = taken({ ...now, queue }, { request, parsed: [] }, nowMs, acting);
    now = done.state;
    letters.push(...done.letters);
  }
}

type Begun = Pick<Act, "request" | "parsed">;

/** Looks at a request, once more when Python has said what it is about. */
export function taken(state: GatewayState, begun: Begun, nowMs: number, acting: Acting): Done {
  const { request, parsed } = begun;
  const { books, startsAtMs, living } = state;
  const env: Env = {
    living,
    policy: acting.policy,
    timestamp: isoTime(startsAtMs + nowMs),
    nowMs,
    parsed: new Map(parsed),
  };
  const made = outcomeOf(state, request, env);
  if ("needs" in made) {
    const act = { ...begun, needs: made.needs, steps: [], after: books, letters: [] };
    return { state: { ...state, act }, letters: [parsing(act, acting.parseLimitMs)] };
  }
  const steps = storeSteps(books, made.books);
  const odd = steps.flatMap((step) => Object.keys(step)).find((path) => !isPlainPath(path));
  if (odd !== undefined) return settled(state, told(state, request, unwritable(books, odd), env));
  const act = told(state, request, made, env);
  return steps.length === 0 ? settled(state, act) : written({ ...state, act: { ...act, steps } });
}

interface Made {
  readonly books: Books;
  readonly answer: Answer | null;
  readonly letters: readonly Letter[];
}

const unwritable = (books: Books, path: string): Made =>
  madeOf(failing(books, [`Invalid name: ${path} cannot be the path of a file`])) as Made; // It needs nothing.

function madeOf(done: Served): Made | { readonly needs: string } {
  if ("needs" in done) return done;
  return { books: done.books, answer: done.answer, letters: done.letters ?? [] };
}

function outcomeOf(
  { books, damage }: GatewayState,
  request: Request,
  env: Env,
): Made | { readonly needs: string } {
  const call = callOf(request);
  if (call === null) {
    if (damage !== null) return { books, answer: null, letters: [] };
    const notice = request as Parameters<typeof noted>[1]; // All others are calls.
    return { answer: null, ...noted(books, notice, env) };
  }
  const done =
    damage === null
      ? served(books, call, env)
      : failing(books, [`fatal: the gateway's books are corrupted: ${damage}`]);
  const made = madeOf(done);
  return "needs" in made
    ? made
    : { ...made, letters: [...refusals(call, made.answer), ...made.letters] };
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
function refusals({ tool, from: by, params }: Call, made: Answer | null): readonly Letter[] {
  if (made === null || made.ok || made.approvalRequired !== undefined) return [];
  const agent = ownValue(params, "agent_id");
  const reasons = made.reasons ?? [made.error?.message ?? "no reason given"];
  const of = typeof agent === "string" ? { agent } : {};
  return [{ to: GATEWAY, event: { type: "install.refused", tool, by, ...of, reasons } }];
}

/** The act with all that is said once it is written; its letters rest on what was told before. */
function told(state: GatewayState, request: Request, made: Made, { policy }: Env): Act {
  const because = groundsOf(state, request);
  const facts = [...made.letters, ...bookFacts(state.books, made.books, policy)];
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

function settled(state: GatewayState, { request, after, letters }: Act): Done {
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
function written(state: GatewayState): Done {
  const { act } = state;
  if (act === null) return { state, letters: [] };
  const [step] = act.steps;
  return step === undefined ? settled(state, act) : { state, letters: [applied(act, step)] };
}

const applied = ({ request }: Act, changed: Changed): Letter =>
  ask({ to: "files", key: actKey(request.at), event: { type: "files.apply", changed } });

/** One step is written, and the next one begins. */
export function stepWritten(state: GatewayState, act: Act, nowMs: number, acting: Acting): Done {
  const done = written({ ...state, act: { ...act, steps: act.steps.slice(1) } });
  return followed(done, nowMs, acting);
}

/** What Python said of one text is kept, and the request is looked at again. */
export function textParsed(
  state: GatewayState,
  act: Act,
  facts: CodeFacts,
  nowMs: number,
  acting: Acting,
): Done {
  const parsed = [...act.parsed, [act.needs ?? "", facts] as const];
  const done = taken({ ...state, act: null }, { request: act.request, parsed }, nowMs, acting);
  return followed(done, nowMs, acting);
}

function followed(done: Done, nowMs: number, acting: Acting): Done {
  const next = advanced(done.state, nowMs, acting);
  return { state: next.state, letters: [...done.letters, ...next.letters] };
}

const parsing = ({ request, needs }: Act, limitMs: number): Letter =>
  ask({
    to: "port/sandbox.run",
    key: actKey(request.at),
    event: { type: "sandbox.run", purpose: "detect", limitMs, ...pythonFactsRun(needs ?? "") },
  });
