/** What a live model's answer must look like. */

/** JSON Schema of an answer, or of a part of it. */
export interface AnswerSchema {
  readonly [keyword: string]: unknown;
}
