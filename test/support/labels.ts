import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";
import { changeLabelSettings, createLabels, type LabelSettingsChange } from "#features/labels/contract.ts";
import type { Browser } from "./browser.ts";
import type { TestApp } from "./start-app.ts";

const HEADERS = [
  ["PO Number", "8841203"],
  ["Ship To Name", "Hearth Supply DC 12"],
  ["Ship To Address 1", "500 Commerce Dr"],
  ["Ship To City", "Reno"],
  ["Ship To State", "NV"],
  ["Ship To Postal Code", "89506"],
  ["Mark For / Store", "0412"],
  ["Carrier", "UPS Ground"],
  ["PRO / Tracking", "20447182"],
  ["BOL", "1100583"],
  ["SKU / Item", "1004-118"],
  ["UPC / GTIN", undefined],
  ["Description", "Claw Hammer 16 oz"],
  ["Qty In Carton", 24],
  ["Carton Number", undefined],
  ["Carton Count", undefined],
  ["Cartons", undefined],
  ["SSCC", undefined],
  ["Ship To Country", undefined],
  ["Ship From Code", undefined],
  ["Ship Date", undefined],
  ["Trailer", undefined],
  ["PO Type", undefined],
  ["Lot / Batch", undefined],
  ["Best Before", undefined],
  ["Expiration Date", undefined],
  ["Item Serial Number", undefined],
  ["Retailer Data", undefined],
  ["Pallet", undefined],
  ["Vendor Number", undefined],
  ["Department", undefined],
  ["Weight (lb)", undefined],
] as const;

export type LabelCells = Partial<Record<(typeof HEADERS)[number][0], string | number | undefined>>;

/** Writes a workbook in the template's columns: good rows with the changes of a test. */
export const labelWorkbook = (rows: readonly LabelCells[]): Promise<Uint8Array> =>
  writeWorkbook([
    {
      name: "Labels",
      columns: HEADERS.map(([header]) => ({ header })),
      rows: rows.map((row) => HEADERS.map(([header, value]) => (header in row ? row[header] : value))),
    },
  ]);

/** GS1's own prefix for examples. */
export const PREFIX = "0614141";

/** Saves label settings as the admin. */
export const setUpLabels = (browser: Browser, change: Partial<LabelSettingsChange> = {}) =>
  browser.call(changeLabelSettings, { json: makeLabelSettings(change) });

export const makeLabelSettings = (change: Partial<LabelSettingsChange> = {}): LabelSettingsChange => ({
  prefix: PREFIX,
  other_prefixes: [],
  extension: 0,
  profile: "generic",
  resolution: "203",
  paper: "roll",
  order: "file",
  separators: false,
  ship_froms: [
    {
      code: "OAK",
      name: "Acme Tools",
      address1: "1200 Harbor Way",
      address2: "",
      city: "Oakland",
      state: "CA",
      postal_code: "94607",
    },
  ],
  ...change,
});

type SentSheet = { printId: string; rows: readonly LabelCells[]; until: () => Promise<unknown> };

/** Uploads a sheet as the page does, and hangs up when `until` resolves. */
export async function sendAndLeave(
  { url }: TestApp,
  browser: Browser,
  { printId, rows, until }: SentSheet,
): Promise<void> {
  const caller = new AbortController();
  const body = new FormData();
  body.set("body", JSON.stringify({ print_id: printId }));
  body.set("file", new Blob([new Uint8Array(await labelWorkbook(rows))]), "week12.xlsx");
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const headers = { cookie, origin: url };
  const lost = fetch(new URL(createLabels.path, url), {
    method: "POST",
    headers,
    body,
    signal: caller.signal,
  });
  const wasAnswered = lost.then(
    () => true,
    () => false,
  );
  await until();
  caller.abort();
  if (await wasAnswered) throw new Error("The sheet was answered before its sender hung up.");
}
