import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import {
  listUploads,
  postInvoices,
  type UploadList,
  type UploadSummary,
} from "#features/invoices/contract.ts";
import { DATABASE_USER } from "#platform/db/embedded/initialise.ts";
import { createBrowser, type Browser } from "../support/browser.ts";
import { ACME, BAY, driveIntuit, type Intuit } from "../support/intuit.ts";
import { findPlace, removePlace, runProduct, type ProductPlace } from "../support/run-product.ts";
import { invoiceWorkbook, type InvoiceRow } from "../support/workbooks.ts";
import { seededRandom } from "./support/battery.ts";
import { findDatabase, killDatabase, untilGone } from "./support/embedded-database.ts";
import { compareBooks, invoiceRows, liftLimits } from "./support/invoices.ts";
import { doReceiptsAgree } from "./support/uploads.ts";

export type Victim = "product" | "database" | "both";

/** `longestMs`: the most that passes between a start and the next kill. */
export type KillRun = {
  invoices: number;
  kills: number;
  seed: number;
  victims: readonly Victim[];
  longestMs: number;
};

/** What the books and the list say after an upload that was killed again and again. */
export type KillOutcome = ReturnType<typeof compareBooks> & {
  sent: number;
  /** Kills that struck while the upload was open, by what was killed. */
  struck: Record<Victim, number>;
  /** Invoices the vendor made, by its own journal. */
  writes: number;
  /** Invoices it answered from the first answer to the same request. */
  replayed: number;
  /** Invoices sent to it that it neither made nor knew: a send under another request id would be refused. */
  refused: number;
  receiptsAgree: boolean;
  completedRows: number;
  problemRows: number;
  /**
   * Longest time from starting the process until it said that it runs, and from then until a worker had the upload
   * again, milliseconds.
   */
  slowest: { startMs: number; resumeMs: number };
};

type UploadCounts = UploadSummary["counts"];

const REALMS = { numbered: ACME, unnumbered: BAY };

/**
 * Uploads a workbook to the running product, ends the processes with SIGKILL at random moments, starts it again each
 * time, and looks at the books once the upload has ended. The same seed gives the same moments.
 */
export async function runKills(run: KillRun, numbering: keyof typeof REALMS): Promise<KillOutcome> {
  const realmId = REALMS[numbering];
  const place = await findPlace();
  let product = await runProduct(place);
  try {
    const intuit = driveIntuit(product.intuitUrl);
    await liftLimits(intuit, realmId);
    const browser = createBrowser(product.url, intuit);
    await browser.signIn("owner@acme.example");
    const known = new Set((await intuit.invoices(realmId)).map(({ Id }) => Id));
    const rows: InvoiceRow[] = [];
    const upload = async () => {
      const prefix = numbering === "numbered" ? `K${rows.length}` : "";
      const next = invoiceRows(run.invoices, { prefix, firstCents: 1_000 + rows.length });
      rows.push(...next);
      const file = { name: "killed.xlsx", bytes: await invoiceWorkbook(next) };
      const accepted = await browser.call(postInvoices, { query: { realm_id: realmId }, file });
      if (accepted.status !== 202) throw new Error(`The upload was refused: ${accepted.text}`);
    };
    const random = seededRandom(run.seed);
    const struck = { product: 0, database: 0, both: 0 };
    const slowest = { startMs: 0, resumeMs: 0 };
    await upload();
    while (struck.product + struck.database + struck.both < run.kills) {
      await slowBatches(intuit, run.seed + rows.length);
      await wait(50 + random() * run.longestMs);
      const victim = run.victims[Math.floor(random() * run.victims.length)] ?? "product";
      const before = await readUpload(place);
      if (!before.isOpen) {
        await upload();
        continue;
      }
      struck[victim] += 1;
      await strike(victim, { product, place });
      const startedAt = performance.now();
      product = await runProduct(place);
      const runningAt = performance.now();
      slowest.startMs = Math.max(slowest.startMs, Math.round(runningAt - startedAt));
      slowest.resumeMs = Math.max(slowest.resumeMs, await untilTaken(place, before, runningAt));
    }
    await intuit.control("faults", undefined, "DELETE");
    const list = await untilSettled(browser, realmId);
    const made = (await intuit.invoices(realmId)).filter(({ Id }) => !known.has(Id));
    const counted = (of: (counts: UploadCounts) => number) =>
      list.uploads.reduce((sum, { counts }) => sum + of(counts), 0);
    return {
      sent: rows.length,
      ...compareBooks(made, rows),
      struck,
      ...(await countWrites(intuit, realmId)),
      receiptsAgree: await doReceiptsAgree(browser, realmId, list.uploads),
      completedRows: counted(({ completed }) => completed),
      problemRows: counted(({ problems }) => problems),
      slowest,
    };
  } finally {
    await product.stop();
    await removePlace(place);
  }
}

