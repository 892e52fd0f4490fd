/** What a live model's answer must look like. */

/** JSON Schema of an answer, or of a part of it. */
export interface AnswerSchema {
  readonly [keyword: string]: unknown;
}

/** An object with these properties, all of them required unless it is said which. */
export const objectSchema = (
  properties: { readonly [name: string]: unknown },
  required: readonly string[] = Object.keys(properties),
): AnswerSchema => ({ type: "object", properties, required });

export const textSchema: AnswerSchema = { type: "string", minLength: 1 };
export const textOrNullSchema: AnswerSchema = { type: ["string", "null"] };
