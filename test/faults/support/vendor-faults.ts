/** Shares of a vendor's calls that go wrong, each in its own way, as `vendorFaults` asks for them. */
const SHARES = { 500: 0.05, 503: 0.05, committed_answer_lost: 0.1, half_body: 0.02, hang: 0.01 };

/**
 * Rules for a vendor on a bad day: calls that fail, that are done without an answer, that end in the middle or never.
 * Single items of a batch fail by themselves too; those invoices are then written alone.
 * @param hangMs cut of a call that hangs; the caller's own time-out when left out
 */
export function vendorFaults(seed: number, { hangMs }: { hangMs?: number } = {}): object[] {
  const rules = Object.entries(SHARES).map(([fault, probability], index) => ({
    fault,
    probability,
    match: { path: "^/v3/company/" },
    seed: seed + index,
    ...(fault === "hang" && hangMs !== undefined ? { ms: hangMs } : {}),
  }));
  const item = { fault: "code", code: "10000", probability: 0.01, match: { operation: "batch.item" }, seed };
  return [...rules, item];
}
