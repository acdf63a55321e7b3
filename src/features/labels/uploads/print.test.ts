import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import { expect, test } from "vitest";
import { CODE128_PATTERNS } from "#formats/gs1/bar-code.ts";
import {
  changeLabelSettings,
  createLabels,
  drawLabel,
  printLabels,
  printTestPage,
  readLabelUpload,
  type ChosenLabels,
  type LabelDrawing,
} from "#features/labels/contract.ts";
import type { Browser, Reply } from "../../../../test/support/browser.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { labelWorkbook, makeLabelSettings, setUpLabels } from "../../../../test/support/labels.ts";
import { startApp } from "../../../../test/support/start-app.ts";

const ROWS = [
  { "PO Number": "10", "Mark For / Store": "0900" },
  { "PO Number": "9", "Mark For / Store": "0412", Cartons: 2 },
  { "PO Number": "10", "Mark For / Store": "0412" },
];

async function makeLabels(browser: Browser) {
  const file = { name: "week12.xlsx", bytes: await labelWorkbook(ROWS) };
  const made = await browser.call(createLabels, { query: {}, file });
  const params = { upload_id: made.headers.get(DOCUMENT_OF_HEADER) ?? "" };
  const inZpl = async (json: ChosenLabels) =>
    readZpl((await browser.call(printLabels, { params, json: { ...json, format: "zpl" } })).text);
  const inPdf = async (json: ChosenLabels) =>
    describePages(await browser.call(printLabels, { params, json }));
  const drawn = async (query: Record<string, string>) =>
    (await browser.call(drawLabel, { params: { ...params, seq: "1" }, query })).json() as LabelDrawing;
  return { made, inZpl, inPdf, drawn };
}

/** Purchase order and store of each label, and the first lines of each separator. */
const readZpl = (zpl: string): string[] =>
  [...zpl.matchAll(/\^XA[^]*?\^XZ/g)].map(([label]) => {
    const texts = [...label.matchAll(/\^FD([^^]*)\^FS/g)].map(([, text]) => text ?? "");
    const at = texts.indexOf("PO");
    if (at < 0) return texts.slice(0, 3).join(" ");
    const store = texts.find((text) => text.startsWith("(91) "))?.slice(5);
    return `${texts[at + 1]} at ${store}`;
  });

const describePages = ({ text }: Reply) => ({
  pages: text.match(/\/Type\/Page\//g)?.length,
  box: /\/MediaBox(\[[^\]]*\])/.exec(text)?.[1],
});

test("labels are printed in the order of the file, by purchase order or by store, with separator pages on request", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const { inZpl, inPdf } = await makeLabels(owner);
  expect(await inZpl({})).toEqual(["10 at 0900", "9 at 0412", "9 at 0412", "10 at 0412"]);
  expect(await inZpl({ order: "po" })).toEqual(["9 at 0412", "9 at 0412", "10 at 0900", "10 at 0412"]);
  expect(await inZpl({ order: "store", separators: true })).toEqual([
    "STORE 0412 3 labels",
    "9 at 0412",
    "9 at 0412",
    "10 at 0412",
    "STORE 0900 1 label",
    "10 at 0900",
  ]);
  expect(await inZpl({ separators: true, labels: "1, 3-4" })).toEqual([
    "PURCHASE ORDER 10 1 label",
    "10 at 0900",
    "PURCHASE ORDER 9 1 label",
    "9 at 0412",
    "PURCHASE ORDER 10 1 label",
    "10 at 0412",
  ]);
  expect(await inPdf({ order: "po", separators: true })).toEqual({ pages: 6, box: "[0 0 288 432]" });
});

test("labels are printed on Letter sheets of two or four, and each order begins a new sheet after its separator", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner, { paper: "letter-4" });
  const { made, inPdf, drawn } = await makeLabels(owner);
  const letter = "[0 0 612 792]";
  expect(describePages(made)).toEqual({ pages: 1, box: letter });
  // A label that is named twice is printed once.
  expect(await inPdf({ labels: "1-4, 1, 2-3" })).toEqual({ pages: 1, box: letter });
  expect(await inPdf({ order: "po", separators: true })).toEqual({ pages: 2, box: letter });
  expect(await inPdf({ paper: "letter-2" })).toEqual({ pages: 2, box: "[0 0 792 612]" });
  expect(await inPdf({ paper: "roll" })).toEqual({ pages: 4, box: "[0 0 288 432]" });
  expect([(await drawn({})).height, (await drawn({ paper: "roll" })).height]).toEqual([378, 432]);
});

