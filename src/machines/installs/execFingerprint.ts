/** What an approved run of code is known by, so that the same run is not asked about again. Source: dossier autonoetic 1.6. */
import { handleOf } from "./content.ts";

export const execFingerprint = (agent: string, targets: readonly string[], code: string): string =>
  handleOf(`${agent}|${targets.join(",")}|${code}`);
