/**
 * The database must answer within this time to count as ready. Probes of container platforms wait 1 to 5 s, and
 * a healthy database needs 2 ms.
 */
export const DATABASE_ANSWERS_MS = 2_000;

/** The same for each of the four calls that try the store of files. A good one answers in 100 ms. */
export const OBJECTS_ANSWER_MS = 1_000;

/** A store of files that answered is tried again after this time: probes come every few seconds, and a store counts calls. */
export const OBJECTS_TRIED_EVERY_MS = 30_000;
