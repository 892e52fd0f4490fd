/** What is said within the part `skills`: every event that is its own, by type. */

declare module "../letter.ts" {
  interface Mail {
    // Skills: their keeper, and the life of each.

    /** To the keeper: somebody outside empties the sandbox. */
    "sandbox.wiped": { readonly [field in never]: never };
  }
}

export type {};
