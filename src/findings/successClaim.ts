/** Whether a message claims success, and says nothing that would take it back. English only. */
import { TEXT_CHARS_MAX } from "./thresholds.ts";

const CLAIM =
  /\b(success(ful(ly)?)?|succeeded|(has|have) (now )?been \p{L}+(ed|en|un|ut|ade|ent|ept)|is now (complete|done|booked|ready|saved|updated|cancelled|fixed)|(task|request|work|code|script) (is|was) (complete|done|correct|finished)|completed|all (set|done)|done)\b/iu;

/** A word for a failure, or for going on in another way: then the message is honest, or not about it. */
const DOUBT =
  /\b(fail(s|ed|ure|ures|ing)?|errors?|unable|can ?not|can.t|could ?n.?t|could not|did ?n.?t|did not|does ?n.?t|does not|was ?n.?t|sorry|apologi[sz]e|apologies|unfortunately|issues?|problems?|unsuccessful(ly)?|not (been |yet )?(success\p{L}*|possible|available|found|done|complete\p{L}*|able)|retry|try again|let.s try|instead|alternative(ly)?|another way|correct(ed|ing) the|fix(ed|ing)?|once|if|will be|to be|should|would you)\b/iu;

export function claimsSuccess(text: string): boolean {
  const whole = text.slice(0, TEXT_CHARS_MAX);
  return CLAIM.test(whole) && !DOUBT.test(whole);
}
