import { compareBooks } from "./support/invoices.ts";
import { openCompany, sumOfUploads, type Numbering } from "./support/killed-company.ts";
import { askDatabase, killDuring, type Kills } from "./support/kills.ts";
import { doReceiptsAgree } from "./support/uploads.ts";

type KillRun = Kills & { invoices: number };

/** State of the books and the list after uploads that were killed repeatedly. */
export type KillOutcome = Awaited<ReturnType<typeof runKills>>;

/** Uploads workbooks to a product that is killed repeatedly, and looks at the books once the uploads have ended. */
export async function runKills(run: KillRun, numbering: Numbering) {
  return killDuring(run, async ({ product, place, intuit }) => {
    const company = await openCompany({ product, place, intuit }, numbering);
    const { rows } = company;
    return {
      faults: (seed) => vendorFaults(seed)[numbering],
      begin: async () => {
        await company.upload(run.invoices);
      },
      readState: async () => {
        const [upload] = await askDatabase<{ fence: string; state: string }>(
          place,
          "select fence, state from run where realm_id <> '' order by requested_at desc limit 1",
        );
        return { fence: Number(upload?.fence), isOpen: upload?.state !== "done" };
      },
      conclude: async () => {
        const list = await company.settled();
        return {
          numbering,
          sent: rows.length,
          ...compareBooks(await company.made(), rows),
          ...(await company.countWrites(["invoice.create"])),
          receiptsAgree: await doReceiptsAgree(company.browser, company.realmId, list.uploads),
          completedRows: sumOfUploads(list, ({ completed }) => completed),
          problemRows: sumOfUploads(list, ({ problems }) => problems),
        };
      },
    };
  });
}

/**
 * Besides being slow the vendor fails some invoices and loses some answers. Invoices with a number go out in batches: one
 * that failed is looked up and sent again alone. Those without go out one per call, and nothing but their own requestid
 * keeps them from being made twice.
 */
const vendorFaults = (seed: number): Record<Numbering, object[]> => ({
  numbered: [
    { ...FAILED, match: { operation: "batch.item" }, probability: 0.05, seed: seed + 2 },
    { ...LOST, match: { operation: "batch" }, probability: 0.1, seed: seed + 3 },
  ],
  unnumbered: [
    { ...FAILED, match: CREATE, probability: 0.05, seed: seed + 2 },
    { ...LOST, match: CREATE, probability: 0.5, seed: seed + 3 },
    { fault: "latency", ms: 600, match: CREATE, probability: 0.5, seed: seed + 4 },
  ],
});

const FAILED = { fault: "code", code: "10000" };
const LOST = { fault: "committed_answer_lost" };
const CREATE = { operation: "invoice.create" };
