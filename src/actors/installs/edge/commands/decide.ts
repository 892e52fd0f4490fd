/** `ghostlight install approve`, `reject` and `pending`: the person's word on an approval between two runs. */
import type { JsonFlag } from "../../../../cli/bundles.ts";
import {
  type DecideFlags,
  type DeskCommands,
  decideCommand,
  pendingCommand,
} from "../../../../cli/decide.ts";
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

/** One at a time: an approval is asked about alone. */
export function installDecideCommand(
  decision: InstallWord["decision"],
  id: string,
  { feedback, ...flags }: InstallDecideFlags,
): Promise<number> {
  const word = { decision, ...(feedback === undefined ? {} : { feedback }) };
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
