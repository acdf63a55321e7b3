import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import * as xlsx from "@e965/xlsx";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { createLabels, UPLOAD_HEADER } from "#features/labels/contract.ts";
import { printLabels } from "#features/labels/print/contract.ts";
import {
  exportCartons,
  exportSsccs,
  exportSsccWorkbook,
  printVerification,
  verifyLabels,
  type Verification,
} from "#features/labels/trail/contract.ts";
import { collect } from "#formats/label/fixtures/rasters.ts";
import { exportCartons as writeCartons } from "#features/labels/trail/export-cartons.ts";
import { readPages } from "#features/labels/trail/read-sample.ts";
import { LABEL_SIZE, RESOLUTIONS } from "#formats/label/drawing.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels, type LabelCells } from "../../../../test/support/labels.ts";
import { startApp } from "../../../../test/support/start-app.ts";

async function start(resolution: "203" | "300" | "600" = "203") {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner, { resolution });
  return { app, owner };
}

/** @returns the parameters of calls on the upload, and the document it answered with */
async function make(owner: Browser, rows: readonly LabelCells[]) {
  const file = { name: "week12.xlsx", bytes: await labelWorkbook(rows) };
  const made = await owner.call(createLabels, { file });
  return { params: { upload_id: made.headers.get(UPLOAD_HEADER) ?? "" } };
}

const CANADA = { "Ship To Country": "CA", "Ship To State": "ON", "Ship To Postal Code": "k1a0b1" };

const verify = async (owner: Browser, params: { upload_id: string }) =>
  (await owner.call(verifyLabels, { params })).json() as Verification;

test("a batch is proven from its code words, its measures, and a sample read back from the bars of its document", async () => {
  const { app, owner } = await start();
  const { params } = await make(owner, [{}, CANADA, { Cartons: 40 }]);
  const proof = await verify(owner, params);
  expect(proof).toMatchObject({
    label_count: 42,
    symbol_count: 126,
    faults: [],
    module_dots: 4,
    sample: { labels: 10, symbols: 30, max_error: 0 },
  });
  expect(proof.sample.lines).toBeGreaterThan(10 * (12 + 12 + 31));
  expect(proof.module_mm).toBeCloseTo(0.5);
  expect(proof.symbols.map((each) => [each.identifier, each.count, each.example, each.max_width_mm])).toEqual(
    [
      ["420", 41, "42089506", 45],
      ["91", 42, "910412", 39.5],
      ["00", 42, "00006141410000000005", 78],
      ["421", 1, "421124K1A0B1", 78],
    ],
  );
  for (const { min_quiet_zone_mm: quiet, min_height_mm: height } of proof.symbols)
    expect([quiet >= 5, height >= 12.7]).toEqual([true, true]);
  expect(proof.symbols[2]?.min_height_mm).toBeGreaterThanOrEqual(31.75);

  // As if something had been changed behind the product's back.
  await sql`update label set content = jsonb_set(content, '{markFor}', '"04 12"') where seq = 2`.execute(
    app.db,
  );
  expect((await verify(owner, params)).faults).toEqual([
    { label: 2, fault: "9104 12 isn't what is printed below the bars." },
    { label: 2, fault: "The light space beside the bars is 4.5 mm, less than 10 modules." },
  ]);
});

test.each(["203", "300", "600"] as const)(
  "the verification is a page to print at %s dpi, whose bar code another decoder reads",
  async (resolution) => {
    const { owner } = await start(resolution);
    const { params } = await make(owner, [{}, CANADA]);
    const reply = await owner.call(printVerification, { params });
    expect([reply.status, reply.headers.get("content-disposition")]).toEqual([
      200,
      "attachment; filename=\"labels.pdf\"; filename*=UTF-8''week12%20-%20verification.pdf",
    ]);
    const bytes = await owner.download(printVerification, { params });
    const library = await PDFiumLibrary.init();
    const document = await library.loadDocument(Buffer.from(bytes));
    expect(document.getPageCount()).toBe(1);
    const page = document.getPage(0);
    const text = page.getText().replaceAll(/\s+/g, " ");
    for (const sentence of [
      "week12.xlsx: 2 labels of 4 × 6 in",
      "No fault was found in 6 barcodes.",
      "(420) SHIP TO POST",
      "Sample: 6 barcodes of 2 labels read back from the bars of the PDF",
      "was off its width: 0.00 modules.",
      "What was not checked: paper, ink and printer.",
    ])
      expect(text).toContain(sentence);
    const { data, width, height } = await page.render({
      scale: 3,
      render: ({ data: pixels }) => Promise.resolve(pixels),
    });
    const wasm = await readFile(
      createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm"),
    );
    await prepareZXingModule({
      overrides: { wasmBinary: wasm.buffer as ArrayBuffer },
      fireImmediately: true,
    });
    const image = { data: new Uint8ClampedArray(data), width, height, colorSpace: "srgb" };
    const read = await readBarcodes(image as ImageData, { formats: ["Code128"], textMode: "Plain" });
    expect(read.map(({ text: found, symbologyIdentifier }) => symbologyIdentifier + found)).toEqual([
      "]C100006141410000000005",
    ]);
    document.destroy();
    library.destroy();
  },
);

