import type { UploadList } from "#features/invoices/contract.ts";
import { createBrowser, type Browser } from "../test/support/browser.ts";
import { ACME, BAY, driveIntuit } from "../test/support/intuit.ts";
import type { Product } from "../test/support/run-product.ts";
import { figure, percentile, report, spread, info, type Figure } from "./support/figures.ts";
import { inNewPlace } from "./support/in-new-place.ts";
import { cpuMs, findServer, peakMb } from "./support/processes.ts";
import { createClient, postWorkbook, probe } from "./support/requests.ts";
import { benchWorkbook } from "./support/workbooks.ts";

/**
 * Measures accepting a large workbook: time to reply, and the effect on other users. The server is a separate
 * process.
 */
const listPath = (realmId: string) => `/api/v1/invoices?realm_id=${realmId}`;
type Case = { name: string; linesPerInvoice: number; realms: readonly string[] };
const QUIET_MS = 8_000;
/**
 * Measured from the first byte of the upload: long enough for checking the workbook and a minute's budget of
 * batches.
 */
const BUSY_MS = 20_000;

// One line per invoice makes the longest ledger; a few lines each is typical.
const CASES: readonly Case[] = [
  { name: "1,250 invoices", linesPerInvoice: 8, realms: [ACME] },
  { name: "10,000 invoices", linesPerInvoice: 1, realms: [ACME] },
  { name: "10,000 in each of two companies", linesPerInvoice: 1, realms: [ACME, BAY] },
];

const figures: Figure[] = [];
for (const size of CASES) figures.push(...(await inNewPlace((product) => measure(product, size))));
report("POST of 10,000 rows × 20 columns, and the other requests meanwhile (p50 / p95 / p99)", figures);

async function measure(
  { url, intuitUrl }: Product,
  { name, linesPerInvoice, realms }: Case,
): Promise<Figure[]> {
  const browser = createBrowser(url, driveIntuit(intuitUrl));
  await browser.signIn("owner@acme.example");
  const other = createBrowser(url, driveIntuit(intuitUrl));
  await other.signIn("clerk@acme.example");
  const { cookies } = browser;
  const bytes = await benchWorkbook({ prefix: "B", rows: 10_000, linesPerInvoice });
  const server = findServer();
  await during(QUIET_MS / 4, other.cookies, url);
  const quiet = await during(QUIET_MS, other.cookies, url);
  const cpuBefore = cpuMs(server);
  const [busy, ...answers] = await Promise.all([
    during(BUSY_MS, other.cookies, url),
    ...realms.map((realmId) => postWorkbook({ origin: url, cookies, path: listPath(realmId), bytes })),
  ]);
  const cpu = cpuMs(server) - cpuBefore;
  const refused = answers.find(({ status }) => status !== 202);
  if (refused) throw new Error(`An upload was refused: ${refused.body.toString()}`);
  const posted = await Promise.all(realms.map((realmId) => postedRows(browser, realmId)));
  return [
    info(name, `${(bytes.length / 1e6).toFixed(2)} MB`),
    figure("  answer after its last byte", Math.max(...answers.map(({ ms }) => ms)), {
      most: 1_000,
      unit: "ms",
    }),
    ...(["list", "page"] as const).flatMap((kind) => compare(kind, quiet[kind], busy[kind])),
    info("  rows in the books by then", posted.join(" and ")),
    info(`  CPU of the server in ${BUSY_MS / 1_000} s`, `${cpu} ms`),
    info("  peak memory of the server", `${peakMb(server).toFixed(0)} MB`),
  ];
}

function compare(kind: string, quiet: readonly number[], busy: readonly number[]): Figure[] {
  const [p95, before] = [percentile(busy, 0.95), percentile(quiet, 0.95)];
  return [
    info(`  ${kind} without the upload`, spread(quiet)),
    info(`  ${kind} during the upload`, spread(busy)),
    figure("    p95", p95, { most: 50, unit: "ms" }),
    info("    p95, with / without", `${(p95 / before).toFixed(1)} ×`),
    info("    slowest", `${Math.max(...busy).toFixed(0)} ms`),
  ];
}

/** Without invoices in the books, the load to be measured was missing. */
async function postedRows(browser: Browser, realmId: string): Promise<number> {
  const list = (await browser.request(listPath(realmId))).json() as UploadList;
  const { completed = 0, problems = 0 } = list.uploads[0]?.counts ?? {};
  if (completed === 0 || problems > 0)
    throw new Error(`${completed} rows posted, ${problems} with problems.`);
  return completed;
}

/** Requests the list and the landing page every 20 ms from one browser. */
async function during(ms: number, cookies: ReadonlyMap<string, string>, url: string) {
  const stop = AbortSignal.timeout(ms);
  const clients = [createClient(url, cookies), createClient(url, new Map())] as const;
  const [list, page] = await Promise.all([
    probe(() => clients[0].get(listPath(ACME)), stop),
    probe(() => clients[1].get("/"), stop),
  ]);
  for (const client of clients) client.close();
  return { list, page };
}
