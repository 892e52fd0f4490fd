// `npm run soak`: the incident is not one lucky seed.
import { it } from "vitest";
import { expectSeeds } from "./incidentSeeds.ts";

it("[VB19] safe-file-executor shows what it says on a dozen seeds, and never without the ghost", async () => {
  await expectSeeds(Array.from({ length: 12 }, (_, index) => 1 + index));
});
