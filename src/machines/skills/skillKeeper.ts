/**
 * The keeper of skills: the registry, one row a skill, and all that is asked of it. Each skill is a statechart of its own;
 * the keeper is an island, because registry, store and what is routed must agree. Source: seed 001, path A.
 */
import type { FolderPolicy } from "../folders.ts";
import type { Delivered } from "../letter.ts";
import { onlyLogged, type Service } from "../service.ts";
import { callSkill, judgeRun, runSkill } from "./keeperCalls.ts";
import {
  askNames,
  finishCreation,
  refuseCreation,
  startCreation,
  writeRow,
} from "./keeperCreation.ts";
import { askBroken, listWithBroken } from "./keeperListing.ts";
import { answerSection, routeNearest } from "./keeperRouting.ts";
import {
  type BrokenSkills,
  type Called,
  type Done,
  done,
  type KeeperState,
  type Listing,
  openingKeeper,
} from "./keeperState.ts";
import {
  emptySandbox,
  listEntries,
  STORE_KEY,
  storeAsk,
  takeStore,
  WIPE_KEY,
  wipeSandbox,
} from "./keeperStore.ts";
import {
  archiveSkill,
  hearCall,
  judgeProgram,
  manageSkills,
  upkeepSkills,
} from "./keeperUpkeep.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";

/** The builtins that it serves, and that of the engine which retires an entry. */
const CREATE = "create_skill";
const MANAGE = "manage_skills";
const RETIRE = "retire_capability";

export const skillKeeperService = ({
  skills: policy,
  engine: { builtins },
  folders,
}: {
  readonly skills: SkillsPolicy;
  readonly folders: FolderPolicy;
  /** Their names are taken. */
  readonly engine: { readonly builtins: readonly string[] };
}): Service<KeeperState> => ({
  kind: "service",
  id: "skillKeeper",
  init: () => ({ state: openingKeeper, letters: [storeAsk(policy)] }),
  on: {
    "entries.asked": (state, event) => listEntries(state, event, policy),
    "section.asked": (state, event) => askBroken(state, event, policy, listedBy(policy)),
    "capability.called": (state, event) => calledOf(state, event, policy, folders),
    "tools.answered": (state, event) =>
      listWithBroken(state, event, listedBy(policy)) ?? startCreation(state, event, policy),
    "embed.replied": (state, event) => routeNearest(state, event, policy),
    "files.replied": (state, event) => filesReplied(state, event, policy, builtins),
    "sandbox.replied": (state, event) => judgeRun(state, event, policy),
    "skill.registering": (state, event) => writeRow(state, event, policy),
    "skill.refused": refuseCreation,
    "skill.stepped": onlyLogged,
    "skill.wrapped": onlyLogged,
    "store.found": onlyLogged,
    "permission.asked": (state, event) => judgeProgram(state, event, policy),
    "call.reported": (state, event) => hearCall(state, event, policy),
    "dream.began": (state) => upkeepSkills(state, policy),
    "sandbox.wiped": wipeSandbox,
  },
  ignores: [],
});

const listedBy =
  (policy: SkillsPolicy) =>
  (state: KeeperState, event: Listing, broken: BrokenSkills): Done =>
    event.type === "section.asked"
      ? answerSection(state, event, policy, broken)
      : manageSkills(state, event, policy, broken);

function calledOf(
  state: KeeperState,
  event: Called,
  policy: SkillsPolicy,
  folders: FolderPolicy,
): Done {
  switch (event.capability) {
    case CREATE:
      return askNames(state, event);
    case MANAGE:
      return askBroken(state, event, policy, listedBy(policy));
    case RETIRE:
      return archiveSkill(state, event, policy);
    default:
      return callSkill(state, event, policy, folders);
  }
}

function filesReplied(
  state: KeeperState,
  event: Delivered<"files.replied">,
  policy: SkillsPolicy,
  builtins: readonly string[],
): Done {
  const { key = "" } = event.at;
  if (key === STORE_KEY) return takeStore(state, event, policy, builtins);
  if (key === WIPE_KEY) return emptySandbox(state, event, policy);
  if (key.startsWith("row:")) return finishCreation(state, event, policy);
  if (key.startsWith("call:")) return runSkill(state, event, policy);
  return done(state);
}
