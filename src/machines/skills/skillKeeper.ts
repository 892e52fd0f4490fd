/**
 * The keeper of skills: the registry, one row a skill, and all that is asked of it. Each skill is a statechart of its own;
 * the keeper is an island, because registry, store and what is routed must agree. Source: seed 001, path A.
 */
import type { FolderPolicy } from "../folders.ts";
import type { Delivered } from "../letter.ts";
import { onlyLogged, type Service } from "../service.ts";
import { codeRead, skillCalled, skillRan } from "./keeperCalls.ts";
import {
  creationAsked,
  creationRefused,
  namesKnown,
  registering,
  rowWritten,
} from "./keeperCreation.ts";
import { brokenKnown, listed } from "./keeperListing.ts";
import { embedded, sectionAsked } from "./keeperRouting.ts";
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
  emptied,
  entriesAsked,
  STORE_KEY,
  storeAsked,
  storeRead,
  WIPE_KEY,
  wiped,
} from "./keeperStore.ts";
import { archived, callHeard, managed, programAsked, upkept } from "./keeperUpkeep.ts";
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
  init: () => ({ state: openingKeeper, letters: [storeAsked(policy)] }),
  on: {
    "entries.asked": (state, event) => entriesAsked(state, event, policy),
    "section.asked": (state, event) => listed(state, event, policy, listedBy(policy)),
    "capability.called": (state, event) => calledOf(state, event, policy, folders),
    "tools.answered": (state, event) =>
      brokenKnown(state, event, listedBy(policy)) ?? namesKnown(state, event, policy),
    "embed.replied": (state, event) => embedded(state, event, policy),
    "files.replied": (state, event) => filesReplied(state, event, policy, builtins),
    "sandbox.replied": (state, event) => skillRan(state, event, policy),
    "skill.registering": (state, event) => registering(state, event, policy),
    "skill.refused": creationRefused,
    "skill.stepped": onlyLogged,
    "skill.wrapped": onlyLogged,
    "store.found": onlyLogged,
    "permission.asked": (state, event) => programAsked(state, event, policy),
    "call.reported": (state, event) => callHeard(state, event, policy),
    "dream.began": (state) => upkept(state, policy),
    "sandbox.wiped": wiped,
  },
  ignores: [],
});

const listedBy =
  (policy: SkillsPolicy) =>
  (state: KeeperState, event: Listing, broken: BrokenSkills): Done =>
    event.type === "section.asked"
      ? sectionAsked(state, event, policy, broken)
      : managed(state, event, policy, broken);

function calledOf(
  state: KeeperState,
  event: Called,
  policy: SkillsPolicy,
  folders: FolderPolicy,
): Done {
  switch (event.capability) {
    case CREATE:
      return creationAsked(state, event);
    case MANAGE:
      return listed(state, event, policy, listedBy(policy));
    case RETIRE:
      return archived(state, event, policy);
    default:
      return skillCalled(state, event, policy, folders);
  }
}

function filesReplied(
  state: KeeperState,
  event: Delivered<"files.replied">,
  policy: SkillsPolicy,
  builtins: readonly string[],
): Done {
  const { key = "" } = event.at;
  if (key === STORE_KEY) return storeRead(state, event, policy, builtins);
  if (key === WIPE_KEY) return emptied(state, event, policy);
  if (key.startsWith("row:")) return rowWritten(state, event, policy);
  if (key.startsWith("call:")) return codeRead(state, event, policy);
  return done(state);
}