test("the list of SSCCs has each with what it is on and how often it was printed, as CSV and as a workbook, safe to open", async () => {
  const { owner } = await start();
  const { params } = await make(owner, [{ "PO Number": "=1+1" }, CANADA]);
  await owner.call(printLabels, { params, json: { labels: "2" } });
  const list = await owner.call(exportSsccs);
  const lines = list.text.replace("\ufeff", "").trim().split("\r\n");
  expect([list.headers.get("content-type"), lines.length]).toEqual(["text/csv; charset=utf-8", 3]);
  expect(lines.slice(1).map((line) => line.replace(/[^,]+Z/, "time"))).toEqual([
    "006141410000000005,'=1+1,0412,1,1,week12.xlsx,2,,owner@acme.example,time,1",
    "006141410000000012,8841203,0412,1,1,week12.xlsx,3,,owner@acme.example,time,2",
  ]);
  const workbook = xlsx.read(await owner.download(exportSsccWorkbook), { cellFormula: true });
  const sheet = workbook.Sheets["SSCCs"] ?? expect.unreachable();
  const rows = xlsx.utils.sheet_to_json<unknown[]>(sheet, { header: 1, defval: "" });
  expect(rows.map((row) => row.map(String).join(","))).toEqual(
    lines.map((line) => line.replace("'=1+1", "=1+1")),
  );
  const cell = (name: string) => sheet[name] as xlsx.CellObject;
  expect([cell("A2").t, cell("B2").t, cell("B2").v, cell("B2").f]).toEqual(["s", "s", "=1+1", undefined]);
});

const ROWS: LabelCells[] = [
  { Cartons: 3, "Ship Date": "2026-11-20" },
  { "PO Number": "A*2~x", "Mark For / Store": undefined, Description: "Café > bar" },
  { Carrier: "FDEG", "SKU / Item": "7" },
  { Cartons: 2, "Ship Date": "2026-11-20" },
];

test("carton data for an advance ship notice has exactly the SSCCs that are printed, as CSV, JSON and X12 856", async () => {
  const { owner } = await start();
  const { params } = await make(owner, ROWS);
  const pdf = Buffer.from(await owner.download(printLabels, { params, json: {} }));
  const printed = readPages(pdf, LABEL_SIZE, RESOLUTIONS["203"])
    .flatMap(({ found }) => found.filter((data) => data.startsWith("00")))
    .toSorted();
  expect(new Set(printed).size).toBe(7);
  const get = async (format: string) => owner.call(exportCartons, { params: { ...params, format } });
  const csv = (await get("csv")).text.trim().split("\r\n").slice(1);
  expect(csv.map((line) => `00${line.split(",")[0]}`).toSorted()).toEqual(printed);
  const json = JSON.parse((await get("json")).text) as {
    sscc: string;
    carton_number: number;
    po_number: string;
  }[];
  expect(json.map(({ sscc }) => `00${sscc}`).toSorted()).toEqual(printed);
  expect(json[5]).toMatchObject({
    po_number: "8841203",
    carton_number: 5,
    ship_to_name: "Hearth Supply DC 12",
  });
  const edi = await get("edi");
  const segments = segmentsOf(edi.text);
  const numbers = segments.flatMap(([name, kind, number]) =>
    name === "MAN" && kind === "GM" ? [number ?? ""] : [],
  );
  expect(numbers.toSorted()).toEqual(printed);
  expect(edi.headers.get("content-disposition")).toContain("week12%20-%20856%20draft.edi");
});

const segmentsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split("~\n")
    .map((segment) => segment.replace(/~$/, "").split("*"));

