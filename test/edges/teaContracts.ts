/** What a part of another field says of its port to programs: tea is poured there. */
import type { PartContracts } from "../../src/edges/program/portQuestions.ts";

export const teaContracts: { readonly contracts: PartContracts } = {
  contracts: {
    "port/tea.pour": {
      question: (asked, { name }) => ({ ...asked, guest: name }),
      unusable: (answer) => {
        const { cups } = answer as { readonly cups?: unknown }; // Whatever it is, it is looked at.
        return Number(cups) >= 0 ? null : `${cups} cups`;
      },
      reply: ({ cups }) => ({ event: { type: "executor.ended", ok: true, cents: cups } }),
      failure: () => ({ type: "executor.ended", ok: false, cents: 0 }),
    },
  },
};