/** A vendor as slow as the real one, so that kills strike amid its calls. Rules do not outlive the simulator. */
const slowBatches = (intuit: Intuit, seed: number) =>
  intuit.control("faults", [
    { fault: "latency", ms: 1_500, match: { operation: "batch" }, probability: 0.2, seed },
    { fault: "latency", ms: 400, match: { operation: "batch" }, probability: 0.7, seed: seed + 1 },
  ]);

type Struck = { product: Awaited<ReturnType<typeof runProduct>>; place: ProductPlace };

async function strike(victim: Victim, { product, place }: Struck): Promise<void> {
  if (victim === "product") return product.kill();
  await killDatabase(place.folder);
  if (victim === "both") return product.kill();
  // Without its database the product says so and ends by itself.
  await untilGone(product.url);
  await product.stop();
}

type UploadState = { fence: number; isOpen: boolean };

async function readUpload({ folder }: ProductPlace): Promise<UploadState> {
  const { socketFolder } = findDatabase(folder);
  const client = new pg.Client({ host: socketFolder, user: DATABASE_USER, database: DATABASE_USER });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ fence: string; state: string }>(
      "select fence, state from upload order by uploaded_at desc limit 1",
    );
    const [upload] = rows;
    return { fence: Number(upload?.fence), isOpen: upload?.state !== "finished" };
  } finally {
    await client.end();
  }
}

/** @returns milliseconds since a moment until a worker had taken the upload anew, or found it finished */
async function untilTaken(place: ProductPlace, before: UploadState, since: number): Promise<number> {
  for (;;) {
    const now = await readUpload(place);
    const passedMs = performance.now() - since;
    if (!now.isOpen || now.fence > before.fence) return Math.round(passedMs);
    if (passedMs > 60_000) return Infinity;
    await wait(20);
  }
}

async function untilSettled(browser: Browser, realmId: string): Promise<UploadList> {
  for (const end = Date.now() + 240_000; Date.now() < end; await wait(100)) {
    const reply = await browser.call(listUploads, { query: { realm_id: realmId } });
    if (reply.status !== 200) throw new Error(`The list answered ${reply.status}: ${reply.text}`);
    const list = reply.json() as UploadList;
    if (!list.in_process) return list;
  }
  throw new Error("The upload never ended.");
}

async function countWrites(
  intuit: Intuit,
  realmId: string,
): Promise<{ writes: number; replayed: number; refused: number }> {
  const counts = { writes: 0, replayed: 0, refused: 0 };
  for (const operation of ["batch", "invoice.create"]) {
    const { entries } = await intuit.control<{
      entries: { writes: number; replayed: number; items: number }[];
    }>(`journal?realm_id=${realmId}&operation=${operation}&limit=5000`);
    for (const entry of entries) {
      counts.writes += entry.writes;
      counts.replayed += entry.replayed;
      counts.refused += (operation === "batch" ? entry.items : 1) - entry.writes - entry.replayed;
    }
  }
  return counts;
}
