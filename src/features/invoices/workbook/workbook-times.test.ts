import { expect, test } from "vitest";
import { postInvoices } from "#features/invoices/contract.ts";
import { chooseColumns, readColumns } from "#features/invoices/workbook/contract.ts";
import type { SeenColumns } from "#features/sheets/contract.ts";
import { findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { extractRows, inspectColumns, openFile } from "#features/sheets/reading.ts";
import { groupTable } from "#formats/table/records.ts";
import { buildXlsx, type CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { columnName } from "#formats/xlsx/cell-names.ts";
import { createRandom } from "../../../../test/corpus/random.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME, liftLimits } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";

const query = { realm_id: ACME };
/** Period of the limit of calls in a session. */
const MINUTE_MS = 60_000;
/** November 20, 2026, as Excel stores it. */
const DAY = 46_346;
const FORMATS = ["m/d/yyyy h:mm", "h:mm AM/PM", "m/d/yyyy"];

type Rows = readonly (readonly CellSpec[])[];

/** Lines of one customer and day, with a date and further columns by the hour. */
const makeRows = (
  headers: readonly string[],
  cells: (hour: number) => readonly CellSpec[],
  lines: readonly (readonly [hour: number, amount: number])[],
): Rows => [
  ["Customer", "Item", "Amount", ...headers],
  ...lines.map(([hour, amount]) => ["Cool Cars", "Claw Hammer", amount, ...cells(hour)]),
];

const file = (name: string, rows: Rows) => ({
  name: `${name}.xlsx`,
  bytes: buildXlsx({ sheets: [{ name: "Orders", rows }], formats: FORMATS }),
});

const csv = (name: string, rows: Rows) => ({
  name: `${name}.csv`,
  bytes: Buffer.from(rows.map((cells) => cells.join()).join("\n")),
});

const send = (browser: Browser, sent: ReturnType<typeof file>) =>
  browser.call(postInvoices, { query, file: sent });

const choose = (browser: Browser, header: string, field: string) =>
  browser.call(chooseColumns, { query, json: { columns: [{ header, field }] } });

/** Questions about columns in which rows differ that would become one invoice. */
const askedIn = async (browser: Browser, sent: ReturnType<typeof file>) =>
  ((await browser.call(readColumns, { query, file: sent })).json() as SeenColumns).columns.filter(
    ({ reason }) => reason?.includes("would become one invoice"),
  );

const style = (of: number, value: number): CellSpec => ({ style: of, value });
const clock = (hour: number) => `${hour}:15`;

/** Ways in which a file has the time of an order, each with the header that is asked about. */
const KINDS: Record<
  string,
  { headers: string[]; cells: (hour: number) => CellSpec[]; asked: string; make?: typeof file }
> = {
  "a text": {
    headers: ["Invoice Date", "Order time"],
    cells: (hour) => ["2026-11-20", clock(hour)],
    asked: "Order time",
    make: csv,
  },
  "a text under a header in German": {
    headers: ["Date", "Uhrzeit"],
    cells: (hour) => ["11/20/2026", `${hour}:15:30`],
    asked: "Uhrzeit",
  },
  "an hour with AM or PM": {
    headers: ["Date", "Time"],
    cells: (hour) => ["11/20/2026", hour > 12 ? `${hour - 12}:15 PM` : `${hour} am`],
    asked: "Time",
  },
  "a cell of a time": {
    headers: ["Date", "Time"],
    cells: (hour) => [style(3, DAY), style(2, (hour + 0.25) / 24)],
    asked: "Time",
  },
  "a timestamp of a program beside the date": {
    headers: ["Date", "Placed"],
    cells: (hour) => ["2026-11-20", `2026-11-20T${hour}:15:00Z`],
    asked: "Placed",
    make: csv,
  },
  "a cell of a date and a time beside the date": {
    headers: ["Date", "Placed"],
    cells: (hour) => [style(3, DAY), style(1, DAY + (hour + 0.25) / 24)],
    asked: "Placed",
  },
  "a date with its time as a text": {
    headers: ["Order Date"],
    cells: (hour) => [`2026-11-20 ${clock(hour)}`],
    asked: "Time of Order Date",
    make: csv,
  },
  "a date with its time in words": {
    headers: ["Invoice Date"],
    cells: (hour) => [`Nov 20, 2026, ${clock(hour)}`.replace(", 1", " 1")],
    asked: "Time of Invoice Date",
  },
  "a cell of a date with its time": {
    headers: ["Invoice Date"],
    cells: (hour) => [style(1, DAY + (hour + 0.25) / 24)],
    asked: "Time of Invoice Date",
  },
  "a ship date with its time": {
    headers: ["Invoice Date", "Ship Date"],
    cells: (hour) => ["2026-11-20", `11/21/2026 ${clock(hour)}`],
    asked: "Time of Ship Date",
  },
};

test("SH-04 two orders of one customer and day that differ by a time of day only, in ten kinds of files, are one question with its rows and money: two invoices, or one", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await liftLimits(app.intuit, ACME);
  const before = (await app.intuit.invoices(ACME)).length;
  const expected: number[] = [];
  for (const [at, [what, { headers, cells, asked, make = file }]] of Object.entries(KINDS).entries()) {
    const base = 100 * (at + 1);
    const rows = (more: number) =>
      makeRows(headers, cells, [
        [10, base + more],
        [10, base + more + 1],
        [14, base + more + 2],
      ]);
    app.clock.advance(MINUTE_MS);
    const first = make(`T${at}`, rows(0));
    const refused = await send(browser, first);
    expect([what, refused.status]).toEqual([what, 400]);
    const [question, ...others] = await askedIn(browser, first);
    // The times in a column of dates have no letter of their own.
    const letter = columnName(3 + headers.indexOf(asked.replace(/^Time of /, "")));
    expect([what, question?.column]).toEqual([what, letter]);
    expect((refused.json() as { detail: string }).detail).toContain(`"${asked}" in ${letter}1.`);
    expect([what, question?.header, question?.guess, others]).toEqual([what, asked, "invoiceTime", []]);
    expect(question?.examples.map(({ row, texts }) => [row, texts.at(-1)])).toEqual([
      ["2", `${base}.00`],
      ["4", `${base + 2}.00`],
    ]);
    await choose(browser, asked, "invoiceTime");
    expect([what, (await send(browser, first)).status]).toEqual([what, 202]);
    await app.settle();
    await choose(browser, asked, "ignore");
    expect([what, (await send(browser, make(`O${at}`, rows(10)))).status]).toEqual([what, 202]);
    await app.settle();
    await choose(browser, asked, "");
    expected.push(2 * base + 1, base + 2, 3 * base + 33);
  }
  await settledUploads(browser, ACME);
  const posted = (await app.intuit.invoices(ACME)).slice(before).map(({ TotalAmt }) => TotalAmt);
  expect(posted.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
});

const TIME_HEADERS = ["Order time", "Time", "Placed at", "Hora", "Timestamp", "Checked out", "Booked"];
/** Times as files have them, by the order: of a day, and alone. */
const MOMENTS: readonly ((order: number) => CellSpec)[] = [
  (order) => style(1, DAY + 0.4 + order / 10),
  (order) => `2026-11-20T1${order}:00:00.000Z`,
  (order) => `11/20/2026 1${order}:30`,
  (order) => `Nov 20, 2026 1${order}:30 EST`,
];
const TIMES: readonly ((order: number) => CellSpec)[] = [
  (order) => style(2, 0.4 + order / 10),
  (order) => `${9 + order}:05`,
  (order) => `${9 + order}:05:59 PM`,
  (order) => `${9 + order} AM`,
];

test("SH-04 in 300 generated sheets, rows of one day with different times are never merged without a question, also where the times are in the date", () => {
  const random = createRandom(41);
  for (let round = 0; round < 300; round += 1) {
    const isInDate = random.chance(0.4);
    const time = random.pick(isInDate ? MOMENTS : [...MOMENTS, ...TIMES]);
    const further = [0, 0, 0].slice(random.upTo(3)).map(() => random.upTo(1));
    const rows = makeRows(
      isInDate ? ["Invoice Date"] : ["Invoice Date", random.pick(TIME_HEADERS)],
      (order) => (isInDate ? [time(order)] : ["2026-11-20", time(order)]),
      [0, 1, ...further].toSorted((a, b) => a - b).map((order, at) => [order, at + 1] as const),
    );
    const { name, bytes } = file("orders", rows);
    const refusal = () => findTable(openFile(bytes, name));
    expect(refusal, JSON.stringify(rows)).toThrow(expect.objectContaining({ code: "ambiguous_column" }));
  }
});

test("SH-04 where every row has a time of its own, a start and an end are one question, nothing is proposed, and two equal orders are billed twice if they are two", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const before = (await app.intuit.invoices(ACME)).length;
  const visits = (at: number) =>
    csv(
      `visits${at}`,
      makeRows(["Date", "From", "To"], (hour) => ["2026-11-20", clock(hour), clock(hour + 1)], [
        [9, 50 + at],
        [14, 50 + at],
      ]),
    );
  expect((await send(browser, visits(0))).status).toBe(400);
  const questions = await askedIn(browser, visits(0));
  expect(questions.map(({ header, guess, choices }) => [header, guess, choices])).toEqual([
    ["From", null, ["invoiceTime"]],
  ]);
  await choose(browser, "From", "ignore");
  expect((await send(browser, visits(0))).status).toBe(202);
  await app.settle();
  await choose(browser, "From", "invoiceTime");
  expect((await send(browser, visits(1))).status).toBe(202);
  await settledUploads(browser, ACME);
  const posted = (await app.intuit.invoices(ACME)).slice(before).map(({ TotalAmt }) => TotalAmt);
  expect(posted).toEqual([100, 51, 51]);
});

test("SH-04 an export that is known as a whole is asked about the times in its dates, and its answer counts for it", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const before = (await app.intuit.invoices(ACME)).length;
  const headers =
    "Date,Client,Project,Project Code,Task,Notes,Hours,Hours Rounded,Billable?,Invoiced?,Approved?,First Name,Last Name,Employee Id,Roles,Employee?,Billable Rate,Billable Amount,Cost Rate,Cost Amount,Currency,External Reference URL";
  const entry = (hour: number) =>
    `2026-11-20 ${clock(hour)},Cool Cars,Garage,,Claw Hammer,,1,1,Yes,No,Yes,Ann,Lee,,,Yes,${hour},${hour},,,USD,`;
  const sent = { name: "harvest.csv", bytes: Buffer.from([headers, entry(9), entry(14)].join("\n")) };
  const seen = (await browser.call(readColumns, { query, file: sent })).json() as SeenColumns;
  expect([seen.layout?.name, ...(await askedIn(browser, sent)).map(({ header }) => header)]).toEqual([
    "harvest",
    "Time of Date",
  ]);
  const columns = [{ header: "Time of Date", field: "invoiceTime" }];
  const layout = { name: "harvest", is_used: true };
  expect((await browser.call(chooseColumns, { query, json: { columns, layout } })).status).toBe(200);
  expect((await send(browser, sent)).status).toBe(202);
  await settledUploads(browser, ACME);
  const posted = (await app.intuit.invoices(ACME)).slice(before).map(({ TotalAmt }) => TotalAmt);
  expect(posted.toSorted((a, b) => a - b)).toEqual([9, 14]);
});

