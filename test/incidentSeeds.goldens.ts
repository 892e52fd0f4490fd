// `npm run goldens`: the incident on a seed that is not its own.
import { it } from "vitest";
import { expectSeeds } from "./incidentSeeds.ts";

it("[VB19] safe-file-executor shows on another seed what it says, and does not without the ghost", async () => {
  await expectSeeds([1]);
});
