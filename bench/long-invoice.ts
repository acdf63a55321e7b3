import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../src/features/invoices/plan/plan-workbook.ts";
import { largeLists } from "./support/large-lists.ts";

/**
 * Compares planning one invoice of 30,000 lines with planning 30,000 invoices of one line, without errors and
 * with five errors in every row; quadratic work would show here. Exits 1 if one invoice costs more than the
 * target.
 */
const ROWS = 30_000;
const MAX_RATIO = 2;
const RUNS = 3;

type Measured = { cpuSeconds: number; invoices: number };

const [, , measured] = process.argv;
if (measured) console.log(JSON.stringify(planOnce(readFileSync(measured))));
else await measureAll();

async function measureAll(): Promise<void> {
  // Only the process that creates the files needs a writer; the measured ones must not load it.
  const { benchWorkbook } = await import("./support/workbooks.ts");
  const folder = mkdtempSync(join(tmpdir(), "long-invoice-"));
  let missed = 0;
  try {
    for (const faults of [{}, { faultEvery: 1, manyFaults: true }]) {
      const [many, one] = [join(folder, "many.xlsx"), join(folder, "one.xlsx")];
      const rows = { prefix: "L", rows: ROWS, ...faults };
      writeFileSync(many, await benchWorkbook({ ...rows, linesPerInvoice: 1 }));
      writeFileSync(one, await benchWorkbook({ ...rows, linesPerInvoice: ROWS }));
      const [flat, long] = [best(many), best(one)];
      const ratio = long.cpuSeconds / flat.cpuSeconds;
      const isGood = ratio <= MAX_RATIO && flat.invoices === ROWS && long.invoices === 1;
      if (!isGood) missed += 1;
      console.log(
        `${"faultEvery" in faults ? "five errors in every row" : "clean"}: one invoice of ${ROWS} lines ${long.cpuSeconds.toFixed(2)} s CPU, ` +
          `${ROWS} invoices ${flat.cpuSeconds.toFixed(2)} s, ratio ${ratio.toFixed(2)} (≤ ${MAX_RATIO}: ${isGood ? "yes" : "MISSED"})`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = missed === 0 ? 0 : 1;
}

/** Returns the fastest of several processes: other work on the machine only adds time. */
function best(path: string): Measured {
  const runs = Array.from(
    { length: RUNS },
    () =>
      JSON.parse(
        execFileSync(process.execPath, [import.meta.filename, path], { encoding: "utf8" }),
      ) as Measured,
  );
  return runs.toSorted((one, other) => one.cpuSeconds - other.cpuSeconds)[0] as Measured;
}

function planOnce(bytes: Uint8Array): Measured {
  const before = process.cpuUsage();
  const plan = run(bytes, largeLists());
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, invoices: plan.heads.length };
}
