import { availableParallelism } from "node:os";
import { ThreadsBusy } from "#platform/threads/errors.ts";

/** Gives the holder's place to the next in line; calling it again does nothing. */
export type EndTurn = () => void;

export type TurnLimits = {
  /** Turns held at once. */
  places: number;
  /** Turns of one owner held at once. */
  placesPerOwner: number;
  /** Maximum waiting callers of one owner. */
  waitingPerOwner: number;
};

/**
 * Hands out turns; only a few are held at once. Each owner has a separate line, served in order;
 * waiting owners are served in rotation, so that no line delays another.
 * @returns a function that waits for a turn of an owner. @throws ThreadsBusy if too many of the owner are
 * waiting; the signal's reason if aborted
 */
export function createTurns({ places, placesPerOwner, waitingPerOwner }: TurnLimits) {
  const held = new Map<string, number>();
  const lines = new Map<string, (() => void)[]>();
  let free = places;
  const mayStart = (owner: string) => free > 0 && (held.get(owner) ?? 0) < placesPerOwner;

  const start = (owner: string): EndTurn => {
    free -= 1;
    held.set(owner, (held.get(owner) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      free += 1;
      count(held, owner, -1);
      startNext();
    };
  };

  const startNext = () => {
    const [owner, line] = [...lines].find(([each]) => mayStart(each)) ?? [];
    if (owner === undefined || !line) return;
    const go = line.shift();
    // Behind the other waiting owners.
    lines.delete(owner);
    if (line.length > 0) lines.set(owner, line);
    go?.();
  };

  return async (owner: string, signal?: AbortSignal): Promise<EndTurn> => {
    signal?.throwIfAborted();
    const line = lines.get(owner) ?? [];
    if (line.length === 0 && mayStart(owner)) return start(owner);
    if (line.length >= waitingPerOwner) throw new ThreadsBusy();
    lines.set(owner, line);
    return new Promise<EndTurn>((resolve, reject) => {
      const onAbort = () => {
        line.splice(line.indexOf(go), 1);
        if (line.length === 0) lines.delete(owner);
        reject(signal?.reason as Error);
      };
      const go = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve(start(owner));
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      line.push(go);
    });
  };
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}

const PLACES = Math.max(2, availableParallelism());

/**
 * Turns of this process: each thread may take 512 MB and a core. At most half belong to one company, so that
 * another's small file never waits for a large one. The uploads that one session can make in a minute may
 * wait.
 */
export const TURNS: TurnLimits = {
  places: PLACES,
  placesPerOwner: Math.floor(PLACES / 2),
  waitingPerOwner: 64,
};

export const takeTurn = createTurns(TURNS);
