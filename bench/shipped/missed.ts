/** Why \`blame\` does not rank first what a text names, where it does not: by scenario, variant and outcome. */
export const MISSED: { readonly [at: string]: string } = {};
