/** What readers of models' answers say alike. */

/** Of an answer, when it is recorded. */
export const NOT_JSON = "it is no JSON object";

/** Of an answer, when it is told. */
export const NO_OBJECT = "no JSON object";
