/** `ghostlight record --faults`: what can be put on the wire, with what each looks like. */
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { print, printJson } from "../../../../cli/output.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { FAULTS } from "../wire/wireFaults.ts";

export async function listFaults({ json }: JsonFlag): Promise<number> {
  if (json) printJson({ faults: FAULTS });
  else
    print(
      FAULTS.map(({ name, at, says }) => `${name.padEnd(16)}${at.padEnd(8)}${says}`).join("\n"),
    );
  return EXIT.ok;
}
