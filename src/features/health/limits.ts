/**
 * The database must answer within this time to count as ready. Probes of container platforms wait 1 to 5 s, and
 * a healthy database needs 2 ms.
 */
export const DATABASE_ANSWERS_MS = 2_000;
