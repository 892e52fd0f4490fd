/** The parts of which worlds are made, as the edges know them: three lists, because each loads more than the one before. */

import type { EdgePart } from "../../contract/edge/edgePart.ts";
import type { ScenarioPart } from "../../contract/edge/scenarioPart.ts";
import type { Part } from "../../contract/part.ts";

/** What it takes to read a scenario or a bundle. */
export interface ReadingLists {
  /** In the order in which their actors start. */
  readonly parts: readonly Part[];
  /** In the order in which their fields stand in a scenario. */
  readonly scenarioParts: readonly ScenarioPart[];
  /** The names of the parts that did not come with the program. */
  readonly own?: readonly string[];
}

/** What it takes to play and to tell, too. */
export interface PartLists extends ReadingLists {
  /** In the order in which a report tells of them. */
  readonly edgeParts: readonly EdgePart[];
}
