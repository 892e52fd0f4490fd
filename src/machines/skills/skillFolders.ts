/** Where skills lie. The paths of seed 001 begin with /ghost; virtual files lie below /agentOS, so these do. */

/** The address of the keeper of skills. */
export const SKILLS = "skills";

/** What a wipe of the sandbox empties. */
export const SANDBOX_FOLDER = "/agentOS/ghost/sandbox";
/** The store of skills, outside the sandbox. */
export const STORE_FOLDER = "/agentOS/ghost/memory/acquired_skills";
/** Where earlier installs left skills: within the sandbox. */
export const LEGACY_FOLDER = `${SANDBOX_FOLDER}/acquired_skills`;

const REGISTRY_NAME = "skills_registry.json";
export const REGISTRY_PATH = `${STORE_FOLDER}/${REGISTRY_NAME}`;
export const LEGACY_REGISTRY_PATH = `${LEGACY_FOLDER}/${REGISTRY_NAME}`;
/** The transient copy of what is being tested. */
export const TEST_PATH = `${SANDBOX_FOLDER}/test_skill.py`;

export const skillPath = (name: string): string => `${STORE_FOLDER}/${name}.py`;
export const legacyPath = (name: string): string => `${LEGACY_FOLDER}/${name}.py`;
export const retiredPath = (name: string): string => `${STORE_FOLDER}/retired/${name}.py`;
