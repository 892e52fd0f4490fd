/** Shapley values (L. S. Shapley, A Value for n-Person Games, 1953): how what all players are worth together is shared out among them. */

/** `worth` has every set at the number whose bit i says that player i is in it. */
export function shapleyValues(players: number, worth: readonly number[]): readonly number[] {
  return Array.from({ length: players }, (_, player) =>
    worth.reduce((sum, without, set) => {
      if ((set >> player) & 1) return sum;
      const gained = (worth[set | (1 << player)] ?? 0) - without;
      return sum + gained * weightOf(set, players);
    }, 0),
  );
}

/** In how many of all orders exactly these come before a player. */
function weightOf(set: number, players: number): number {
  let [weight, before] = [1 / players, 0];
  for (let rest = set; rest > 0; rest >>= 1) {
    before += rest & 1;
    if (rest & 1) weight *= before / (players - before);
  }
  return weight;
}
