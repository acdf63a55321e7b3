import { setTimeout as wait } from "node:timers/promises";
import type { UploadList } from "#features/invoices/contract.ts";
import { createBrowser } from "../test/support/browser.ts";
import { ACME, BAY, driveIntuit, type Intuit } from "../test/support/intuit.ts";
import type { Product } from "../test/support/run-product.ts";
import { figure, report, round, info, type Figure } from "./support/figures.ts";
import { inNewPlace } from "./support/in-new-place.ts";
import { cpuMs, findServer, peakMb } from "./support/processes.ts";
import { postWorkbook } from "./support/requests.ts";
import { benchWorkbook } from "./support/workbooks.ts";

/**
 * Measures how much of Intuit's limits posting uses, and whether one company slows another. Takes seven
 * minutes.
 */
const BATCH = 25;
/** Intuit's published limits for one company and app. */
const BATCHES_A_MINUTE = 40;
const REQUESTS_A_MINUTE = 500;
const MINUTE_MS = 60_000;
const ALONE = 2_100;
/**
 * Intuit publishes no duration for a batch; if answered at once, the order of the workers would not matter.
 */
const LATENCY_MS = 1_500;
/** Numbered invoices are sent 25 per call, those that QuickBooks numbers one per call. */
const GIVEN_NUMBERS = { SalesFormsPrefs: { CustomTxnNumbers: true } };

const alone = await inNewPlace((product) => post(product, { realms: [ACME], invoices: ALONE }));
const pair = await inNewPlace(async (product) => {
  await driveIntuit(product.intuitUrl).control(`companies/${BAY}`, { preferences: GIVEN_NUMBERS }, "PATCH");
  return post(product, { realms: [ACME, BAY], invoices: 1_000 });
});
const unnumbered = await inNewPlace((product) => post(product, { realms: [BAY], invoices: 1_000 }));
report("Posting under Intuit's published limits", figures());

type Run = {
  /** Times of each realm's batches, in milliseconds after the first request of the upload. */
  batches: number[][];
  /** The same for all requests. */
  all: number[][];
  /** End of each realm's upload, in milliseconds after it was accepted. */
  ended: number[];
  requests: number;
  refused: number;
  cpu: number;
  peak: number;
};

function figures(): Figure[] {
  const [aloneMs = NaN] = alone.ended;
  const [acmeMs = NaN, bayMs = NaN] = pair.ended;
  // The first 1,000 invoices of the long upload are the same work as the short one.
  const aloneFirst = alone.batches[0]?.[1_000 / BATCH - 1] ?? NaN;
  const besideFirst = pair.batches[0]?.[1_000 / BATCH - 1] ?? NaN;
  const perMinute = ALONE / (aloneMs / MINUTE_MS);
  return [
    info(`${ALONE} invoices, one company`, `${round(aloneMs / 1_000)} s`),
    figure(
      "  share of what Intuit allows, first two minutes",
      shareOfAllowed(alone.batches[0] ?? [], BATCHES_A_MINUTE),
      { least: 90, unit: "%" },
    ),
    info("  invoices a minute", perMinute.toFixed(0)),
    info("  most batches within any minute", String(mostWithin(alone.batches[0] ?? [], MINUTE_MS))),
    figure("  answers 429", (100 * alone.refused) / alone.requests, { most: 1, unit: "%" }),
    info("  CPU of the server, an invoice", `${(alone.cpu / ALONE).toFixed(2)} ms`),
    info("  peak memory of the server", `${alone.peak.toFixed(0)} MB`),
    info("1,000 invoices in each of two companies", `${round(acmeMs / 1_000)} and ${round(bayMs / 1_000)} s`),
    figure("  first company, beside another / alone", besideFirst / aloneFirst, { most: 1.1, unit: "×" }),
    figure("  second company / first", bayMs / acmeMs, { most: 1.1, unit: "×" }),
    figure("  answers 429", (100 * pair.refused) / pair.requests, { most: 1, unit: "%" }),
    info("1,000 invoices that QuickBooks numbers", `${round((unnumbered.ended[0] ?? NaN) / 1_000)} s`),
    figure(
      "  share of what Intuit allows, first two minutes",
      shareOfAllowed(unnumbered.all[0] ?? [], REQUESTS_A_MINUTE),
      { least: 90, unit: "%" },
    ),
    figure("  answers 429", (100 * unnumbered.refused) / unnumbered.requests, { most: 1, unit: "%" }),
  ];
}

/** Computes the used share of the limit; the upload is long enough to fill two minutes. */
function shareOfAllowed(times: readonly number[], aMinute: number): number {
  const used = times.filter((time) => time - (times[0] ?? 0) < 2 * MINUTE_MS).length;
  return (100 * used) / (2 * aMinute);
}

function mostWithin(times: readonly number[], windowMs: number): number {
  return Math.max(
    ...times.map((from) => times.filter((time) => time >= from && time < from + windowMs).length),
  );
}

async function post(product: Product, request: { realms: string[]; invoices: number }): Promise<Run> {
  const intuit = driveIntuit(product.intuitUrl);
  await intuit.control("faults", [{ fault: "latency", ms: LATENCY_MS, match: { operation: "batch" } }]);
  await intuit.control("journal", undefined, "DELETE");
  const bytes = await benchWorkbook({ prefix: "R", rows: request.invoices, linesPerInvoice: 1 });
  const server = findServer();
  const cpuBefore = cpuMs(server);
  const ended = await Promise.all(request.realms.map((realmId) => uploadAndWait(product, realmId, bytes)));
  const cpu = cpuMs(server) - cpuBefore;
  const entries = await readJournal(intuit);
  const startedAt = Math.min(...entries.map(({ time }) => Date.parse(time)));
  const findTimes = (realmId: string, isOne: (entry: Entry) => boolean) =>
    entries
      .filter((entry) => entry.realm_id === realmId && isOne(entry))
      .map(({ time }) => Date.parse(time) - startedAt);
  const batches = request.realms.map((realmId) =>
    findTimes(realmId, ({ operation, status }) => operation === "batch" && status === 200),
  );
  const all = request.realms.map((realmId) => findTimes(realmId, () => true));
  const refused = entries.filter(({ status }) => status === 429).length;
  return { batches, all, ended, requests: entries.length, refused, cpu, peak: peakMb(server) };
}

async function uploadAndWait(product: Product, realmId: string, bytes: Uint8Array): Promise<number> {
  const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
  await browser.signIn("owner@acme.example");
  const path = `/api/v1/invoices?realm_id=${realmId}`;
  const answer = await postWorkbook({ origin: product.url, cookies: browser.cookies, path, bytes });
  if (answer.status !== 202) throw new Error(`The upload was refused: ${answer.body.toString()}`);
  const startedAt = performance.now();
  for (;;) {
    const list = (await browser.request(path)).json() as UploadList;
    const { total, completed } = list.uploads[0]?.counts ?? { total: 0, completed: 0 };
    if (!list.in_process && completed === total) return performance.now() - startedAt;
    if (!list.in_process) throw new Error(`Only ${completed} of ${total} rows were posted.`);
    await wait(100);
  }
}

type Entry = { time: string; operation: string; realm_id: string | null; status: number };

/** Reads the calls to the books, without sign-in and tokens. */
async function readJournal(intuit: Intuit): Promise<Entry[]> {
  const { entries } = await intuit.control<{ entries: Entry[] }>("journal");
  return entries.filter(({ realm_id }) => realm_id !== null);
}
