/** Every finding there is. To add one: write it in a file of its own, and list it here and in docs/findings.md. */
import { catalogueBroken } from "./catalogueBroken.ts";
import { emptySuccess } from "./emptySuccess.ts";
import { errorToldAsSuccess } from "./errorToldAsSuccess.ts";
import type { Finding } from "./finding.ts";
import { sameAgain } from "./sameAgain.ts";
import { speaksForTool } from "./speaksForTool.ts";
import { takesOthersCalls } from "./takesOthersCalls.ts";
import { unusedResult } from "./unusedResult.ts";

export const findings: readonly Finding[] = [
  emptySuccess,
  takesOthersCalls,
  sameAgain,
  unusedResult,
  errorToldAsSuccess,
  speaksForTool,
  catalogueBroken,
];
