/** All that comes with the program of the parts. Only what starts a program imports it. */

import type { PartLists } from "../edges/parts/partLists.ts";
import { edgeParts } from "./edgeParts.ts";
import { parts } from "./parts.ts";
import { scenarioParts } from "./scenarioParts.ts";

export const builtIn: PartLists = { parts, scenarioParts, edgeParts };
