import { setTimeout as wait } from "node:timers/promises";
import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";
import { createBrowser } from "../../support/browser.ts";
import { ACME, BAY, type Intuit, liftLimits } from "../../support/intuit.ts";
import type { Product, ProductInstance } from "../../support/run-product.ts";
import { askDatabase } from "./kills.ts";
import { type InvoiceRow, invoiceRows, invoiceWorkbook } from "../../support/workbooks.ts";

const REALMS = { numbered: ACME, unnumbered: BAY };
export type Numbering = keyof typeof REALMS;

const OPEN_RUNS =
  "select kind, state, cause, due_at, now() from run where realm_id <> '' and state not in ('done', 'stopped')";
/** An invoice whose call was lost five times is next looked up after five minutes (`roundWaitsMs`), and once more maybe. */
const MAX_WAIT_MS = 720_000;
const LOOK_MS = 300;

/** A company of a product that is killed: its uploads, and what its vendor's journal shows. */
export async function openCompany(
  { product, place, intuit }: { product: Product; place: ProductInstance; intuit: Intuit },
  numbering: Numbering,
) {
  const realmId = REALMS[numbering];
  await liftLimits(intuit, realmId);
  const browser = createBrowser(product.url, intuit);
  await browser.signIn("owner@acme.example");
  const known = new Set((await intuit.invoices(realmId)).map(({ Id }) => Id));
  /** Every row that was uploaded. */
  const rows: InvoiceRow[] = [];
  return {
    browser,
    realmId,
    rows,
    /** Invoices of the uploads that are in the books. */
    made: async () => (await intuit.invoices(realmId)).filter(({ Id }) => !known.has(Id)),
    /** @returns the id of the upload */
    upload: async (invoices: number): Promise<string> => {
      const prefix = numbering === "numbered" ? `K${rows.length}` : "";
      const next = invoiceRows(invoices, { prefix, firstCents: 1_000 + rows.length });
      rows.push(...next);
      const file = { name: "killed.xlsx", bytes: await invoiceWorkbook(next) };
      const accepted = await browser.call(postInvoices, { query: { realm_id: realmId }, file });
      if (accepted.status !== 202) throw new Error(`The upload was refused: ${accepted.text}`);
      return (accepted.json() as { id: string }).id;
    },
    /** The list once nothing of it is being worked on, or waits for a vendor that did not answer for a while. */
    settled: async (): Promise<UploadList> => {
      let last = "";
      for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await wait(LOOK_MS)) {
        const reply = await browser.call(listUploads, { query: { realm_id: realmId, limit: "200" } });
        if (reply.status !== 200) throw new Error(`The list answered ${reply.status}: ${reply.text}`);
        const list = reply.json() as UploadList;
        const runs = await askDatabase(place, OPEN_RUNS);
        if (!list.in_process && runs.length === 0) return list;
        last = JSON.stringify({ counts: list.uploads[0]?.counts, runs });
      }
      throw new Error(`The work never ended: ${last}`);
    },
    countWrites: (operations: readonly string[]) => countWrites(intuit, realmId, operations),
  };
}

/**
 * Outcome of the invoices sent to the vendor, by its journal: `replayed` were answered from the first answer to the
 * same request; `refused` were neither done nor known.
 */
async function countWrites(intuit: Intuit, realmId: string, operations: readonly string[]) {
  const counts = { writes: 0, replayed: 0, refused: 0 };
  for (const operation of ["batch", ...operations]) {
    const { entries } = await intuit.control<{
      entries: { writes: number; replayed: number; items: number }[];
    }>(`journal?realm_id=${realmId}&operation=${operation}&limit=5000`);
    for (const entry of entries) {
      counts.writes += entry.writes;
      counts.replayed += entry.replayed;
      counts.refused += (operation === "batch" ? entry.items : 1) - entry.writes - entry.replayed;
    }
  }
  return counts;
}

/** Sums up one number of all uploads of a list. */
export const sumOfUploads = (
  list: UploadList,
  of: (counts: UploadList["uploads"][number]["counts"]) => number,
) => list.uploads.reduce((sum, { counts }) => sum + of(counts), 0);
