/** A member under a name that came from outside this program: `constructor` is a name like any other. */
export const ownValue = <T>(
  members: { readonly [name: string]: T },
  name: string,
): T | undefined => (Object.hasOwn(members, name) ? members[name] : undefined);