test("a test page is printed before any setting is entered, on the company's paper, and for Zebra printers", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  const early = await owner.call(printTestPage);
  expect([early.status, early.headers.get("content-type"), describePages(early)]).toEqual([
    200,
    "application/pdf",
    { pages: 1, box: "[0 0 288 432]" },
  ]);
  await setUpLabels(owner, { resolution: "300", paper: "letter-2" });
  expect(describePages(await owner.call(printTestPage)).box).toBe("[0 0 792 612]");
  const { text } = await owner.call(printTestPage, { query: { format: "zpl" } });
  expect(text.match(/\^FD[^^]*in: it has[^^]*/g)).toEqual([
    "^FD3.0 in: it has 300 dpi, as set",
    "^FD4.4 in: it has 203 dpi",
    "^FD1.5 in: it has 600 dpi",
  ]);
  expect(text).toContain("^FDRead: Łódź, Αθήνα, Київ. If not, print PDFs.^FS");
  expect(early.text).not.toContain("Read:");
});

test("names beyond Latin-1 are printed in their own script; a script that the font lacks is refused, and nothing is made", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const send = async (name: string) => {
    const file = { name: "week12.xlsx", bytes: await labelWorkbook([{ "Ship To Name": name }]) };
    return owner.call(createLabels, { query: {}, file });
  };
  const plain = await send("Hearth Supply DC 12");
  const polish = await send("Śruba i Młotek, Łódź");
  expect([plain, polish].map(({ status, text }) => [status, text.match(/\/FontFile2/g)?.length])).toEqual([
    [200, undefined],
    [200, 1],
  ]);
  const remarks = async ({ headers }: Reply) => {
    const params = { upload_id: headers.get(DOCUMENT_OF_HEADER) ?? "" };
    return (await owner.call(readLabelUpload, { params })).text;
  };
  const remark = "ZPL uses the Zebra printer's own font, which may not have them";
  expect(await remarks(polish)).toContain(remark);
  expect(await remarks(plain)).not.toContain(remark);
  const chinese = await send("北京 Tools");
  expect([chinese.status, (chinese.json() as { detail: string }).detail]).toEqual([
    400,
    "Ship To Name in row 2: The label font can't print the character 北 (U+5317).",
  ]);
  const shipFroms = makeLabelSettings().ship_froms.map((each) => ({ ...each, city: "서울" }));
  const settings = await setUpLabels(owner, { ship_froms: shipFroms });
  expect([settings.status, (settings.json() as { detail: string }).detail]).toEqual([
    400,
    'Ship-from address "OAK" has the character 서 (U+C11C), which the label font can\'t print. Write it in Latin, Greek, or Cyrillic letters.',
  ]);
});

test("a file is refused if a barcode does not decode to its data, and is not counted as a print", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  const { made, inPdf } = await makeLabels(owner);
  const params = { upload_id: made.headers.get(DOCUMENT_OF_HEADER) ?? "" };
  // The third and fourth digit of every SSCC here are 61: its bars become those of 62.
  const patterns = CODE128_PATTERNS as string[];
  const [right, wrong] = [patterns[61] ?? "", patterns[62] ?? ""];
  patterns[61] = wrong;
  try {
    const broken = await owner.call(printLabels, { params, json: {} });
    expect([broken.status, (broken.json() as { code: string }).code]).toEqual([500, "barcode_unreadable"]);
  } finally {
    patterns[61] = right;
  }
  const { labels } = (await owner.call(readLabelUpload, { params })).json() as {
    labels: { prints: number };
  };
  expect(labels.prints).toBe(1);
  expect(await inPdf({})).toMatchObject({ pages: 4 });
});

test("another company's document is made before the many that one company prints at once", async () => {
  const app = await startApp({ worker: "labels" });
  const owner = await app.owner(ACME);
  await setUpLabels(owner);
  // Too many cartons for a document that is made without a thread.
  const upload = async (headers: Record<string, string>, cartons = 120) => {
    const file = { name: "week12.xlsx", bytes: await labelWorkbook([{ Cartons: cartons }]) };
    const reply = await owner.call(createLabels, { headers, file });
    return reply.headers.get(DOCUMENT_OF_HEADER) ?? "";
  };
  const many = [await upload({ "x-realm-id": ACME }), await upload({ "x-realm-id": ACME }, 121)];
  await owner.connect("owner@acme.example", BAY);
  await owner.call(changeLabelSettings, { headers: { "x-realm-id": BAY }, json: makeLabelSettings() });
  const second = await upload({ "x-realm-id": BAY });
  const ended: string[] = [];
  const print = async (company: string, document: string, json: object) => {
    const headers = { "x-realm-id": company };
    const reply = await owner.call(printLabels, { headers, params: { upload_id: document }, json });
    ended.push(company);
    return reply;
  };
  // A kept document is not made again, so each of these is another one. There are many because a busy machine may learn of
  // the other company's only after it has made some.
  const forms = (["file", "po", "store"] as const).flatMap((order) =>
    [true, false].flatMap((separators) =>
      (["roll", "letter-2", "letter-4"] as const).map((paper) => ({ paper, order, separators })),
    ),
  );
  const replies = await Promise.all([
    ...many.flatMap((document) => forms.map((json) => print(ACME, document, json))),
    print(BAY, second, { paper: "letter-2" }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual(Array(37).fill(200));
  expect(ended.at(-1)).toBe(ACME);
});
