import { availableParallelism } from "node:os";
import { WorkbooksBusy } from "./refusals.ts";

/** Gives its holder's place to the next in line; calling it again does nothing. */
export type EndTurn = () => void;

/**
 * Makes a line of its own: at most `places` callers hold a turn at once, the others wait in the order they came.
 * @returns asks for a turn. @throws WorkbooksBusy when `waiting` callers wait already; the signal's reason when aborted
 */
export function createTurns(limits: { places: number; waiting: number }) {
  const line: (() => void)[] = [];
  let free = limits.places;
  const end = (): EndTurn => {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = line.shift();
      if (next) next();
      else free += 1;
    };
  };
  return async (signal?: AbortSignal): Promise<EndTurn> => {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return end();
    }
    if (line.length >= limits.waiting) throw new WorkbooksBusy();
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        line.splice(line.indexOf(go), 1);
        reject(signal?.reason);
      };
      const go = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      line.push(go);
    });
    return end();
  };
}

/** The one line of this process: each thread may take 512 MB and a core. */
export const takeTurn = createTurns({ places: Math.max(2, availableParallelism()), waiting: 32 });
