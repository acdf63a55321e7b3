/** Runs the work of one line strictly one after the other, in the order of asking; lines do not wait for each other. */
export type Turns = { take<T>(line: string, work: () => Promise<T>): Promise<T> };

export function createTurns(): Turns {
  const lastOf = new Map<string, Promise<unknown>>();
  return {
    take(line, work) {
      const before = lastOf.get(line) ?? Promise.resolve();
      const mine = before.then(work);
      const ended = mine.catch(() => undefined);
      lastOf.set(line, ended);
      void ended.then(() => {
        if (lastOf.get(line) === ended) lastOf.delete(line);
      });
      return mine;
    },
  };
}
