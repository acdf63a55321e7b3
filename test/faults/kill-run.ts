import { compareBooks } from "./support/invoices.ts";
import { openCompany, sumOfUploads, type Numbering } from "./support/killed-company.ts";
import { askDatabase, killDuring, type Kills } from "./support/kills.ts";
import { doReceiptsAgree } from "./support/uploads.ts";

type KillRun = Kills & { invoices: number };

/** What the books and the list say after uploads that were killed repeatedly. */
export type KillOutcome = Awaited<ReturnType<typeof runKills>>;

/** Uploads workbooks to a product that is killed repeatedly, and looks at the books once the uploads have ended. */
export async function runKills(run: KillRun, numbering: Numbering) {
  return killDuring(run, async ({ product, place, intuit }) => {
    const company = await openCompany({ product, intuit }, numbering);
    const { rows } = company;
    return {
      faults: (seed) => (numbering === "numbered" ? [] : failedItems(seed)),
      begin: async () => {
        await company.upload(run.invoices);
      },
      readState: async () => {
        const [upload] = await askDatabase<{ fence: string; state: string }>(
          place,
          "select fence, state from run order by requested_at desc limit 1",
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
 * Single items of batches that fail: those invoices go out alone, half of them are made without a word, and where
 * QuickBooks gives the numbers nothing but their own requestid keeps them from being made twice.
 */
const failedItems = (seed: number) => [
  { fault: "code", code: "10000", match: { operation: "batch.item" }, probability: 0.05, seed: seed + 2 },
  {
    fault: "committed_answer_lost",
    match: { operation: "invoice.create" },
    probability: 0.5,
    seed: seed + 3,
  },
  { fault: "latency", ms: 600, match: { operation: "invoice.create" }, probability: 0.5, seed: seed + 4 },
];
