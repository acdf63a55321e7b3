import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { UploadList } from "#features/invoices/contract.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";
import { createBrowser, type Browser } from "../test/support/browser.ts";
import { ACME, driveIntuit } from "../test/support/intuit.ts";
import { findPlace, removePlace, runProduct, type Product } from "../test/support/run-product.ts";
import { figure, percentile, report, spread, info, type Figure } from "./support/figures.ts";
import { cpuMs, findServer } from "./support/processes.ts";
import { createClient, postWorkbook, type Client, type Timed } from "./support/requests.ts";
import { benchWorkbook } from "./support/workbooks.ts";

/** Measures reading the list of uploads: long uploads, a long history, and no changes. */
const LIST = `/api/v1/invoices?realm_id=${ACME}`;
const CALLS = 500;
/** Newer copies that fill the list, and older ones below it. */
const SHOWN = { count: 19, spacing: "1 ms", ledgerRows: 10_000 };
const HISTORY = { count: 960, spacing: "-1 hour", ledgerRows: 100 };

/**
 * Copies a company's newest upload; $2 copies, each $3 apart in time, with its ledger below row $4. Each
 * names other customers, because equal texts would compress better than real uploads.
 */
const COPY = `with newest as (select * from upload where realm_id = $1 order by uploaded_at desc limit 1),
  copies as (
    insert into upload (realm_id, id, file_name, sha256, object_key, size_bytes, data_rows, uploaded_by, uploaded_by_id,
      uploaded_at, planned, notes, summary)
    select realm_id, gen_random_uuid(), file_name, sha256 || n, object_key, size_bytes, data_rows, uploaded_by,
      uploaded_by_id, uploaded_at + n * $3::interval, planned, notes, summary || jsonb_build_object('results', (
        select jsonb_agg(replace(r::text, 'Unknown Trading', left(md5(n || (r->>'rows')), 12))::jsonb)
        from jsonb_array_elements(summary->'results') r))
    from newest, generate_series(1, $2::int) n returning id
  ),
  raised as (update upload_list set version = version + 1 where realm_id = $1)
  insert into upload_invoice (realm_id, upload_id, invoice_key, seq, row_numbers, doc_number, customer_name,
    amount_cents, draft, problems, verdict, cause)
  select e.realm_id, c.id, e.invoice_key, e.seq, e.row_numbers, e.doc_number, e.customer_name, e.amount_cents, e.draft,
    e.problems, e.verdict, e.cause
  from upload_invoice e join newest on e.realm_id = newest.realm_id and e.upload_id = newest.id, copies c
  where e.seq < $4`;

const folder = await mkdtemp(join(tmpdir(), "dockside-bench-"));
const server = await startEmbeddedPostgres({ dataDir: folder, log: createLog("warn") });
const place = await findPlace();
try {
  const product = await runProduct(place, { DATABASE_URL: server.connectionString });
  try {
    report("GET of the list of uploads, 20 shown (p50 / p95 / p99)", await measure(product));
  } finally {
    await product.stop();
  }
} finally {
  await server.stop();
  await removePlace(place);
  await rm(folder, { recursive: true, force: true });
}

async function measure(product: Product): Promise<Figure[]> {
  const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
  await browser.signIn("owner@acme.example");
  const client = createClient(product.url, browser.cookies);
  const typical = await benchWorkbook({ prefix: "T", rows: 10_000, linesPerInvoice: 20, faultEvery: 200 });
  await upload(product, browser, typical);
  await copyNewest(SHOWN);
  const usual = await measureList(client, "20 uploads, a few errors");
  // Every row has another message, so that no two rows share an entry.
  const worst = await benchWorkbook({ prefix: "W", rows: 10_000, linesPerInvoice: 1, faultEvery: 1 });
  await upload(product, browser, worst);
  await copyNewest(SHOWN);
  const hard = await measureList(client, "20 uploads, 10,000 errors each");
  const faults = { linesPerInvoice: 1, faultEvery: 1, manyFaults: true };
  await upload(product, browser, await benchWorkbook({ prefix: "M", rows: 10_000, ...faults }));
  await copyNewest(SHOWN);
  const wordy = await measureList(client, "20 uploads, 5 errors in each of 10,000 rows");
  await copyNewest(HISTORY);
  const long = await measureList(client, "1,000 uploads, 5 errors in each of 10,000 rows");
  client.close();
  const flat = figure("1,000 uploads / 20 uploads, p50", long.p50 / wordy.p50, { most: 1.5, unit: "×" });
  return [...usual.figures, ...hard.figures, ...wordy.figures, ...long.figures, flat];
}

async function measureList(client: Client, name: string): Promise<{ p50: number; figures: Figure[] }> {
  const first = await client.get(LIST);
  await many(() => client.get(LIST), 200);
  const cpuBefore = cpuMs(findServer());
  const full = await many(() => client.get(LIST), 200);
  const cpu = (cpuMs(findServer()) - cpuBefore) / CALLS;
  const same = await many(() => client.get(LIST, { "if-none-match": first.etag }), 304);
  const wire = Math.max(...full.map(({ wireBytes }) => wireBytes)) / 1_000;
  const times = full.map(({ ms }) => ms);
  const unchanged = same.map(({ ms }) => ms);
  return {
    p50: percentile(times, 0.5),
    figures: [
      info(name, spread(times)),
      figure("  p95", percentile(times, 0.95), { most: 20, unit: "ms" }),
      figure("  on the wire, with headers", wire, { most: 10, unit: "kB" }),
      info("  CPU of the server, a call", `${cpu.toFixed(2)} ms`),
      info("  304 when unchanged", spread(unchanged)),
      figure("  304 / 200, p50", percentile(unchanged, 0.5) / percentile(times, 0.5), { most: 1, unit: "×" }),
    ],
  };
}

async function many(call: () => Promise<Timed>, status: number): Promise<Timed[]> {
  const answers: Timed[] = [];
  for (let count = 0; count < CALLS; count += 1) answers.push(await call());
  const other = answers.find((answer) => answer.status !== status);
  if (other) throw new Error(`Answered with ${other.status} instead of ${status}.`);
  return answers;
}

async function upload({ url }: Product, browser: Browser, bytes: Uint8Array): Promise<void> {
  const answer = await postWorkbook({ origin: url, cookies: browser.cookies, path: LIST, bytes });
  if (answer.status !== 202) throw new Error(`The upload was refused: ${answer.body.toString()}`);
  for (let tries = 0; tries < 600; tries += 1) {
    const list = (await browser.request(LIST)).json() as UploadList;
    if (!list.in_process) return;
    await wait(100);
  }
  throw new Error("The upload never ended.");
}

type Copies = { count: number; spacing: string; ledgerRows: number };

/**
 * Fills the history behind the product's back: uploads that differ from the newest one only in name and time.
 */
async function copyNewest({ count, spacing, ledgerRows }: Copies): Promise<void> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    await client.query(COPY, [ACME, count, spacing, ledgerRows]);
    await client.query("analyze upload, upload_invoice");
  } finally {
    await client.end();
  }
}
