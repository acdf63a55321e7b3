/**
 * Makes calls, several at a time, until none is left. After a failure the others end with the call they are making, so
 * that nothing is written behind the caller's back.
 * @param next makes one call, false when there is none
 * @throws the first failure, once every call has ended
 */
export async function runConcurrently(concurrency: number, next: () => Promise<boolean>): Promise<void> {
  let failed = false;
  const work = async () => {
    try {
      while (!failed && (await next()));
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failure = ends.find((end) => end.status === "rejected");
  if (failure) throw failure.reason;
}