test("SH-06 a time whose meaning only a user knows doesn't put off the question about day and month, and a forgotten answer keeps no problem rows back", async () => {
  const rows = makeRows(["Date", "From"], (hour) => ["03/04/2026", clock(hour)], [
    [9, 50],
    [14, 60],
  ]);
  const { name, bytes } = file("visits", rows);
  const { columns, date_question: question } = inspectColumns(invoiceSheet, bytes, {
    fileName: name,
    chosen: new Map(),
  });
  expect(columns.find(({ header }) => header === "From")?.reason).not.toBeNull();
  expect(question).toContain("03/04/2026");
  const reasons = { all: "Why." };
  const extracted = await extractRows(invoiceSheet, bytes, { fileName: name, reasons, chosen: new Map() });
  expect(extracted.length).toBeGreaterThan(0);
});

test("SH-04 an answer about the times in a column of dates counts for sheets without times, which are read together, and for a workbook of its problem rows", async () => {
  const headers = ["Customer", "Item", "Amount", "Order Date"];
  const line = (date: string, amount: number) => ["Cool Cars", "Claw Hammer", amount, date];
  const bytes = buildXlsx({
    sheets: [
      { name: "March", rows: [headers, line("2026-03-20 10:15", 1), line("2026-03-20 14:15", 2)] },
      { name: "April", rows: [headers, line("2026-04-20", 4), line("2026-04-20", 8)] },
    ],
  });
  const chosen = new Map([["timeoforderdate", "invoiceTime"]]);
  const invoicesIn = (from: Uint8Array, fileName: string) => {
    const table = findTable(openFile(from, fileName), chosen);
    return groupTable(table, { orders: new Map(), latinOnly: false }).map(({ rows }) => rows.length);
  };
  expect(invoicesIn(bytes, "orders.xlsx")).toEqual([1, 1, 2]);
  const fileName = "problem rows.xlsx";
  const extracted = await extractRows(invoiceSheet, bytes, { fileName, reasons: { all: "Why." }, chosen });
  expect(invoicesIn(extracted, fileName)).toEqual([1, 1, 2]);
});

