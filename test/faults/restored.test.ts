import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { driveIntuit } from "../support/intuit.ts";
import { findPlace, removePlace, runProduct } from "../support/run-product.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { copyDataFolder } from "./support/data-folder.ts";
import { openCompany } from "./support/killed-company.ts";
import {
  allOnce,
  judge,
  NUMBERINGS,
  readInvoices,
  addVerdicts,
  type Verdict,
} from "./support/many-companies.ts";

const run = battery({ short: 1, long: 20 });
const INVOICES = run.isLong ? 400 : 60;

/** The waits of writes in doubt, in milliseconds, so that a trial takes seconds. */
const WAITS = {
  INTUIT_WRITE_TIMEOUT_MS: "2000",
  WRITE_FIRST_LOOK_MS: "300",
  WRITE_VENDOR_LIMIT_MS: "2500",
  WRITE_INDEX_LAG_MS: "1500",
  WRITE_OUTAGE_MS: "1000",
};

/** One product with a numbered and an unnumbered upload in progress, whose data folder is copied and restored later. */
async function restoreDuringUploads(
  seed: number,
  at: { copied: number; stopped: number },
): Promise<Verdict[]> {
  const place = await findPlace();
  let product = await runProduct(place, WAITS);
  try {
    const intuit = driveIntuit(product.intuitUrl);
    // Sending a write again does not show whether it was sent before the copy was restored.
    await intuit.control("settings", { requestIds: "ignored" }, "PATCH");
    const random = seededRandom(seed);
    await intuit.control("faults", [
      { fault: "committed_answer_lost", probability: 0.05, seed, match: { operation: "invoice.create" } },
      { fault: "latency", ms: 150 + Math.round(random() * 150), match: { method: "POST" } },
    ]);
    const companies = await Promise.all(
      NUMBERINGS.map(async (numbering) => openCompany({ product, place, intuit }, numbering)),
    );
    const ids = await Promise.all(companies.map(({ upload }) => upload(INVOICES)));
    const made = async () => (await Promise.all(companies.map((company) => company.made()))).flat().length;
    const until = async (share: number) => {
      while ((await made()) < share * INVOICES * NUMBERINGS.length) await wait(10);
    };
    await until(at.copied);
    const copy = await copyDataFolder(place);
    await until(at.stopped);
    await product.stop();
    await copy.restore();
    product = await runProduct(place, WAITS);
    return await Promise.all(
      companies.map(async ({ browser, realmId, rows, settled, made: inBooks }, index) => {
        await settled();
        const said = await readInvoices(browser, realmId, ids[index] ?? "");
        return { ...judge(await inBooks(), { rows, said }), reconnected: 0 };
      }),
    );
  } finally {
    await product.stop();
    await removePlace(place);
  }
}

test(
  `${run.times} × a data folder copied while two uploads of ${INVOICES} invoices run, and restored later, with a vendor that forgot the request ids: each invoice exactly once`,
  { timeout: run.timeout },
  async () => {
    const random = seededRandom(run.seed);
    const verdicts: Verdict[] = [];
    for (let time = 0; time < run.times; time += 1) {
      // The first copy of a long form is taken before anything was sent.
      const copied = run.isLong && time === 0 ? 0 : random() * 0.6;
      const stopped = copied + random() * (1 - copied);
      verdicts.push(...(await restoreDuringUploads(run.seed + time, { copied, stopped })));
      printCounts(run, "restored", { time, ...addVerdicts(verdicts) });
    }
    expect(addVerdicts(verdicts)).toEqual({
      ...allOnce(run.times * INVOICES * NUMBERINGS.length),
      reconnected: 0,
    });
  },
);
