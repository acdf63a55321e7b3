import { DOCUMENT_OF_HEADER } from "#contract/files.ts";
import { expect, test } from "vitest";
import { createLabels, listLabelUploads, printLabels } from "#features/labels/contract.ts";
import { labelSheet } from "#features/labels/sheet.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import {
  makeLabelSettings,
  labelWorkbook,
  setUpLabels,
  type LabelCells,
} from "../../../../test/support/labels.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { expectProblem } from "../../../../test/security/walk-endpoints.ts";

const start = async () => (await startApp({ worker: "labels" })).owner(ACME);

const send = async (browser: Browser, rows: readonly LabelCells[]) =>
  browser.call(createLabels, { file: { name: "week12.xlsx", bytes: await labelWorkbook(rows) } });

const readProblems = async (browser: Browser, rows: readonly LabelCells[]): Promise<string[]> => {
  const reply = await send(browser, rows);
  expect([reply.status, expectProblem(reply.headers, reply.text).code]).toEqual([400, "row_problems"]);
  return expectProblem(reply.headers, reply.text).detail.split("\n");
};

const W = "W".repeat(35);
const FULL = {
  Description: "Claw Hammer 16 oz with fiberglass handle",
  "UPC / GTIN": "061414100038",
  "PRO / Tracking": "1".repeat(30),
};
const ABROAD = { "Ship To Country": "CA", "Ship To State": "ON", "Ship To Postal Code": "K1A 0B1" };

test("a text that does not fit its zone is refused with its cell, its width, how much fits and what to do, and nothing is made", async () => {
  const owner = await start();
  await setUpLabels(owner);
  const wide = {
    "Ship To Name": W,
    "Ship To Address 1": W,
    "Ship To City": "W".repeat(30),
    ...FULL,
  };
  expect(await readProblems(owner, [{}, wide])).toEqual([
    "Ship To Name in row 3: This is too long for the label: about 15 characters fit.",
  ]);
  expect((await owner.call(listLabelUploads)).json()).toEqual({ uploads: [] });
  expect(
    (await send(owner, [{ "Ship To Name": W }, { "PRO / Tracking": "1Z999AA10123456784" }])).status,
  ).toBe(200);
});

test("a UPC of 11 digits names the lost zero", async () => {
  const owner = await start();
  await setUpLabels(owner);
  const [lost, other] = await readProblems(owner, [
    { "UPC / GTIN": "61414100038" },
    { "UPC / GTIN": "61414100039" },
  ]);
  expect(lost).toContain("Did you mean 061414100038?");
  expect(other).toContain("8, 12, 13, or 14 digits");
});

test.each(["(01) 0 0614141 00003 8", "0-0614141-00003-8", "'00614141000038"])(
  "the GTIN %s is read without what is written around its digits",
  (written) => {
    expect(labelSheet.fields.gtin.rewrite?.(written)).toBe("00614141000038");
  },
);

test("a ship-from address that does not fit labels is refused with where to shorten it", async () => {
  const owner = await start();
  const [oak] = makeLabelSettings().ship_froms;
  if (!oak) expect.unreachable();
  await setUpLabels(owner, {
    ship_froms: [{ ...oak, name: W, address1: W, address2: W, city: "W".repeat(30) }],
  });
  expect(await readProblems(owner, [{ "Ship From Code": "OAK", ...FULL }])).toEqual([
    `Ship From Code in row 2: The ship-from address "${"W".repeat(30)}, CA 94607" is too long for the label: about 16 characters fit.`,
  ]);
});

test("labels too tall for a quarter of a Letter sheet are refused before they are made, and before they are printed on one", async () => {
  const owner = await start();
  const high = { ...ABROAD, "UPC / GTIN": "061414100038", BOL: "1100583" };
  await setUpLabels(owner, { paper: "letter-4" });
  expect(await readProblems(owner, [{}, high])).toEqual([
    "Description in row 3: The label is too small for all lines of zone E. Choose another paper.",
  ]);
  await setUpLabels(owner, { paper: "roll" });
  const made = await send(owner, [{}, high]);
  const params = { upload_id: made.headers.get(DOCUMENT_OF_HEADER) ?? "" };
  const print = async (json: object) => owner.call(printLabels, { params, json });
  const refused = await print({ paper: "letter-4" });
  expect([refused.status, expectProblem(refused.headers, refused.text)]).toEqual([
    400,
    expect.objectContaining({
      code: "label_too_high",
      detail:
        "Label 2 has no room on a quarter of a Letter sheet: its zone E needs 9.8 mm more. Choose another paper.",
    }),
  ]);
  expect((await print({ paper: "letter-4", labels: "1" })).status).toBe(200);
  expect((await print({ paper: "letter-2" })).status).toBe(200);
});

test("a barcode that a profile requires is checked: a GLN of 13 digits, a PO that fits, a lot with its item", async () => {
  const owner = await start();
  await setUpLabels(owner, { profile: "barnes-noble" });
  expect(await readProblems(owner, [{ "Mark For / Store": "0412", "PO Number": "88412" }])).toEqual([
    "Mark For / Store in row 2: The barcode (410) needs 13 digits, the last of them the check digit.",
  ]);
  await setUpLabels(owner, { profile: "amazon" });
  expect(await readProblems(owner, [{ "PO Number": "A".repeat(30) }])).toEqual([
    "PO Number in row 2: The barcode would be 192.5 mm wide; the label has room for 101.6 mm.",
  ]);
  await setUpLabels(owner, { profile: "grocery" });
  const lines = await readProblems(owner, [
    { "Lot / Batch": "L24 118", "UPC / GTIN": "061414100038" },
    { "Lot / Batch": "L24-118", "UPC / GTIN": undefined },
  ]);
  expect(lines).toEqual([
    "Lot / Batch in row 2: The barcode can't hold a space.",
    "UPC / GTIN is missing in row 3.",
  ]);
});

test("columns that a retailer requires, and its store numbers, are checked with their cells", async () => {
  const owner = await start();
  await setUpLabels(owner, { profile: "home-depot" });
  const problems = await readProblems(owner, [
    {},
    { "Mark For / Store": "" },
    { "Mark For / Store": "A12" },
    { "SKU / Item": "" },
    { "Mark For / Store": "00412" },
  ]);
  const headers = ["Mark For / Store", "Mark For / Store", "SKU / Item", "Mark For / Store"];
  expect(problems).toEqual(headers.map((header) => expect.stringContaining(header)));
  expect([problems[1], problems[3]]).toEqual(
    Array(2).fill(expect.stringContaining("a number of at most 4 digits")),
  );
  expect((await send(owner, [{ "Mark For / Store": "12" }])).status).toBe(200);
});
