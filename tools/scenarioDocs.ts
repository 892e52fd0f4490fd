/** Writes docs/scenario-fields.md: `node tools/scenarioDocs.ts`. A test compares it. */

import { writeFileSync } from "node:fs";
import { scenarioFields } from "./scenarioFields.ts";

writeFileSync(new URL("../docs/scenario-fields.md", import.meta.url), scenarioFields());
