import type { UploadList } from "#features/invoices/contract.ts";
import { createBrowser } from "../test/support/browser.ts";
import { ACME, driveIntuit } from "../test/support/intuit.ts";
import { findPlace, removePlace, runProduct, type Product } from "../test/support/run-product.ts";
import { figure, percentile, report, spread, told, type Figure } from "./support/figures.ts";
import { cpuMs, findServer, peakMb } from "./support/processes.ts";
import { createClient, postWorkbook, probe } from "./support/requests.ts";
import { benchWorkbook } from "./support/workbooks.ts";

/** Taking in a large workbook: how soon it is answered, and what others feel meanwhile. The server is a process of its own. */
const LIST = `/api/v1/invoices?realm_id=${ACME}`;
const QUIET_MS = 8_000;
/** From the first byte of the upload: long enough for the check of the workbook and a minute's budget of batches. */
const BUSY_MS = 20_000;

const figures: Figure[] = [];
// One line an invoice makes the longest ledger; a few lines each is what people upload.
for (const linesPerInvoice of [8, 1]) figures.push(...(await measureInNewPlace(linesPerInvoice)));
report("POST of 10,000 rows × 20 columns, and the other requests meanwhile (p50 / p95 / p99)", figures);

async function measureInNewPlace(linesPerInvoice: number): Promise<Figure[]> {
  const place = await findPlace();
  const product = await runProduct(place);
  try {
    return await measure(product, linesPerInvoice);
  } finally {
    await product.stop();
    await removePlace(place);
  }
}

async function measure({ url, intuitUrl }: Product, linesPerInvoice: number): Promise<Figure[]> {
  const browser = createBrowser(url, driveIntuit(intuitUrl));
  await browser.signIn("owner@acme.example");
  const other = createBrowser(url, driveIntuit(intuitUrl));
  await other.signIn("clerk@acme.example");
  const bytes = await benchWorkbook({ prefix: `B${linesPerInvoice}`, rows: 10_000, linesPerInvoice });
  const server = findServer();
  await during(QUIET_MS / 4, other.cookies, url);
  const quiet = await during(QUIET_MS, other.cookies, url);
  const cpuBefore = cpuMs(server);
  const [busy, answer] = await Promise.all([
    during(BUSY_MS, other.cookies, url),
    postWorkbook({ origin: url, cookies: browser.cookies, path: LIST, bytes }),
  ]);
  if (answer.status !== 202) throw new Error(`The upload was refused: ${answer.body.toString()}`);
  const list = (await other.request(LIST)).json() as UploadList;
  const { completed = 0, problems = 0 } = list.uploads[0]?.counts ?? {};
  // Without invoices in the books by then, the work that was to be felt was not done.
  if (completed === 0 || problems > 0)
    throw new Error(`${completed} rows posted, ${problems} with problems.`);
  const name = `${10_000 / linesPerInvoice} invoices:`;
  return [
    told(`${name} workbook`, `${(bytes.length / 1e6).toFixed(2)} MB`),
    figure(`${name} answer after its last byte`, answer.ms, { most: 1_000, unit: "ms" }),
    ...(["list", "page"] as const).flatMap((kind) => [
      told(`${name} ${kind} without the upload`, spread(quiet[kind])),
      told(`${name} ${kind} during the upload`, spread(busy[kind])),
      figure(`${name} ${kind} p95`, percentile(busy[kind], 0.95), { most: 50, unit: "ms" }),
      told(
        `${name} ${kind} p95, with / without`,
        (percentile(busy[kind], 0.95) / percentile(quiet[kind], 0.95)).toFixed(1),
      ),
      told(`${name} ${kind} slowest`, `${Math.max(...busy[kind]).toFixed(0)} ms`),
    ]),
    told(`${name} rows in the books by then`, String(completed)),
    told(`${name} CPU of the server in ${BUSY_MS / 1_000} s`, `${cpuMs(server) - cpuBefore} ms`),
    told(`${name} peak memory of the server`, `${peakMb(server).toFixed(0)} MB`),
  ];
}

/** The list and the landing page, each asked for every 20 ms by one browser. */
async function during(ms: number, cookies: ReadonlyMap<string, string>, url: string) {
  const stop = AbortSignal.timeout(ms);
  const clients = [createClient(url, cookies), createClient(url, new Map())] as const;
  const [list, page] = await Promise.all([
    probe(() => clients[0].get(LIST), stop),
    probe(() => clients[1].get("/"), stop),
  ]);
  for (const client of clients) client.close();
  return { list, page };
}
