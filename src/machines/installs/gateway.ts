/**
 * The gateway: every tool of an install, judged by the address that it is asked from; content, artifacts, records, approvals
 * and revisions in one place, because they must agree. An island. Source: seed 003; rulings I.
 */
import type { Delivered, EventType, Letter } from "../letter.ts";
import type { SandboxPolicy } from "../sandboxPolicy.ts";
import { onlyLogged, type Service } from "../service.ts";
import { GATEWAY, WARDEN } from "./addresses.ts";
import { pythonFactsOf } from "./detection/pythonFacts.ts";
import { type Acting, advanced, stepWritten, textParsed } from "./gatewayActs.ts";
import { isOutside } from "./gatewayNotices.ts";
import { NO_OPENING, type Opening, openingFiles } from "./gatewayOpening.ts";
import { awakened, begun, STORE_KEY, storeAsked } from "./gatewayRestart.ts";
import {
  actKey,
  type Done,
  type GatewayState,
  openingGateway,
  type Request,
} from "./gatewayState.ts";
import type { InstallsPolicy } from "./installsPolicy.ts";

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
  const acting: Acting = { policy, parseLimitMs };
  const asked = (state: GatewayState, request: Request): Done =>
    advanced({ ...state, queue: [...state.queue, request] }, request.at.nowMs, acting);
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
        isOutside(at) ? { state: restarted(state), letters: [storeAsked] } : onlyLogged(state),
      "spawned.living": (state, { root, names, at }) => ({
        state: at.from === WARDEN ? withSpawned(state, root, names) : state,
        letters: [],
      }),
      "files.replied": (state, event) => filesReplied(state, event, acting),
      "sandbox.replied": (state, event) => {
        const act = actOf(state, event);
        return act === null || act.needs === null
          ? onlyLogged(state)
          : textParsed(state, act, pythonFactsOf(event), event.at.nowMs, acting);
      },
      "ask.bounced": (state, event) => bounced(state, event, acting),
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

const withSpawned = (
  state: GatewayState,
  root: string,
  names: readonly string[],
): GatewayState => ({
  ...state,
  living: { ...state.living, spawned: { ...state.living.spawned, [root]: names } },
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
): Done {
  const { ok, error, at } = event;
  if (at.key === STORE_KEY) return storeRead(state, event, acting);
  const act = actOf(state, event);
  if (act === null || act.needs !== null) return onlyLogged(state);
  if (ok) return stepWritten(state, act, at.nowMs, acting);
  return damaged({ ...state, act: null }, error ?? "the files did not take them", at.nowMs, acting);
}

function storeRead(state: GatewayState, event: Delivered<"files.replied">, acting: Acting): Done {
  if (state.isReady) return onlyLogged(state);
  const { files = {}, at } = event;
  const found = begun(files, acting.policy);
  if ("damage" in found) return damaged(state, found.damage, at.nowMs, acting);
  const next = advanced({ ...state, isReady: true, books: found.books }, at.nowMs, acting);
  return { state: next.state, letters: [...found.letters, ...next.letters] };
}

/** Nothing is served from books that cannot be trusted; whoever asks is told. */
function damaged(state: GatewayState, fault: string, nowMs: number, acting: Acting): Done {
  const next = advanced({ ...state, isReady: true, damage: fault }, nowMs, acting);
  const letter = { to: GATEWAY, event: { type: "gateway.damaged", fault } } as const;
  return { state: next.state, letters: [letter, ...next.letters] };
}

function bounced(state: GatewayState, event: Delivered<"ask.bounced">, acting: Acting): Done {
  const { key = "", nowMs } = event.at;
  const act = actOf(state, event);
  if (act === null) return { state, letters: awakened(state.books, key, acting.policy) };
  const error = `nobody lives at ${event.address}`;
  return act.needs === null
    ? damaged({ ...state, act: null }, error, nowMs, acting)
    : textParsed(state, act, { error }, nowMs, acting);
}
