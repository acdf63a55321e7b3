import { setTimeout as wait } from "node:timers/promises";
import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";
import { createBrowser, type Browser } from "../support/browser.ts";
import { ACME, BAY, driveIntuit } from "../support/intuit.ts";
import { findPlace, removePlace, runProduct, type Product } from "../support/run-product.ts";
import { invoiceWorkbook } from "../support/workbooks.ts";

export type KillRun = { invoices: number; kills: number; seed: number };

/** What the books and the list say after an upload that was killed again and again. */
export type KillOutcome = {
  inBooks: number;
  distinct: number;
  cents: number;
  expectedCents: number;
  completedRows: number;
  problemRows: number;
  /** Longest time between a start and the first new invoice or the end of the upload, milliseconds. */
  slowestResumeMs: number;
};

const NAMES = { numbered: ACME, unnumbered: BAY };

/**
 * Uploads a workbook to the running product, ends its process with SIGKILL at random moments, starts it again each
 * time, and looks at the books once the upload has ended. The same seed gives the same moments.
 */
export async function runKills(
  { invoices, kills, seed }: KillRun,
  numbering: keyof typeof NAMES,
): Promise<KillOutcome> {
  const realmId = NAMES[numbering];
  const place = await findPlace();
  const random = seededRandom(seed);
  let product = await runProduct(place);
  try {
    const intuit = driveIntuit(product.intuitUrl);
    await intuit.control(
      `companies/${realmId}`,
      { limits: { perMinute: null, perSecond: null, batchPerMinute: null, batchPerMinuteRealm: null } },
      "PATCH",
    );
    const browser = createBrowser(product.url, intuit);
    await browser.signIn("owner@acme.example");
    const known = new Set((await intuit.invoices(realmId)).map(({ Id }) => Id));
    const rows = rowsOf(invoices, numbering);
    const file = { name: "killed.xlsx", bytes: await invoiceWorkbook(rows) };
    const accepted = await browser.call(postInvoices, { query: { realm_id: realmId }, file });
    if (accepted.status !== 202) throw new Error(`The upload was refused: ${accepted.text}`);
    let slowestResumeMs = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      await wait(100 + random() * 1_500);
      await product.kill();
      product = await runProduct(place);
      slowestResumeMs = Math.max(slowestResumeMs, await resumeMs({ browser, realmId, product }));
    }
    const list = await untilSettled(browser, realmId);
    const made = (await intuit.invoices(realmId)).filter(({ Id }) => !known.has(Id));
    return {
      inBooks: made.length,
      distinct: new Set(made.map(({ DocNumber }) => DocNumber)).size,
      cents: made.reduce((sum, { TotalAmt }) => sum + Math.round(TotalAmt * 100), 0),
      expectedCents: rows.reduce((sum, { Amount }) => sum + Math.round(Amount * 100), 0),
      completedRows: list.uploads[0]?.counts.completed ?? 0,
      problemRows: list.uploads[0]?.counts.problems ?? 0,
      slowestResumeMs,
    };
  } finally {
    await product.stop();
    await removePlace(place);
  }
}

function rowsOf(count: number, numbering: keyof typeof NAMES) {
  return Array.from({ length: count }, (_, index) => ({
    "Invoice No": numbering === "numbered" ? `K-${index + 1}` : "",
    Customer: index % 2 === 0 ? "Cool Cars" : "Red Rock Diner",
    "Invoice Date": "2026-11-02",
    Item: "Claw Hammer",
    Qty: 1,
    Rate: 10 + index / 100,
    Amount: 10 + index / 100,
  }));
}

type Watched = { browser: Browser; realmId: string; product: Product };

/** Time until the restarted product made progress on the upload. */
async function resumeMs({ browser, realmId }: Watched): Promise<number> {
  const startedAt = performance.now();
  const first = await readList(browser, realmId);
  const open = first.uploads[0]?.counts.open ?? 0;
  for (;;) {
    const list = await readList(browser, realmId);
    if (!list.in_process || (list.uploads[0]?.counts.open ?? 0) < open) return performance.now() - startedAt;
    if (performance.now() - startedAt > 60_000) return Infinity;
    await wait(50);
  }
}

async function untilSettled(browser: Browser, realmId: string): Promise<UploadList> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    const list = await readList(browser, realmId);
    if (!list.in_process) return list;
    await wait(50);
  }
  throw new Error("The upload never ended.");
}

async function readList(browser: Browser, realmId: string): Promise<UploadList> {
  const reply = await browser.call(listUploads, { query: { realm_id: realmId } });
  if (reply.status !== 200) throw new Error(`The list answered ${reply.status}: ${reply.text}`);
  return reply.json() as UploadList;
}

/** Numbers from 0 to 1 that a seed fixes (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
