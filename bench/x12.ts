import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import NodeX12 from "node-x12";
import { X12parser } from "x12-parser";
import { sampleFile, sampleOrder } from "../src/formats/x12/fixtures/sample-orders.ts";
import { readPurchaseOrder } from "../src/formats/x12/purchase-order.ts";
import { readInterchanges } from "../src/formats/x12/read-interchanges.ts";
import { createInvoice } from "../src/formats/x12/fixtures/sample-invoice.ts";
import { writeInvoice } from "../src/formats/x12/invoice.ts";
import { DELIMITERS_4010, writeInterchange } from "../src/formats/x12/write-interchange.ts";
import { figure, info, report, type Figure } from "./support/figures.ts";

/**
 * Purchase orders of 17 segments: reading and checking a file of them, compared with two libraries, which check less, and reading a
 * file of 100 MB piece by piece. Processor time of this process, the best of some runs; memory of a process of its own.
 */
const ORDERS = 20_000;
/** The libraries are slow: a part is enough. */
const FEW = 2_000;
const RUNS = 7;
/** Invoices of an interchange: as many as a day's folder may hold. */
const IN_ONE = 100;
const TARGETS = { perSecond: 100_000, invoices: 50_000, megabytes: 60 };
const LARGE_BYTES = 100 * 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), "x12-"));
try {
  report("X12 purchase orders of 17 segments", [...(await measureSpeed()), ...measureMemory()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureSpeed(): Promise<Figure[]> {
  const bytes = createFile(ORDERS);
  const few = createFile(FEW).toString();
  const checked = await perSecond(ORDERS, () => countOrders(bytes, () => true));
  const typed = await perSecond(ORDERS, () =>
    countOrders(bytes, (set) => "document" in readPurchaseOrder(set)),
  );
  const strict = await perSecond(FEW, () => readWithNodeX12(few));
  const streamed = await perSecond(FEW, () => readWithX12Parser(few));
  return [
    figure("parsed and checked", checked, { least: TARGETS.perSecond, unit: "orders/s" }),
    info("  read into documents too", `${Math.round(typed)} orders/s`),
    info("  node-x12, strict", `${Math.round(strict)} orders/s`),
    info("  x12-parser, no checks", `${Math.round(streamed)} orders/s`),
    figure("times node-x12", checked / strict, { least: 5, unit: "x" }),
    figure("times x12-parser", checked / streamed, { least: 5, unit: "x" }),
    figure("documents, times node-x12", typed / strict, { least: 2, unit: "x" }),
    figure("invoices (810) of 24 segments written and checked", await perSecond(ORDERS, writeInvoices), {
      least: TARGETS.invoices,
      unit: "invoices/s",
    }),
  ];
}

function writeInvoices(): number {
  const invoice = createInvoice("");
  const envelope = {
    senderQualifier: "ZZ",
    sender: "SUPPLIER",
    receiverQualifier: "ZZ",
    receiver: "RETAILER",
    groupSender: "",
    groupReceiver: "",
    version: "004010",
    date: "2026-12-02",
    time: "1830",
    controlNumber: 1,
    isTest: false,
    wantsAcknowledgment: false,
    delimiters: DELIMITERS_4010,
    lineBreak: "\n",
  } as const;
  for (let first = 0; first < ORDERS; first += IN_ONE) {
    const sets = Array.from({ length: IN_ONE }, (_, at) => ({
      controlNumber: String(at + 1).padStart(5, "0"),
      body: writeInvoice({ ...invoice, number: String(100_000 + first + at) }),
    }));
    writeInterchange(envelope, [{ controlNumber: 1, sets }]);
  }
  return ORDERS;
}

type Sets = Extract<
  ReturnType<typeof readInterchanges> extends Generator<infer Part> ? Part : never,
  { kind: "set" }
>;

function countOrders(bytes: Uint8Array, isGood: (set: Sets["set"]) => boolean): number {
  let count = 0;
  for (const part of readInterchanges(bytes))
    if (part.kind === "set" && part.set.faults.length === 0 && isGood(part.set)) count += 1;
  return count;
}

function readWithNodeX12(text: string): number {
  const interchange = new NodeX12.X12Parser(true).parse(text) as NodeX12.X12Interchange;
  return interchange.functionalGroups.reduce((sum, { transactions }) => sum + transactions.length, 0);
}

async function readWithX12Parser(text: string): Promise<number> {
  let count = 0;
  for await (const segment of Readable.from([text]).pipe(new X12parser()))
    if ((segment as { name: string }).name === "SE") count += 1;
  return count;
}

/** Orders in a second of processor time, in the best of some runs: the others had the machine less to themselves. */
async function perSecond(count: number, work: () => number | Promise<number>): Promise<number> {
  let best = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    const read = await work();
    const { user, system } = process.cpuUsage(before);
    if (read !== count) throw new Error(`${read} orders of ${count} were read.`);
    best = Math.max(best, count / ((user + system) / 1e6));
  }
  return best;
}

function createFile(count: number): Buffer {
  return Buffer.from(
    sampleFile({ sets: Array.from({ length: count }, (_, at) => sampleOrder(at + 1)), lineBreak: "" }),
  );
}

/** Peak memory of a process that reads a large file, and of one that only loads the same modules. */
function measureMemory(): Figure[] {
  const sample = createFile(ORDERS);
  const file = join(folder, "large.x12");
  const interchanges = Math.ceil(LARGE_BYTES / sample.length);
  writeFileSync(file, Buffer.concat(Array.from({ length: interchanges }, () => sample)));
  const script = writeScript();
  const run = (...args: string[]) =>
    JSON.parse(execFileSync(process.execPath, [script, ...args], { encoding: "utf8" })) as {
      peakMb: number;
      orders: number;
    };
  const idle = run();
  const read = run(file);
  if (read.orders !== interchanges * ORDERS) throw new Error(`${read.orders} orders were read.`);
  return [
    figure(
      `memory for ${Math.round((interchanges * sample.length) / 1024 / 1024)} MB, above an idle process`,
      read.peakMb - idle.peakMb,
      {
        most: TARGETS.megabytes,
        unit: "MB",
      },
    ),
    info("  the whole process", `${Math.round(read.peakMb)} MB`),
  ];
}

/** Plain JavaScript: taking types out costs a process memory that reading has no part in. @returns its path */
function writeScript(): string {
  const source = new URL("../src/formats/x12/", import.meta.url);
  mkdirSync(join(folder, "x12"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const name of readdirSync(source).filter((each) => /(?<!\.test)\.ts$/.test(each))) {
    const text = stripTypeScriptTypes(readFileSync(new URL(name, source), "utf8")).replaceAll('.ts"', '.js"');
    writeFileSync(join(folder, "x12", name.replace(/ts$/, "js")), text);
  }
  const script = join(folder, "read.js");
  writeFileSync(
    script,
    `import { createReadStream, readFileSync } from "node:fs";
import { readInterchangeStream } from "./x12/read-interchanges.js";
let orders = 0;
if (process.argv[2])
  for await (const part of readInterchangeStream(createReadStream(process.argv[2])))
    if (part.kind === "set" && part.set.faults.length === 0) orders += 1;
const peak = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
console.log(JSON.stringify({ peakMb: Number(peak) / 1024, orders }));
`,
  );
  return script;
}
