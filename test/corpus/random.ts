export type Random = { upTo: (max: number) => number; chance: (share: number) => boolean; pick: Pick };
type Pick = <Item>(items: readonly Item[]) => Item;

/** Random generator that repeats for a seed. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (max: number) => Math.floor(next() * (max + 1));
  return {
    upTo,
    chance: (share) => next() < share,
    pick: (items) => {
      const found = items[upTo(items.length - 1)];
      if (found === undefined) throw new Error("Nothing to pick from.");
      return found;
    },
  };
}
