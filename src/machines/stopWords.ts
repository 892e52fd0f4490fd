/**
 * English function words that say nothing about what a tool does. Ours: short on purpose, and free
 * of verbs, so that "get", "set", "list" and "make" still tell tools apart. Apostrophes are gone by
 * the time a word is looked up ("don't" is "dont").
 */
export const stopWords: ReadonlySet<string> = new Set(
  [
    "a an the this that these those it its i me my we us our you your he him his she her",
    "they them their who whom whose which what when where why how there here",
    "is are was were be been being am do does did doing done has have had having",
    "will would can could shall should may might must dont doesnt cannot cant",
    "and or but nor if then than so as because while until",
    "at by for from in into of off on onto out over to under up upon via with within without",
    "about above after again against before below between during through",
    "not no all any both each every few more most much other some such same own another only too very",
    "just also now please",
  ].flatMap((line) => line.split(" ")),
);
