import { cp, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createLabels } from "#features/labels/contract.ts";
import type { Browser } from "../support/browser.ts";
import { ACME, driveIntuit } from "../support/intuit.ts";
import { labelWorkbook } from "../support/labels.ts";
import { runOperate } from "../support/operate.ts";
import {
  createInstance,
  productEnvironment,
  removeInstance,
  SHORT_WRITE_WAITS,
  runProduct,
  startProduct,
  type Product,
  type ProductInstance,
} from "../support/run-product.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";
import { openCompany } from "./support/killed-company.ts";
import { askDatabase } from "./support/kills.ts";
import {
  addVerdicts,
  allOnce,
  compareWithBooks,
  NUMBERINGS,
  readInvoices,
  type Verdict,
} from "./support/many-companies.ts";

const run = battery({ short: 1, long: 10 });
const INVOICES = run.isLong ? 400 : 60;

/** So that a trial takes seconds. */
const WAITS = { ...SHORT_WRITE_WAITS, INTUIT_WRITE_TIMEOUT_MS: "2000" };

/** The vendor's own state, which lies in our data folder in the demo, and what an operator keeps apart from backups. */
const KEPT_APART = ["simulators", "sealing-keys"];
const JOURNAL = "promises.jsonl";

/** Takes everything else away, as a lost machine does. */
async function loseMachine({ folder }: ProductInstance, kept: readonly string[]): Promise<void> {
  const lost = `${folder}-lost`;
  await rename(folder, lost);
  await mkdir(folder, { mode: 0o700 });
  for (const name of kept) await cp(join(lost, name), join(folder, name), { recursive: true });
  await rm(lost, { recursive: true, force: true });
}

async function makeLabels(browser: Browser, poNumber: string, cartons: number): Promise<void> {
  const file = {
    name: `${poNumber}.xlsx`,
    bytes: await labelWorkbook([{ Cartons: cartons, "PO Number": poNumber }]),
  };
  const made = await browser.call(createLabels, { query: { realm_id: ACME }, file });
  if (made.status !== 200) throw new Error(`No labels were made: ${made.text}`);
}

const readSsccs = async (place: ProductInstance) =>
  (await askDatabase<{ sscc: string }>(place, "select sscc from label order by sscc")).map(
    ({ sscc }) => sscc,
  );

type Outcome = { verdicts: Verdict[]; report: string; lost: string[]; afterwards: string[] };

/** A product that is backed up during two uploads, works on, and is lost and restored. */
async function restoreAfterLoss(seed: number, at: { copied: number; stopped: number }): Promise<Outcome> {
  const place = await createInstance();
  const backups = await mkdtemp(join(tmpdir(), "dockside-backups-"));
  onTestFinished(() => rm(backups, { recursive: true, force: true }));
  let product: Product = await runProduct(place, WAITS);
  try {
    const intuit = driveIntuit(product.intuitUrl);
    // Sending a write again does not show whether it was sent before the backup was made.
    await intuit.control("settings", { requestIds: "ignored" }, "PATCH");
    const answerAfter = async (ms: number) => {
      await intuit.control("faults", undefined, "DELETE");
      await intuit.control("faults", [
        { fault: "committed_answer_lost", probability: 0.05, seed, match: { operation: "invoice.create" } },
        { fault: "latency", ms, match: { method: "POST" } },
      ]);
    };
    await answerAfter(200);
    const companies = await Promise.all(
      NUMBERINGS.map((numbering) => openCompany({ product, place, intuit }, numbering)),
    );
    const [first] = companies;
    if (!first) throw new Error("There is no company.");
    await makeLabels(first.browser, "before", 3);
    const ids = await Promise.all(companies.map(({ upload }) => upload(INVOICES)));
    const made = async () => (await Promise.all(companies.map((company) => company.made()))).flat().length;
    const until = async (share: number) => {
      while ((await made()) < share * INVOICES * NUMBERINGS.length) await wait(10);
    };
    await until(at.copied);
    // So that the uploads are still going on when a busy machine has started the command.
    await answerAfter(1_000);
    const backup = await runOperate(productEnvironment(place), "backup", backups);
    expect(backup, backup.output).toMatchObject({ code: 0 });
    await answerAfter(200);
    await makeLabels(first.browser, "after", 4);
    await until(at.stopped);
    const printed = await readSsccs(place);
    await product.stop();
    await loseMachine(place, [...KEPT_APART, JOURNAL]);
    const [name = ""] = await readdir(backups);
    const restored = await runOperate(productEnvironment(place), "restore", join(backups, name));
    expect(restored, restored.output).toMatchObject({ code: 0 });
    product = await startProduct(place, WAITS);
    // A restore signs everyone out.
    for (const { browser } of companies) await browser.signIn("owner@acme.example");
    const known = await readSsccs(place);
    await makeLabels(first.browser, "again", 5);
    const afterwards = (await readSsccs(place)).filter((sscc) => !known.includes(sscc));
    const verdicts = await Promise.all(
      companies.map(async ({ browser, realmId, rows, settled, made: inBooks }, index) => {
        await settled();
        const said = await readInvoices(browser, realmId, ids[index] ?? "");
        return { ...compareWithBooks(await inBooks(), { rows, said }), reconnected: 0 };
      }),
    );
    const lost = printed.filter((sscc) => !known.includes(sscc));
    return { verdicts, report: restored.output, lost, afterwards };
  } finally {
    await product.stop();
    await removeInstance(place);
  }
}

test(
  `OP-03 OP-04 ${run.times} × a backup made while two uploads of ${INVOICES} invoices run, restored on an empty machine at a vendor that forgot the request ids: each invoice exactly once, no SSCC twice, and the restore says which SSCCs lie behind it`,
  { timeout: run.timeout },
  async () => {
    const random = seededRandom(run.seed);
    const verdicts: Verdict[] = [];
    for (let time = 0; time < run.times; time += 1) {
      const copied = random() * 0.5;
      const outcome = await restoreAfterLoss(run.seed + time, {
        copied,
        stopped: copied + random() * (1 - copied),
      });
      verdicts.push(...outcome.verdicts);
      expect(outcome.lost).toHaveLength(4);
      expect(outcome.afterwards).toHaveLength(5);
      expect(outcome.afterwards.filter((sscc) => outcome.lost.includes(sscc))).toEqual([]);
      expect(outcome.report).toMatch(
        /SSCCs were given after the backup.*\n +company \d+, prefix \d+, .*: serials 3 to 6\n/,
      );
      expect(outcome.report).toMatch(/\tAcme Tools\t\d{4}-\S+Z\t\d{4}-\S+Z\tnone\t\d/);
      // Taken in the middle of the work: a run is open, and there are no keys.
      expect(outcome.report).toMatch(/\t1\t0$/m);
      printCounts(run, "backup", { time, ...addVerdicts(verdicts) });
    }
    expect(addVerdicts(verdicts)).toEqual({
      ...allOnce(run.times * INVOICES * NUMBERINGS.length),
      reconnected: 0,
    });
  },
);