test("an advance ship notice of orders whose cartons alternate reads many of them at once", async () => {
  const { app, owner } = await start();
  const rows = Array.from({ length: 60 }, (_, at) => ({ "PO Number": `A-${at % 2}` }));
  const { params } = await make(owner, rows);
  let asked = 0;
  const db = app.db.withPlugin({
    transformQuery: ({ node }) => {
      asked += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const id = { realmId: ACME, id: params.upload_id };
  const { content } = await writeCartons({ db }, id, "edi");
  const written = (await collect(content)).join("");
  expect(written).toBe((await owner.call(exportCartons, { params: { ...params, format: "edi" } })).text);
  expect(written.match(/^MAN\*GM\*/gm)).toHaveLength(60);
  // The upload, all of its cartons, and those of each order.
  expect(asked).toBe(4);
});

test("the 856 is a transaction set for each shipment, counts its segments, nests orders, cartons and items, and has no divider in a value", async () => {
  const { owner } = await start();
  const { params } = await make(owner, ROWS);
  const { text } = await owner.call(exportCartons, { params: { ...params, format: "edi" } });
  expect(text.slice(0, 106)).toMatch(
    /^ISA\*00\* {10}\*00\* {10}\*ZZ\*SENDER {9}\*ZZ\*RECEIVER {7}\*\d{6}\*\d{4}\*U\*00401\*000000001\*0\*T\*>~$/,
  );
  const sets = segmentsOf(text)
    .join("\n")
    .split(/\n(?=ST,)/)
    .slice(1)
    .map((set) => set.split("\n").map((line) => line.split(",")));
  expect(sets).toHaveLength(3);
  for (const set of sets) {
    const end = set.findIndex(([name]) => name === "SE");
    expect(set[end]?.[1]).toBe(String(end + 1));
    const levels = set.filter(([name]) => name === "HL");
    expect(levels.map(([, level]) => Number(level))).toEqual(levels.map((_, at) => at + 1));
    expect(set.find(([name]) => name === "CTT")?.[1]).toBe(String(levels.length));
    const kindOf = new Map(levels.map(([, level, , kind]) => [level, kind]));
    const parents = { S: undefined, O: "S", P: "O", I: "P" } as const;
    for (const [, , parent = "", kind = ""] of levels)
      expect(kindOf.get(parent)).toBe(parents[kind as keyof typeof parents]);
  }
  // The two rows of one purchase order, store and shipment are one order, though another row is between them.
  const [first, second, third] = sets;
  expect(first?.filter(([name]) => name === "PRF")).toEqual([["PRF", "8841203"]]);
  expect(first?.find(([name]) => name === "DTM")).toEqual(["DTM", "011", "20261120"]);
  expect(first?.filter(([name]) => name === "TD1").map((segment) => segment[2])).toEqual(["5", "5"]);
  expect(second?.find(([name]) => name === "PRF")).toEqual(["PRF", "A 2 x"]);
  expect(second?.find(([name]) => name === "PID")?.at(-1)).toBe("Cafe   bar");
  expect(third?.find(([name]) => name === "TD5")).toEqual(["TD5", "", "2", "FDEG", "M"]);
});

/** Segments that a level may have, in the standard's order (X12 856, version 4010). */
const IN_LEVEL = "HL LIN SN1 PRF PID TD1 TD5 TD3 REF MAN DTM N1 N3 N4".split(" ");
/** Those that each level must have here. */
const OF_KIND = { S: ["TD1", "TD5", "N1"], O: ["PRF", "TD1"], P: ["MAN"], I: ["SN1"] } as const;
const ISA_LENGTHS = [3, 2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1];

test("the 856's envelopes count and name each other, and its levels have their segments in the standard's order", async () => {
  const { owner } = await start();
  const { params } = await make(owner, [
    ...ROWS,
    { ...CANADA, "PO Number": "T-1", Cartons: 2, Trailer: "T-4471" },
  ]);
  const { text } = await owner.call(exportCartons, { params: { ...params, format: "edi" } });
  const all = segmentsOf(text);
  const [isa = [], gs = []] = all;
  const [ge = [], iea = []] = all.slice(-2);
  expect(isa.map((element) => element.length)).toEqual(ISA_LENGTHS);
  expect([gs[0], gs[1], gs.length, gs[7], gs[8]]).toEqual(["GS", "SH", 9, "X", "004010"]);
  const [begun, ended] = ["ST", "SE"].map((name) => all.filter((segment) => segment[0] === name));
  expect(ge).toEqual(["GE", String(begun?.length), gs[6]]);
  expect(iea).toEqual(["IEA", "1", isa[13]]);
  expect(begun?.map(([, kind]) => kind)).toEqual(begun?.map(() => "856"));
  expect(begun?.map((segment) => segment[2])).toEqual(ended?.map((segment) => segment[2]));
  expect(new Set(begun?.map((segment) => segment[2])).size).toBe(begun?.length);
  for (const bsn of all.filter(([name]) => name === "BSN"))
    expect(bsn.join("*")).toMatch(/^BSN\*00\*[\w-]{2,30}\*\d{8}\*\d{4}\*0001$/);
  const levels: string[][][] = [];
  for (const segment of all.slice(2, -2)) {
    if (segment[0] === "HL") levels.push([]);
    if (!/^(?:ST|BSN|CTT|SE)$/.test(segment[0] ?? "")) levels.at(-1)?.push(segment);
  }
  for (const segments of levels) {
    const kind = segments[0]?.[3] as keyof typeof OF_KIND;
    const names = segments.map(([name = ""]) => name);
    expect(names).toEqual(expect.arrayContaining([...OF_KIND[kind]]));
    // Addresses follow each party; all others come in one order.
    const places = names.map((name) =>
      /^N[134]$/.test(name) ? IN_LEVEL.indexOf("N1") : IN_LEVEL.indexOf(name),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  }
  const packs = levels.filter(([hl]) => hl?.[3] === "P");
  for (const segments of packs)
    expect(segments.slice(1)).toEqual([["MAN", "GM", expect.stringMatching(/^00\d{18}$/)]]);
  expect(packs).toHaveLength(9);
  expect(all.filter(([name]) => name === "TD3")).toEqual([["TD3", "TL", "", "T-4471"]]);
});
