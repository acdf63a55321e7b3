import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { UploadList } from "#features/invoices/contract.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { createLog } from "#platform/log.ts";
import { createBrowser } from "../test/support/browser.ts";
import { ACME, BAY, driveIntuit } from "../test/support/intuit.ts";
import { findPlace, removePlace, runProduct, type Product } from "../test/support/run-product.ts";
import { figure, report, type Figure } from "./support/figures.ts";
import { postWorkbook } from "./support/requests.ts";
import { benchWorkbook } from "./support/workbooks.ts";

/** Measures the bytes that posting writes to the database's log, which go to disk and to each replica. */
const INVOICES = 1_000;
const COMPANIES = [
  { name: "with numbers, in batches", realmId: ACME, prefix: "WAL", email: "owner@acme.example" },
  {
    name: "numbers by QuickBooks, one to a call",
    realmId: BAY,
    prefix: "B",
    email: "platform@dockside.example",
  },
];

const folder = await mkdtemp(join(tmpdir(), "dockside-bench-"));
const server = await startEmbeddedPostgres({ dataDir: folder, log: createLog("warn") });
const place = await findPlace();
try {
  const product = await runProduct(place, { DATABASE_URL: server.connectionString });
  try {
    const figures: Figure[] = [];
    for (const company of COMPANIES) figures.push(await measure(product, company));
    report(`Log of the database for ${INVOICES} posted invoices`, figures);
  } finally {
    await product.stop();
  }
} finally {
  await server.stop();
  await removePlace(place);
  await rm(folder, { recursive: true, force: true });
}

async function measure(
  { url, intuitUrl }: Product,
  { name, realmId, prefix, email }: (typeof COMPANIES)[number],
): Promise<Figure> {
  const intuit = driveIntuit(intuitUrl);
  const browser = createBrowser(url, intuit);
  await browser.signIn(email);
  await browser.connect(email, realmId);
  const path = `/api/v1/invoices?realm_id=${realmId}`;
  const bytes = await benchWorkbook({ prefix, rows: INVOICES, linesPerInvoice: 1 });
  const before = await walBytes();
  const answer = await postWorkbook({ origin: url, cookies: browser.cookies, path, bytes });
  if (answer.status !== 202) throw new Error(`The upload was refused: ${answer.body.toString()}`);
  for (;;) {
    await wait(1_000);
    const list = (await browser.request(path)).json() as UploadList;
    const counts = list.uploads[0]?.counts;
    if (list.in_process || !counts) continue;
    if (counts.completed < INVOICES) throw new Error(`Only ${counts.completed} were posted.`);
    return figure(name, ((await walBytes()) - before) / 1e6, { most: 5, unit: "MB" });
  }
}

async function walBytes(): Promise<number> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>("select pg_current_wal_lsn() - '0/0' as bytes");
    return Number(rows[0]?.bytes);
  } finally {
    await client.end();
  }
}
