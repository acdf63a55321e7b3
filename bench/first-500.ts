import { setTimeout as wait } from "node:timers/promises";
import type { UploadList } from "#features/invoices/contract.ts";
import { createBrowser } from "../test/support/browser.ts";
import { driveIntuit, NEWCOMER } from "../test/support/intuit.ts";
import { findPlace, removePlace, type ProductPlace } from "../test/support/run-product.ts";
import { cloneBare, startClone, stopClone, type BareClone } from "./support/clone.ts";
import { figure, report, round, info, type Figure } from "./support/figures.ts";
import { postWorkbook } from "./support/requests.ts";
import { benchWorkbook } from "./support/workbooks.ts";

/**
 * Measures a new user's waiting time, from a bare clone until 500 invoices are in the books: `npm start`,
 * signing in, connecting the company, the upload, the posting. Excludes reading and clicking.
 */
const INVOICES = 500;
const NEWCOMER_EMAIL = "new@newcomer.example";
/** Intuit publishes no duration for a batch; the simulator would answer at once. */
const LATENCY_MS = 1_500;
const MAX_WAIT_MS = 300_000;

const clone = await cloneBare();
const place = await findPlace();
try {
  report(`A user's first ${INVOICES} invoices`, await measure(clone, place));
} finally {
  await removePlace(place);
  await clone.remove();
}

async function measure(bare: BareClone, where: ProductPlace): Promise<Figure[]> {
  const started = await startClone(bare, where);
  try {
    const phases = [
      { name: "git clone", ms: bare.cloneMs },
      { name: "npm start, to the first page", ms: started.ms },
      ...(await postFirst(where)),
    ];
    const sum = phases.reduce((total, { ms }) => total + ms, 0);
    return [
      ...phases.map(({ name, ms }) => info(`  ${name}`, `${round(ms / 1_000)} s`)),
      figure("all that is waited for", sum / 1_000, { most: 90, unit: "s" }),
    ];
  } finally {
    await stopClone(started.child);
  }
}

/** @returns the waits of a user who has just opened the first page */
async function postFirst({ port, intuitPort }: ProductPlace): Promise<{ name: string; ms: number }[]> {
  const origin = `http://localhost:${port}`;
  const intuit = driveIntuit(`http://localhost:${intuitPort}`);
  await intuit.control("faults", [{ fault: "latency", ms: LATENCY_MS, match: { operation: "batch" } }]);
  const before = (await intuit.invoices(NEWCOMER)).length;
  const bytes = await benchWorkbook({ prefix: "F", rows: INVOICES, linesPerInvoice: 1 });
  const browser = createBrowser(origin, intuit);
  const path = `/api/v1/invoices?realm_id=${NEWCOMER}`;

  const signIn = await timed(() => browser.signIn(NEWCOMER_EMAIL));
  const connect = await timed(() => browser.connect(NEWCOMER_EMAIL, NEWCOMER));
  const upload = await timed(async () => {
    const answer = await postWorkbook({ origin, cookies: browser.cookies, path, bytes });
    if (answer.status !== 202) throw new Error(`The upload was refused: ${answer.body.toString()}`);
  });
  const posting = await timed(async () => {
    for (const end = performance.now() + MAX_WAIT_MS; performance.now() < end; await wait(100)) {
      const list = (await browser.request(path)).json() as UploadList;
      if (list.in_process) continue;
      const { completed = 0 } = list.uploads[0]?.counts ?? {};
      if (completed === INVOICES) return;
      throw new Error(`Only ${completed} invoices were posted: ${JSON.stringify(list.uploads[0]?.results)}`);
    }
    throw new Error("The upload never ended.");
  });
  const made = (await intuit.invoices(NEWCOMER)).length - before;
  if (made !== INVOICES) throw new Error(`The books hold ${made} invoices more.`);
  return [
    { name: "signing in", ms: signIn },
    { name: "connecting the company", ms: connect },
    { name: "uploading the workbook", ms: upload },
    { name: `until all ${INVOICES} are in the books`, ms: posting },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
