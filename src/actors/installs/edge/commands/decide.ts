/** `ghostlight install approve`, `reject` and `pending`: the person's word on an approval between two runs. */
import type { JsonFlag } from "../../../../cli/bundles.ts";
import {
  type DecideFlags,
  type DeskCommands,
  decideCommand,
  pendingCommand,
} from "../../../../cli/decide.ts";
import { type BadInput, badInput } from "../../../../edges/errors.ts";
import { defined } from "../../../../machines/defined.ts";
import {
  approvalsDecided,
  type InstallWord,
  installDecidedBy,
  installDossierText,
  installsGate,
  questionIn,
} from "../gate.ts";

export interface InstallDecideFlags extends DecideFlags {
  readonly feedback?: string;
  readonly as?: string;
}

const desk: DeskCommands = {
  gate: installsGate,
  group: "install",
  thing: "an approval",
  past: approvalsDecided,
  verbs: {},
  details: (_, { open }) => {
    const question = questionIn(open.event);
    return question === undefined
      ? []
      : [`${question.request}\n${installDossierText(question.dossier)}`];
  },
};

const nameless = (): BadInput =>
  badInput("--as", "no name", "the name of who decides", "For example: --as ada");

/** One at a time: an approval is asked about alone. */
export function installDecideCommand(
  decision: InstallWord["decision"],
  id: string,
  { feedback, as: by, ...flags }: InstallDecideFlags,
): Promise<number> {
  if (by?.trim() === "") throw nameless();
  const word: InstallWord = defined({ decision, feedback, by });
  return decideCommand(
    desk,
    { words: new Map([[id, decision]]), decided: (at) => installDecidedBy(word, at) },
    flags,
  );
}

export const installPendingCommand = (
  folder: string | undefined,
  flags: JsonFlag,
): Promise<number> => pendingCommand(desk, folder, flags);
