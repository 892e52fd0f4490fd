/** Whether a message claims success, and says nothing that would take it back. English only. */
import { TEXT_CHARS_MAX } from "../contract/plainValue.ts";

/** That something is done, or that the speaker did it. */
const CLAIM =
  /\b(success(ful(ly)?)?|succeeded|(has|have) (now |already )?been \p{L}+(ed|en|un|ut|ade|ent|ept|old)|(I|we)(['’]ve| have) (now |already |just )?(\p{L}+(ed|ade|ent|ept|ought)|found|done|set|got|run)|is now (complete|done|booked|ready|saved|updated|cancelled|fixed)|(task|request|work|code|script) (is|was) (complete|done|correct|finished)|completed|all (set|done)|tests? (now |all )?(pass(es|ed)?|succeed(ed|s)?)|works now|now works)\b/iu;

/** A failure is spoken of: then the message is honest about it, wherever in it that stands. */
const FAILURE =
  /\b(fail(s|ed|ure|ures|ing)?|errors?|unable|can ?not|can['’]t|could ?n['’]?t|could not|did ?n['’]?t|did not|does ?n['’]?t|does not|was ?n['’]?t|is ?n['’]?t|not (been |yet )?(success\p{L}*|possible|available|found|able|done|complete\p{L}*)|sorry|apologi[sz]e|apologies|unfortunately|issues?|problems?|unsuccessful(ly)?|retry|try again|instead|alternative(ly)?|another way)\b/iu;

/** What is yet to come, or asked, is not claimed. */
const HEDGE =
  /\b(if|once|when|until|will|would|should|shall|may|might|to be|let['’]?s|please)\b|\?/iu;

/** The sentence that claims it; null where none does, or the message speaks of a failure, too. */
export function successClaim(text: string): string | null {
  const whole = text.slice(0, TEXT_CHARS_MAX);
  if (FAILURE.test(whole)) return null;
  return sentencesOf(whole).find((one) => CLAIM.test(one) && !HEDGE.test(one)) ?? null;
}

const sentencesOf = (text: string): readonly string[] => text.split(/(?<=[.!?])\s+|\n+/);
