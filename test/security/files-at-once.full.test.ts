import { readdir, stat } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { listUploads, postInvoices } from "#features/invoices/contract.ts";
import { takeTurn, TURNS } from "#platform/threads/take-turn.ts";
import type { Browser } from "../support/browser.ts";
import { ACME, BAY } from "../support/intuit.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { invoiceLine, invoiceWorkbook } from "../support/workbooks.ts";

const FILES = 40;
const HEADERS = "Invoice No,Customer,Invoice Date,Item,Amount,Private Note";
const FILE_BYTES = 2 * 1024 * 1024;
const ALL_BYTES = FILES * FILE_BYTES;
/** Invoices of one line whose notes fill the file up. */
const FILE = Array.from({ length: 512 }, (_, index) =>
  `N-${index},Cool Cars,2026-11-02,H-16,19.95,`.padEnd(FILE_BYTES / 512 - 1, "n"),
);
const BODY = Buffer.from(
  `--b\r\nContent-Disposition: form-data; name="file"; filename="large.csv"\r\n\r\n${[HEADERS, ...FILE].join("\n")}\r\n--b--\r\n`,
);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("of forty files that a company sends at once, none is in memory before its turn, and another company's is read meanwhile", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const neighbor = await app.owner(BAY, "platform@dockside.example");
  // As if files of this company were being read.
  const turns = await Promise.all(Array.from({ length: TURNS.placesPerOwner }, () => takeTurn(ACME)));
  const endTurns = () => turns.forEach((end) => end());
  onTestFinished(endTurns);
  const before = buffersBytes();
  const sent = Promise.all(Array.from({ length: FILES }, () => send(app, browser)));
  await app.settle();
  expect(await countReceived(app)).toBe(FILES);

  const small = { name: "small.xlsx", bytes: await invoiceWorkbook([invoiceLine("S-1")]) };
  const reply = await neighbor.call(postInvoices, { query: { realm_id: BAY }, file: small });
  expect(reply.status).toBe(202);
  const list = await browser.call(listUploads, { query: { realm_id: ACME } });
  expect(list.json()).toMatchObject({ total_count: 0 });
  expect(buffersBytes() - before).toBeLessThan(ALL_BYTES / 4);

  endTurns();
  expect(new Set(await sent)).toEqual(new Set([202]));
});

/** All share one buffer: copies made by an HTTP client would count toward the measured memory. @returns the status */
function send({ url }: TestApp, { cookies }: Browser): Promise<number | undefined> {
  const headers = {
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    origin: url,
    "content-type": "multipart/form-data; boundary=b",
    "content-length": BODY.length,
  };
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const path = new URL(`${postInvoices.path}?realm_id=${ACME}`, url);
  request(path, { method: "POST", headers }, (response) => {
    resolve(response.resume().statusCode);
  })
    .on("error", reject)
    .end(BODY);
  return promise;
}

/** Memory outside of the heap, which holds the bytes of files, without its garbage. */
function buffersBytes(): number {
  // A collection frees buffers on another thread; the next one first waits until it has.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** How many files have arrived completely and were not read yet. */
async function countReceived({ config }: TestApp): Promise<number> {
  const folder = join(config.dataDir, "objects/incoming");
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  );
  return sizes.filter((size) => size >= FILE_BYTES).length;
}
