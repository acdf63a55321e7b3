import { request } from "node:http";
import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import { createLabels } from "#features/labels/contract.ts";
import { createBrowser, type Browser } from "../test/support/browser.ts";
import { driveIntuit } from "../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../test/support/labels.ts";
import type { Product } from "../test/support/run-product.ts";
import { figure, info, report, type Figure } from "./support/figures.ts";
import { inNewPlace } from "./support/in-new-place.ts";
import { cpuMs, findServer, peakMb, residentMb } from "./support/processes.ts";

/**
 * Measures a label sheet from its upload to the last byte of its PDF, through HTTP, with thread, ledger and
 * database: processor time and memory of the server including all its threads. The time to first byte is
 * measured for labels that are printed again, which commit only a little beforehand.
 */
const ROUNDS = 3;
const CASES = [
  { rows: 1_000, cpuMs: 500 },
  { rows: 10_000, cpuMs: 4_000 },
] as const;
const GROWTH_MB = 150;
const FIRST_BYTE_MS = 100;
const LABEL_BYTES = 760;

report("Labels from upload to PDF", await inNewPlace(measure));

async function measure({ url, intuitUrl }: Product): Promise<Figure[]> {
  const browser = createBrowser(url, driveIntuit(intuitUrl));
  await browser.signIn("owner@acme.example");
  const settings = await setUpLabels(browser);
  if (settings.status !== 200) throw new Error(settings.text);
  const server = findServer();
  await make(browser, 100, "warm");
  const figures: Figure[] = [];
  for (const { rows, cpuMs: most } of CASES) {
    const before = residentMb(server);
    const made: UploadTiming[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      made.push(await make(browser, rows, `${rows} ${round}`, server));
    const cpu = middle(made.map((run) => run.cpu));
    const again = [];
    for (const { id } of made) again.push(await printAgain({ url, browser, id }));
    figures.push(
      info(`${rows} rows`, `${ROUNDS} times`),
      figure("  bytes a label", middle(again.map((run) => run.bytes)) / rows, {
        most: LABEL_BYTES,
        unit: "B",
      }),
      figure("  CPU of the server", cpu, { most, unit: "ms" }),
      figure("  first byte when printed again", middle(again.map((run) => run.firstMs)), {
        most: FIRST_BYTE_MS,
        unit: "ms",
      }),
      figure("  memory above that before", peakMb(server) - before, { most: GROWTH_MB, unit: "MB" }),
    );
  }
  return figures;
}

type UploadTiming = { id: string; cpu: number };

async function make(browser: Browser, rows: number, name: string, server?: number): Promise<UploadTiming> {
  const cells = Array.from({ length: rows }, (_, at) => ({ "PO Number": `${name} ${at % 50}` }));
  const bytes = await labelWorkbook(cells);
  const before = server === undefined ? 0 : cpuMs(server);
  const reply = await browser.call(createLabels, { query: {}, file: { name: `${name}.xlsx`, bytes } });
  if (reply.status !== 200) throw new Error(reply.text);
  const cpu = server === undefined ? 0 : cpuMs(server) - before;
  return { id: reply.headers.get(DOCUMENT_OF_HEADER) ?? "", cpu };
}

type Asked = { url: string; browser: Browser; id: string };

/** Measures milliseconds from the request to the first byte of its document, and the number of bytes. */
function printAgain({ url, browser, id }: Asked): Promise<{ firstMs: number; bytes: number }> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: url, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const path = new URL(`/api/v1/labels/uploads/${id}/print`, url);
    const call = request(path, { method: "POST", headers }, (response) => {
      let firstMs = 0;
      let bytes = 0;
      response.on("data", (piece: Buffer) => {
        firstMs ||= performance.now() - startedAt;
        bytes += piece.length;
      });
      response.on("end", () =>
        bytes === 0 ? reject(new Error(`Status ${response.statusCode}.`)) : resolve({ firstMs, bytes }),
      );
    });
    call.on("error", reject);
    call.end("{}");
  });
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
