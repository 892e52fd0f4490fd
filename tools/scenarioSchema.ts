/** Writes scenarios/scenario.schema.json: `node tools/scenarioSchema.ts`. A test compares it. */

import { writeFileSync } from "node:fs";
import { builtIn } from "../src/builtIn/lists.ts";
import { scenarioJsonSchema } from "./scenarioJsonSchema.ts";

const file = new URL("../scenarios/scenario.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(scenarioJsonSchema(builtIn), null, "\t")}\n`);