test("SH-04 equal times, midnights, the times at which lines were scanned or changed, durations, and lines with a number of their own raise no question", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const lines = [
    [9, 10],
    [14, 20],
    [15, 30],
  ] as const;
  const quiet: Record<string, Rows> = {
    "equal times": makeRows(["Date", "Time"], () => ["2026-11-20", "10:15"], lines),
    midnights: makeRows(["Date", "Placed"], () => ["2026-11-20", "2026-11-20 00:00:00"], lines),
    "dates at midnight": makeRows(["Order Date"], () => ["2026-11-20T00:00:00Z"], lines),
    "a blank time": makeRows(["Date", "Time"], (hour) => ["2026-11-20", hour === 9 ? "10:15" : ""], lines),
    scans: makeRows(["Date", "Scan time"], (hour) => ["2026-11-20", clock(hour)], lines),
    changes: makeRows(["Date", "Last updated"], (hour) => ["2026-11-20", `2026-11-21 ${clock(hour)}`], lines),
    "changes of jobs": makeRows(["Date", "Job updated"], (hour) => ["2026-11-20", clock(hour)], lines),
    durations: makeRows(["Date", "Duration"], (hour) => ["2026-11-20", clock(hour)], lines),
    numbers: makeRows(
      ["Order Date", "Time", "Invoice No"],
      (hour) => [`2026-11-20 ${clock(hour)}`, clock(hour), "TN-1"],
      lines,
    ),
    days: makeRows(["Order Date", "Time"], (hour) => [`2026-11-${hour} 10:15`, clock(hour)], lines),
  };
  const asked: string[] = [];
  for (const [what, rows] of Object.entries(quiet)) {
    const taken = await send(browser, csv(what, rows));
    if (taken.status !== 202) asked.push(`${what}: ${taken.status} ${JSON.stringify(taken.json())}`);
  }
  expect(asked).toEqual([]);
});
