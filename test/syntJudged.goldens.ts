// `npm run goldens`: worlds in which R decides, on twenty seeds.
import { judgeWorlds } from "./syntJudged.ts";

judgeWorlds(20);
