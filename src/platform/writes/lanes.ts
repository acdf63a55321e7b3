/**
 * Makes calls in a few lanes until none is left. After a failure the other lanes end with the call they are making, so
 * that nothing is written behind the caller's back.
 * @param next makes one call, false when there is none
 * @throws the first failure, once every lane has ended
 */
export async function runLanes(lanes: number, next: () => Promise<boolean>): Promise<void> {
  let failed = false;
  const lane = async () => {
    try {
      while (!failed && (await next()));
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const failure = ends.find((end) => end.status === "rejected");
  if (failure) throw failure.reason;
}
