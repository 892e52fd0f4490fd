/** What a part of a program's own is asked with. */
import type { Questions } from "../contract/part.ts";
import type { Delivery } from "../substrate/envelope.ts";

/**
 * A part's `questions`, where all are of one form, such as `customer:NAME`: `nameIn` says which NAME a delivery
 * answers for, if any. The first of its name is explained, and the first of all is what a person wants explained
 * before anything else. `none` is what is so where nothing can be asked.
 */
export function questionsBy(
  form: `${string}:${string}`,
  none: string,
  nameIn: (delivery: Delivery) => string | undefined,
): Questions {
  const kind = form.slice(0, form.indexOf(":") + 1);
  const of = (delivery: Delivery): string | undefined => {
    const name = nameIn(delivery);
    return name === undefined ? undefined : `${kind}${name}`;
  };
  return {
    ...{ forms: [form], none: [none], of },
    find: (deliveries, question) => deliveries.find((one) => of(one) === question),
    all: (deliveries) => [...new Set(deliveries.flatMap((one) => of(one) ?? []))],
    trouble: (deliveries) => deliveries.find((one) => of(one) !== undefined),
  };
}
