import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { createBrowser, type Browser } from "../test/support/browser.ts";
import { ACME, BAY, driveIntuit } from "../test/support/intuit.ts";
import { createInstance, removeInstance, runProduct, type Product } from "../test/support/run-product.ts";
import { figure, info, percentile, report, spread, type Figure } from "./support/figures.ts";
import { findServer, peakMb, residentMb } from "./support/processes.ts";
import { createClient, postWorkbook } from "./support/requests.ts";
import { benchWorkbook } from "./support/workbooks.ts";

/**
 * Measures many large files of one company at once: the memory of the server process, and the effect on
 * another company.
 */
const FILES = 40;
const FILE_BYTES = 25 * 1024 * 1024 - 1_000;
const ROWS = 30_000;
const ALONE = { uploads: 8 };

const SMALL = await benchWorkbook({ prefix: "S", rows: 20, linesPerInvoice: 1, faultEvery: 0 });

const uploadPath = (realmId: string) => `/api/v1/invoices?realm_id=${realmId}`;

const place = await createInstance();
try {
  // Without the worker, to measure receiving files and not posting them.
  const product = await runProduct(place, { ROLES: "web" });
  try {
    report(`${FILES} files of 25 MB at once`, await measure(product));
  } finally {
    await product.stop();
  }
} finally {
  await removeInstance(place);
}

async function measure(product: Product): Promise<Figure[]> {
  const intuit = driveIntuit(product.intuitUrl);
  const [large, small] = [createBrowser(product.url, intuit), createBrowser(product.url, intuit)];
  await large.signIn("owner@acme.example");
  await small.signIn("platform@dockside.example");
  const server = findServer();
  const file = makeCsv(ROWS, FILE_BYTES);
  // A warm-up run, so that both companies' modules are compiled and the heap has its usual size.
  await send(product, large, file);
  await uploadSmall(product, small);
  const alone = await watchNeighbor(product, small, (done) => done.uploads < ALONE.uploads);
  const idleMb = residentMb(server);

  const startedAt = performance.now();
  let isGoing = true;
  const statuses = Promise.all(Array.from({ length: FILES }, () => send(product, large, file))).finally(
    () => (isGoing = false),
  );
  const during = await watchNeighbor(product, small, () => isGoing);
  const answers = await statuses;
  const seconds = (performance.now() - startedAt) / 1000;
  const refused = answers.filter((status) => status !== 202);
  return [
    figure("peak memory of the server process", peakMb(server), { most: 500, unit: "MB" }),
    info("  before", `${Math.round(idleMb)} MB`),
    figure("files not taken", refused.length, { most: 0, unit: "" }),
    info("  all of them took", `${seconds.toFixed(1)} s`),
    info("another company's list, alone", spread(alone.gets)),
    info("  meanwhile", spread(during.gets)),
    info("  ratio, p50", `${ratio(during.gets, alone.gets).toFixed(2)} ×`),
    info("another company's upload of 20 rows, alone", spread(alone.uploads)),
    info("  meanwhile", spread(during.uploads)),
    figure("  ratio, p50", ratio(during.uploads, alone.uploads), { most: 2, unit: "×" }),
  ];
}

function ratio(during: readonly number[], alone: readonly number[]): number {
  return percentile(during, 0.5) / percentile(alone, 0.5);
}

/**
 * Sends small requests of another company, one at a time, until stopped. @returns their times in milliseconds
 */
async function watchNeighbor(
  product: Product,
  browser: Browser,
  goesOn: (done: { uploads: number }) => boolean,
): Promise<{ gets: number[]; uploads: number[] }> {
  const client = createClient(product.url, browser.cookies);
  const times = { gets: [] as number[], uploads: [] as number[] };
  do {
    for (let count = 0; count < 10; count += 1) {
      times.gets.push((await client.get(uploadPath(BAY))).ms);
      await wait(20);
    }
    times.uploads.push(await uploadSmall(product, browser));
    // A session may send sixty files a minute.
    await wait(800);
  } while (goesOn({ uploads: times.uploads.length }));
  client.close();
  return times;
}

async function uploadSmall({ url }: Product, { cookies }: Browser): Promise<number> {
  const bytes = SMALL;
  const { status, ms, body } = await postWorkbook({ origin: url, cookies, path: uploadPath(BAY), bytes });
  if (status !== 202) throw new Error(`A small upload was answered with ${status}: ${body.toString()}`);
  return ms;
}

/** Sends a file as fast as the server reads it. @returns the status */
function send({ url }: Product, { cookies }: Browser, file: Buffer): Promise<number> {
  const boundary = "----dockside-bench";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="large.csv"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const headers = {
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    origin: url,
    "content-type": `multipart/form-data; boundary=${boundary}`,
    "content-length": head.length + file.length + tail.length,
  };
  return new Promise((resolve, reject) => {
    const call = request(new URL(uploadPath(ACME), url), { method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    call.on("error", reject);
    call.write(head);
    call.write(file);
    call.end(tail);
  });
}

/** Builds single-line invoices as CSV; notes pad the file to a size. */
function makeCsv(rows: number, bytes: number): Buffer {
  const note = "n".repeat(Math.max(0, Math.floor(bytes / rows) - 60));
  const lines = Array.from(
    { length: rows },
    (_, index) => `N-${String(index).padStart(5, "0")},Cool Cars,2026-11-02,Claw Hammer,19.95,${note}`,
  );
  return Buffer.from(["Invoice No,Customer,Invoice Date,Item,Amount,Private Note", ...lines].join("\r\n"));
}
