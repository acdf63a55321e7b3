import type { Clock } from "#platform/clock.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import { ANSWER_MS, KEEP_ENDED_MS } from "#features/labels/limits.ts";

/** One request for labels: its company, and the id that its page gave it. */
export type MakingId = { realmId: string; printId: string };

/** What work comes to: at least an upload. */
type Made = { upload: { id: string } };
type Making = { work: Promise<Made>; endedAt: number | null };

/**
 * Labels that are being made now. Their work goes on when its caller hangs up or is answered before its end, and whoever
 * gave it an id asks here what became of it; what was made is in the ledger for good.
 */
export function createMakings(clock: Clock) {
  const makings = new Map<string, Making>();
  const keyOf = ({ realmId, printId }: MakingId) => `${realmId} ${printId}`;

  const forgetEnded = () => {
    const before = clock.now().getTime() - KEEP_ENDED_MS;
    for (const [key, { endedAt }] of makings) if (endedAt !== null && endedAt < before) makings.delete(key);
  };

  return {
    /**
     * Makes labels of a file.
     * @returns null when that takes longer than those on the way wait for an answer
     */
    follow: async <T extends Made>(
      id: MakingId,
      file: IncomingFile,
      make: (file: IncomingFile) => Promise<T>,
    ): Promise<T | null> => {
      forgetEnded();
      const hurry = new AbortController();
      const { watched, arrived } = watchArrival(file);
      const work = make(watched);
      const making: Making = { work, endedAt: null };
      makings.set(keyOf(id), making);
      const end = () => {
        making.endedAt = clock.now().getTime();
        hurry.abort();
      };
      void work.then(end, end);
      const late = arrived.then(() => clock.sleep(ANSWER_MS, hurry.signal)).then(() => null);
      return Promise.race([work, late]);
    },

    isMaking: (id: MakingId): boolean => makings.get(keyOf(id))?.endedAt === null,

    /**
     * Waits for the work.
     * @returns the upload's id; null when nothing is known of such work
     * @throws whatever ended it
     */
    findMade: async (id: MakingId): Promise<string | null> =>
      (await makings.get(keyOf(id))?.work)?.upload.id ?? null,
  };
}

export type Makings = ReturnType<typeof createMakings>;

/** The time in which a file comes in is its sender's. */
function watchArrival(file: IncomingFile): { watched: IncomingFile; arrived: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stream = (async function* () {
    yield* file.stream;
    resolve();
  })();
  return { watched: { name: file.name, stream, isCut: () => file.isCut() }, arrived: promise };
}
