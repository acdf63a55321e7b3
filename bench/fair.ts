import { setTimeout as wait } from "node:timers/promises";
import type { UploadList } from "#features/invoices/contract.ts";
import { createBrowser, type Browser } from "../test/support/browser.ts";
import { driveIntuit } from "../test/support/intuit.ts";
import type { Product } from "../test/support/run-product.ts";
import { figure, info, percentile, report, round } from "./support/figures.ts";
import { inNewPlace } from "./support/in-new-place.ts";
import { postWorkbook } from "./support/requests.ts";
import { benchWorkbook } from "./support/workbooks.ts";

/**
 * Measures the delay of a company's small upload while eight other companies post large files. Takes three
 * minutes.
 */
const OTHERS = 8;
const LONG_INVOICES = 3_000;
const SMALL_INVOICES = 20;
const TIMES = 5;
/** Latency of each batch at Intuit; without any, only the processing on both sides would be measured. */
const LATENCY_MS = 400;
/** The demo user who owns the companies. */
const ADMIN = { sub: "5d1f0c1e-0001-4a5e-9c11-000000000001", email: "owner@acme.example" };
const REALMS = Array.from({ length: OTHERS + 1 }, (_, place) => `91303578490500${10 + place}`);

const { alone, beside, stillOpen } = await inNewPlace(measure);
const [aloneMs, besideMs] = [percentile(alone, 0.5), percentile(beside, 0.5)];
report("A small upload beside eight long ones", [
  info(`${SMALL_INVOICES} invoices alone, median of ${TIMES}`, `${round(aloneMs)} ms`),
  info(`  beside ${OTHERS} companies that post ${LONG_INVOICES} each`, `${round(besideMs)} ms`),
  figure("  beside / alone", besideMs / aloneMs, { most: 2, unit: "×" }),
  figure("  long uploads still at work afterwards", stillOpen, { least: OTHERS, unit: "of 8" }),
]);

async function measure(product: Product) {
  const intuit = driveIntuit(product.intuitUrl);
  const preferences = { SalesFormsPrefs: { CustomTxnNumbers: true } };
  const companies = REALMS.map((realmId) => ({ realmId, admins: [ADMIN.sub], preferences }));
  await intuit.control("seed", { companies });
  await intuit.control("faults", [{ fault: "latency", ms: LATENCY_MS, match: { operation: "batch" } }]);
  const browser = createBrowser(product.url, intuit);
  await browser.signIn(ADMIN.email);
  for (const realmId of REALMS) await browser.connect(ADMIN.email, realmId);
  const [small = "", ...others] = REALMS;
  const alone = await repeat((time) => timeSmall(product, browser, { realmId: small, prefix: `A${time}` }));
  const long = await benchWorkbook({ prefix: "L", rows: LONG_INVOICES, linesPerInvoice: 1 });
  for (const realmId of others) await upload(product, browser, { realmId, bytes: long });
  await untilAllPost(browser, others);
  const beside = await repeat((time) => timeSmall(product, browser, { realmId: small, prefix: `B${time}` }));
  const lists = await Promise.all(others.map((realmId) => readList(browser, realmId)));
  return { alone, beside, stillOpen: lists.filter((list) => list.in_process).length };
}

async function repeat(work: (time: number) => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < TIMES; time += 1) found.push(await work(time));
  return found;
}

/** @returns ms from the reply to the upload until everything is posted */
async function timeSmall(
  product: Product,
  browser: Browser,
  { realmId, prefix }: { realmId: string; prefix: string },
): Promise<number> {
  const bytes = await benchWorkbook({ prefix, rows: SMALL_INVOICES, linesPerInvoice: 1 });
  await upload(product, browser, { realmId, bytes });
  const startedAt = performance.now();
  for (;;) {
    const list = await readList(browser, realmId);
    if (!list.in_process) return performance.now() - startedAt;
    await wait(20);
  }
}

async function upload(
  product: Product,
  browser: Browser,
  { realmId, bytes }: { realmId: string; bytes: Uint8Array },
): Promise<void> {
  const path = `/api/v1/invoices?realm_id=${realmId}`;
  const answer = await postWorkbook({ origin: product.url, cookies: browser.cookies, path, bytes });
  if (answer.status !== 202) throw new Error(`The upload was refused: ${answer.body.toString()}`);
}

/**
 * Waits until the files are read and checked, so that the measurement happens while the others are posting.
 */
async function untilAllPost(browser: Browser, realmIds: readonly string[]): Promise<void> {
  for (const realmId of realmIds)
    while (((await readList(browser, realmId)).uploads[0]?.counts.completed ?? 0) === 0) await wait(200);
}

async function readList(browser: Browser, realmId: string): Promise<UploadList> {
  return (await browser.request(`/api/v1/invoices?realm_id=${realmId}`)).json() as UploadList;
}
