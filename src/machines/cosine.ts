/** How alike two embeddings are: 1 in the same direction, 0 where one has no direction. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) throw new RangeError("two embeddings of different lengths");
  let dot = 0;
  let squareA = 0;
  let squareB = 0;
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? 0;
    dot += left * right;
    squareA += left * left;
    squareB += right * right;
  }
  if (squareA === 0 || squareB === 0) return 0;
  return Math.max(-1, Math.min(1, dot / (Math.sqrt(squareA) * Math.sqrt(squareB))));
}
