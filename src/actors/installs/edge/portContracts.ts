/** What a program that stands for the person may say of an install. Provisional, as all contracts are. */
declare module "../../../edges/program/portContracts.ts" {
  interface PersonAnswers {
    readonly "approval.asked": InstallAnswer;
  }
}

/** A word on the install of the purpose `install`, or none: then the time-out of the approval decides. Nothing can be amended. */
export type InstallAnswer =
  | {
      readonly decision: "approve" | "reject";
      /** Why. */
      readonly feedback?: string;
    }
  | { readonly decision: "none" };
