import { useState } from "react";

/**
 * A list that is being edited. Each item keeps its key while it is changed or moved, and with it what is open of it and
 * where the keyboard is. `reshape` changes the list that comes of it.
 */
export function useEditedList<Item>(items: readonly Item[], onChange: (items: Item[]) => void) {
  const [keys, setKeys] = useState<readonly number[]>(() => items.map((_, at) => at));
  const same: Reshape<Item> = (list) => [...list];
  return {
    keys,
    change: (at: number, item: Item) => onChange(items.with(at, item)),
    move: (at: number, by: number) => {
      setKeys(moved(keys, at, by));
      onChange(moved(items, at, by));
    },
    remove: (at: number, reshape = same) => {
      setKeys(keys.toSpliced(at, 1));
      onChange(reshape(items.toSpliced(at, 1)));
    },
    add: (at: number, item: Item, reshape = same) => {
      setKeys(keys.toSpliced(at, 0, Math.max(-1, ...keys) + 1));
      onChange(reshape(items.toSpliced(at, 0, item)));
    },
  };
}

type Reshape<Item> = (items: readonly Item[]) => Item[];

/** With one item at another place. */
function moved<Item>(items: readonly Item[], at: number, by: number): Item[] {
  const item = items[at];
  return item === undefined ? [...items] : items.toSpliced(at, 1).toSpliced(at + by, 0, item);
}
