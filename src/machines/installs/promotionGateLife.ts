/**
 * The gate before a revision becomes active: shut while the record of one of its judges is missing, fails or is of other
 * content, open when none is; a later record may shut it again. Source: seed 003, promotion gate failure; rulings I6, I9.
 */
import { assign, setup } from "xstate";
import { type Delivered, type Outbox, post } from "../letter.ts";
import { GATEWAY, type Role } from "./addresses.ts";

export interface PromotionGateInput {
  readonly revision: string;
  readonly missing: readonly Role[];
}

export type PromotionGateEvent = Delivered<"gate.judged" | "gate.refused">;

export interface PromotionGateContext extends PromotionGateInput {
  /** How often a promotion was asked for while it was shut. */
  readonly refused: number;
}

export const promotionGateMachine = () =>
  setup({
    types: {
      context: {} as PromotionGateContext,
      events: {} as PromotionGateEvent,
      input: {} as PromotionGateInput & { readonly at: unknown },
      emitted: {} as Outbox,
    },
    guards: {
      isOpen: ({ context }) => context.missing.length === 0,
      opens: ({ event }) => event.type === "gate.judged" && event.missing.length === 0,
    },
    actions: {
      judged: assign(({ event }) =>
        event.type === "gate.judged" ? { missing: event.missing } : {},
      ),
      refused: assign(({ context }) => ({ refused: context.refused + 1 })),
    },
  }).createMachine({
    id: "promotionGate",
    context: ({ input: { at: _, ...input } }) => ({ ...input, refused: 0 }),
    initial: "opening",
    states: {
      opening: { always: [{ guard: "isOpen", target: "open" }, { target: "shut" }] },
      shut: {
        entry: post(({ context: { revision, missing } }) => [
          { to: GATEWAY, event: { type: "gate.shut", revision, missing } },
        ]),
        on: {
          "gate.judged": [
            { guard: "opens", target: "open", actions: "judged" },
            { actions: "judged" },
          ],
          "gate.refused": { actions: "refused" },
        },
      },
      open: {
        entry: post(({ context: { revision } }) => [
          { to: GATEWAY, event: { type: "gate.opened", revision } },
        ]),
        on: {
          "gate.judged": [
            { guard: "opens", actions: "judged" },
            { target: "shut", actions: "judged" },
          ],
        },
      },
    },
  });
