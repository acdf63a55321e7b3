import { createHash } from "node:crypto";
import type * as Hucre from "hucre/xlsx";
import { existsSync, readFileSync } from "node:fs";

/** CPU time of one read with cold code, peak memory of the process, and a hash of the values or the refusal's code. */
export type Measured = { cpuMs: number; rssMb: number; values: string; refused: string };

type Rows = readonly (readonly unknown[])[];
type Reader = (bytes: Uint8Array) => Rows | Promise<Rows>;

if (import.meta.main)
  console.log(JSON.stringify(await measureOnce(process.argv[2] ?? "", process.argv[3] ?? "")));

async function measureOnce(name: string, file: string): Promise<Measured> {
  const read = await loadReader(name);
  const bytes = file === "" ? new Uint8Array() : readFileSync(file);
  const before = process.cpuUsage();
  let rows: Rows = [];
  let refused = "";
  try {
    rows = await read(bytes);
  } catch (error) {
    refused = (error as { code?: string }).code ?? String(error);
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, rssMb: peakMb(), values: hash(rows), refused };
}

/** Linux includes the parent's peak in a child's resource usage; the child's own status file does not. */
function peakMb(): number {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return (peak === undefined ? process.resourceUsage().maxRSS : Number(peak)) / 1024;
}

async function loadReader(name: string): Promise<Reader> {
  if (name === "hucre") {
    const { readXlsx } = (await import(process.argv[4] ?? "")) as typeof Hucre;
    return async (bytes) => (await readXlsx(bytes)).sheets[0]?.rows ?? [];
  }
  const { readWorkbook } = await import("../../src/formats/xlsx/read-workbook.ts");
  if (name === "nothing") return () => [];
  return (bytes) => {
    const sheet = readWorkbook(bytes).sheets[0];
    if (sheet?.refused) throw sheet.refused;
    return sheet?.rows.map((row) => row.cells) ?? [];
  };
}

/** Hashes both readers' values in one format: numbers with 15 digits, dates as days. */
function hash(rows: Rows): string {
  const sum = createHash("sha256");
  for (const row of rows) for (const cell of row) sum.update(`${spell(cell)}\u0000`);
  return sum.digest("hex");
}

function spell(cell: unknown): string {
  if (typeof cell === "number") return String(Number(cell.toPrecision(15)));
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  if (typeof cell === "object" && cell !== null && "y" in cell) {
    const { y, m, d } = cell as { y: number; m: number; d: number };
    return new Date(Date.UTC(y, m - 1, d)).toISOString().slice(0, 10);
  }
  return String(cell);
}
