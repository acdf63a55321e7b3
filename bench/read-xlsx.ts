import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildXlsx, type CellSpec } from "../src/formats/xlsx/fixtures/build-xlsx.ts";
import { HOSTILE_FILES } from "../src/formats/xlsx/fixtures/hostile.ts";
import type { Measured } from "./support/read-xlsx-once.ts";

/**
 * Compares reading workbooks with the fastest library, and measures refusing hostile files. Exits 1 if a
 * target is missed.
 */
const TARGETS = { ratio: 3, readMb: 120, refuseMs: 50, refuseMb: 60 };
const RUNS = 7;
const folder = mkdtempSync(join(tmpdir(), "read-xlsx-"));
const once = withoutTypes();
let missed = 0;

try {
  const idle = measure("nothing", "");
  console.log(
    `One process per measurement, median of ${RUNS}. An idle process of the same imports: ${idle.rssMb} MB.\n`,
  );
  for (const strings of ["shared", "inline"] as const) compareReaders(strings);
  console.log("");
  HOSTILE_FILES.forEach(({ title, code, bytes }, index) =>
    refuse(title, code, save(`hostile-${index}.xlsx`, bytes())),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(missed === 0 ? "\nAll targets met." : `\n${missed} targets missed.`);
process.exitCode = missed === 0 ? 0 : 1;

/** 10,000 rows of 20 columns: ten texts, two dates, eight numbers. */
function compareReaders(strings: "shared" | "inline"): void {
  const file = save(
    `${strings}.xlsx`,
    buildXlsx({ strings, sheets: [{ name: "Invoices", rows: benchRows(10_000) }] }),
  );
  // Alternating, so that a busy machine slows both equally.
  const runs = Array.from({ length: RUNS }, () => [runOnce("own", file), runOnce("hucre", file)] as const);
  const own = middleRun(runs.map(([ours]) => ours));
  const library = middleRun(runs.map(([, other]) => other));
  const ratio = library.cpuMs / own.cpuMs;
  const same = own.values === library.values;
  console.log(`10,000 × 20, ${strings} strings`);
  console.log(
    `  own    ${own.cpuMs.toFixed(0).padStart(5)} ms CPU  ${own.rssMb} MB peak  ${verdict(own.rssMb <= TARGETS.readMb, `≤ ${TARGETS.readMb} MB`)}`,
  );
  console.log(`  hucre  ${library.cpuMs.toFixed(0).padStart(5)} ms CPU  ${library.rssMb} MB peak`);
  console.log(
    `  ${ratio.toFixed(1)} × ${verdict(ratio >= TARGETS.ratio, `≥ ${TARGETS.ratio} ×`)}, values ${verdict(same, "the same")}`,
  );
}

function refuse(title: string, code: string, file: string): void {
  const { cpuMs, rssMb, refused } = measure("own", file);
  const good = verdict(
    refused === code && cpuMs <= TARGETS.refuseMs && rssMb <= TARGETS.refuseMb,
    `${code}, ≤ ${TARGETS.refuseMs} ms, ≤ ${TARGETS.refuseMb} MB`,
  );
  console.log(
    `${title.padEnd(48)} ${cpuMs.toFixed(1).padStart(6)} ms CPU  ${String(rssMb).padStart(4)} MB  ${refused}  ${good}`,
  );
}

function benchRows(count: number): CellSpec[][] {
  return Array.from({ length: count }, (_, row) =>
    Array.from({ length: 20 }, (__, column): CellSpec => {
      if (column % 10 === 3) return { date: 45_000 + ((row + column) % 700) };
      if (column % 2 === 0)
        return column % 4 === 0 ? `Customer ${row % 700} & Söhne` : `Text ${row}-${column}`;
      return (row * 31 + column) / (column % 3 === 0 ? 1 : 100);
    }),
  );
}

/**
 * Stripping types takes a process 40 MB unrelated to the reader, so the measured processes run plain
 * JavaScript. @returns the path of the measuring script
 */
function withoutTypes(): string {
  const formats = new URL("../src/formats/", import.meta.url);
  const reader = readdirSync(new URL("xlsx/", formats)).filter((name) => /(?<!\.test)\.ts$/.test(name));
  mkdirSync(join(folder, "src/formats/xlsx"), { recursive: true });
  mkdirSync(join(folder, "bench/support"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const strip = (from: URL, to: string) =>
    save(
      to.replace(/ts$/, "js"),
      stripTypeScriptTypes(readFileSync(from, "utf8")).replaceAll('.ts"', '.js"'),
    );
  for (const name of ["facts.ts", "limits.ts", ...reader.map((file) => `xlsx/${file}`)])
    strip(new URL(name, formats), `src/formats/${name}`);
  return strip(new URL("./support/read-xlsx-once.ts", import.meta.url), "bench/support/read-xlsx-once.ts");
}

function save(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

function measure(reader: string, file: string): Measured {
  return middleRun(Array.from({ length: RUNS }, () => runOnce(reader, file)));
}

function runOnce(reader: string, file: string): Measured {
  const library = import.meta.resolve("hucre/xlsx");
  return JSON.parse(
    execFileSync(process.execPath, [once, reader, file, library], { encoding: "utf8" }),
  ) as Measured;
}

function middleRun(runs: readonly Measured[]): Measured {
  const middle = (of: (run: Measured) => number) =>
    runs.map(of).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] as number;
  return {
    ...(runs[0] as Measured),
    cpuMs: middle((run) => run.cpuMs),
    rssMb: Math.round(middle((run) => run.rssMb)),
  };
}

function verdict(good: boolean, target: string): string {
  if (!good) missed++;
  return good ? `(${target}: yes)` : `(${target}: MISSED)`;
}
