/** How many facts a letter names: enough to explain it, few enough to read. */
export const FACTS_MAX = 8;
