import { expect, test } from "vitest";
import { checkInvoices } from "#features/invoices/check/contract.ts";
import { chooseDateOrder } from "#features/invoices/workbook/contract.ts";
import {
  listUploadResults,
  postInvoices,
  RESULT_STATUS,
  type UploadResult,
} from "#features/invoices/contract.ts";
import type { Browser } from "../support/browser.ts";
import { postSeen, untilCheck } from "../support/checks.ts";
import { ACME, liftLimits } from "../support/intuit.ts";
import { NO_CALLER_LIMITS, startApp } from "../support/start-app.ts";
import { invoiceWorkbook } from "../support/workbooks.ts";
import { randomRows } from "./fixtures/random-rows.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { readReceipt, type Receipt } from "#features/invoices/receipt/contract.ts";
import { untilEnded } from "./support/uploads.ts";

const run = battery({ short: 3, long: 100 });
const query = { realm_id: ACME };
const { queued, completed, information } = RESULT_STATUS;

test(
  `posting ${run.times} files of random good and faulty invoices does what their checks said: counts, money and every row`,
  { timeout: run.timeout },
  async () => {
    const app = await startApp({ limits: NO_CALLER_LIMITS });
    const browser = await app.owner(ACME);
    await liftLimits(app.intuit, ACME);
    await browser.call(chooseDateOrder, { query, json: { order: "dmy" } });
    const random = seededRandom(run.seed);
    const sums = { files: 0, invoices: 0, posted: 0, "with problems": 0 };
    for (let index = 0; index < run.times; index += 1) {
      const rows = randomRows(random, `R${run.seed}-${index}`);
      const mode = random() < 0.2 ? "file" : "invoice";
      const file = { name: `random-${index}.xlsx`, bytes: await invoiceWorkbook(rows) };
      const known = new Set((await app.intuit.invoices(ACME)).map(({ Id }) => Id));
      const accepted = await browser.call(checkInvoices, { query: { ...query, mode }, file });
      expect([accepted.status, accepted.text], `file ${index}`).toEqual([202, expect.any(String)]);
      const { id } = accepted.json() as { id: string };
      const check = await untilCheck(browser, ACME, { id, state: "checked" });
      const { report } = check;
      if (!report) throw new Error("The check has no report.");
      const said = await readOutcomes(browser, id);

      const isConfirmed = random() < 0.5 && report.ready.invoices > 0;
      if (isConfirmed) await postSeen(browser, ACME, check);
      else await browser.call(postInvoices, { query: { ...query, mode }, file });
      const about = `file ${index} of seed ${run.seed}`;
      const upload = await untilEnded(browser, ACME);
      expect(upload.filename, about).toBe(file.name);
      const receipt = await fetchReceipt(browser, upload.id);
      const made = (await app.intuit.invoices(ACME)).filter(({ Id }) => !known.has(Id));

      expect(await readOutcomes(browser, upload.id), about).toEqual(said);
      expect(upload.counts, about).toMatchObject({
        total: report.total.rows,
        completed: report.ready.rows,
        problems: report.rejected.rows,
        open: 0,
      });
      const { invoices, amount } = report.ready;
      expect(receipt.posted, about).toEqual({ invoices, amount });
      expect(receipt.read, about).toEqual({
        invoices: report.total.invoices,
        amount: report.total.amount,
      });
      expect({ invoices: made.length, amount: receipt.books.amount }, about).toEqual({ invoices, amount });
      sums.files += 1;
      sums.invoices += report.total.invoices;
      sums.posted += invoices;
      sums["with problems"] += report.rejected.invoices;
    }
    expect(sums.posted).toBeGreaterThan(0);
    expect(sums["with problems"]).toBeGreaterThan(0);
    printCounts(run, "check", sums);
  },
);

async function fetchReceipt(browser: Browser, id: string): Promise<Receipt> {
  return (await browser.call(readReceipt, { params: { upload_id: id }, query })).json() as Receipt;
}

/** Outcome of each row: that it is or will be posted, or why not. */
async function readOutcomes(browser: Browser, id: string): Promise<Record<string, string>> {
  const reply = await browser.call(listUploadResults, { params: { upload_id: id }, query });
  const { results } = reply.json() as { results: UploadResult[] };
  const outcomes = results.flatMap(({ status, rows, message }) => {
    if (status === information) return [];
    const [from = 0, to = from] = rows.split("-").map(Number);
    const outcome = status === queued || status === completed ? "posted" : `${status}: ${message}`;
    return Array.from({ length: to - from + 1 }, (_, at) => [String(from + at), outcome] as const);
  });
  return Object.fromEntries(outcomes);
}
