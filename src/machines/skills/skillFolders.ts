/** Where skills lie. The paths of seed 001 begin with /ghost; virtual files lie below /agentOS, so these do. */
import type { AcquisitionPolicy } from "./acquisitionPolicy.ts";

/** The address of the keeper of skills. */
export const SKILLS = "skills";

/** What a wipe of the sandbox empties. */
export const SANDBOX_FOLDER = "/agentOS/ghost/sandbox";
/** The transient copy of what is being tested. */
export const TEST_PATH = `${SANDBOX_FOLDER}/test_skill.py`;

type Store = AcquisitionPolicy["store"];

/** The store outside the sandbox, and where earlier installs left skills: within it. */
const FOLDERS: { readonly [store in Store]: string } = {
  memory: "/agentOS/ghost/system/memory/acquired_skills",
  sandbox: `${SANDBOX_FOLDER}/acquired_skills`,
};

export const storeFolder = (store: Store): string => FOLDERS[store];
export const registryPath = (store: Store): string => `${FOLDERS[store]}/skills_registry.json`;
export const skillPath = (name: string, store: Store): string => `${FOLDERS[store]}/${name}.py`;
export const retiredPath = (name: string, store: Store): string =>
  `${FOLDERS[store]}/retired/${name}.py`;
