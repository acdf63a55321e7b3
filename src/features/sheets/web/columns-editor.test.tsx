import { sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import { acme, owner, problem, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import {
  type ColumnMarks,
  type SeenColumn,
  type SeenColumns,
  XLSX_MEDIA_TYPE,
} from "#features/sheets/contract.ts";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
const mismatch = problem(400, "The selected file must use the template.", "template_mismatch");

const FIELDS = [
  { field: "customer", header: "Customer", required: true, unless: [] as string[] },
  { field: "poNumber", header: "PO Number", required: false, unless: [] as string[] },
];

type Column = Partial<SeenColumn> & Pick<SeenColumn, "header" | "column" | "field">;

/** Columns as the server reads them, with what a test says about the file besides. */
const readAs = (columns: Column[], about: object) => ({
  json: {
    sheet: "Sheet1",
    header_row: 3,
    layout: null,
    date_question: null,
    currency: null,
    totals: [],
    overlaps: [],
    sheets: [],
    for_all: null,
    row_marks: [],
    numbers: null,
    fields: FIELDS,
    columns: columns.map((column) => ({
      sheets: [],
      guess: null,
      samples: ["x", "y"],
      reason: null,
      sum: null,
      choices: [],
      examples: [],
      ...column,
    })),
    ...about,
  },
});

async function openWith(
  columns: Column[],
  fields = FIELDS,
  sheets: { sheet: string; is_read: boolean }[] = [],
  forAll: { field: string; question: string; value: string | null; names: string[] } | null = null,
  rowMarks: ColumnMarks[] = [],
  numbers: SeenColumns["numbers"] = null,
  layout: SeenColumns["layout"] = null,
) {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection: "connected" }] },
  });
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
  server.on("POST /api/v1/invoices", mismatch);
  server.on(
    "POST /api/v1/invoices/columns",
    readAs(columns, { fields, sheets, for_all: forAll, row_marks: rowMarks, numbers, layout }),
  );
  server.on("PUT /api/v1/invoices/columns", { json: {} });
  server.visit("/app/");
  renderPage();
  await screen.findByRole("heading", { level: 2, name: "Results" });
  const file = new File(["PK bytes"], "odd.xlsx", { type: XLSX_MEDIA_TYPE });
  await userEvent.upload(screen.getByLabelText("Spreadsheet to upload"), file);
  await userEvent.click(screen.getByRole("button", { name: "Upload" }));
}

const posts = () =>
  server.requests.filter(({ method, url }) => method === "POST" && url.pathname === "/api/v1/invoices");
const save = () => screen.getByRole<HTMLButtonElement>("button", { name: "Save and continue" });

const LIKE = "Customer, Status";

test("after a refusal for its headers a user matches the columns, and the same file is sent again", async () => {
  await openWith([
    { header: "Buyer", column: "A", field: null },
    { header: "PO", column: "B", field: "poNumber" },
  ]);
  const buyer = await screen.findByRole("combobox", { name: "Meaning of column A, Buyer" });
  expect(screen.getByText("Still missing: Customer. Choose a column for it.")).toBeTruthy();
  expect(save().disabled).toBe(true);
  server.on("POST /api/v1/invoices", { status: 202, json: sampleUpload({ filename: "odd.xlsx" }) });
  await userEvent.selectOptions(buyer, "Customer (required)");
  await userEvent.click(save());
  await waitFor(() => expect(posts()).toHaveLength(2));
  const put = server.requests.find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toEqual({ columns: [{ header: "Buyer", field: "customer" }] });
  expect(posts()[1]?.body).toContain("PK bytes");
  await waitFor(() => expect(screen.queryByText("odd.xlsx")).toBeNull());
});

test("column matching opens with a count of the open columns, the server's guesses, and no error", async () => {
  await openWith([
    { header: "PO", column: "A", field: "poNumber" },
    { header: "Who", column: "B", field: null },
  ]);
  expect(await screen.findByRole("heading", { name: "1 question to go" })).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  const asked = screen.getAllByRole("combobox", { name: /^Meaning of column/ });
  // Known columns are collapsed between the question and the button.
  expect(asked.map(accessibleName)).toEqual(["Meaning of column B, Who"]);
  await userEvent.click(screen.getByRole("button", { name: "1 column already matched" }));
  expect(screen.getByRole("combobox", { name: "Meaning of column A, PO" })).toBeTruthy();
  expect([...(asked[0]?.querySelectorAll("option") ?? [])].map(({ textContent }) => textContent)).toEqual([
    "Choose…",
    "Ignore this column",
    "Customer (required)",
    "PO Number",
  ]);
});

test.each([
  ["Cancel", "button"],
  ["Dockside Upload", "link"],
] as const)(
  "the columns are matched on a page of their own, and %s goes back to the file",
  async (name, role) => {
    await openWith([{ header: "Who", column: "A", field: null }]);
    const title = await screen.findByRole("heading", { level: 1, name: "Match the columns of odd.xlsx" });
    expect(screen.getByText("Nothing is in QuickBooks yet. Invoices will go to Acme Tools.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(title));
    await screen.findByRole("heading", { name: "1 question to go" });
    expect(screen.queryByRole("heading", { name: "Results" })).toBeNull();
    expect(screen.queryByLabelText("Spreadsheet to upload")).toBeNull();
    await userEvent.click(screen.getByRole(role, { name }));
    expect(await screen.findByRole("heading", { level: 2, name: "Results" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: /^Match the columns/ })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Upload" }));
    await waitFor(() => expect(posts()).toHaveLength(2));
  },
);

test("a guess is preselected, labeled as a guess, and saved like a choice", async () => {
  await openWith([{ header: "Who", column: "A", field: null, guess: "customer" }]);
  const who = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Meaning of column A, Who" });
  expect([who.value, screen.queryByText("Our guess") !== null]).toEqual(["customer", true]);
  await userEvent.click(save());
  await waitFor(() => expect(posts()).toHaveLength(2));
  const put = server.requests.find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toEqual({ columns: [{ header: "Who", field: "customer" }] });
});

test("a suggestion is accepted in place, and all of them with one button", async () => {
  const paid = {
    rows: "2",
    count: 1,
    amount: "1234.50",
    examples: [],
    by_sheet: [],
    is_billed: null,
  };
  await openWith(
    [
      { header: "Who", column: "A", field: null, guess: "customer" },
      { header: "Ref", column: "B", field: null, guess: "poNumber" },
    ],
    FIELDS,
    [],
    null,
    [
      {
        of: "1!Stage",
        files_like: LIKE,
        column: "C",
        header: "Stage",
        values: [
          { value: "Paid", guess: true, ...paid },
          { value: "Void", guess: false, ...paid },
        ],
      },
    ],
  );
  await screen.findByRole("heading", { name: "3 questions to go" });
  await userEvent.click(screen.getByRole("button", { name: "Use our guess for Ref" }));
  await screen.findByRole("heading", { name: "2 questions to go" });
  expect(screen.queryByRole("button", { name: "Use our guess for Ref" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Use all 2 suggestions" }));
  await screen.findByRole("heading", { name: "All columns matched" });
  expect(screen.queryByRole("button", { name: /^Use/ })).toBeNull();
  await userEvent.click(save());
  await waitFor(() => expect(posts()).toHaveLength(2));
  const put = server.requests.find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toEqual({
    columns: [
      { header: "Who", field: "customer" },
      { header: "Ref", field: "poNumber" },
    ],
    row_marks: [
      { of: "1!Stage", files_like: LIKE, value: "Paid", is_billed: true },
      { of: "1!Stage", files_like: LIKE, value: "Void", is_billed: false },
    ],
  });
});

test("every column that may change what is billed is matched or ignored before the file is sent again", async () => {
  const asked = { field: null, reason: "Used for the amount" };
  await openWith([
    { header: "Customer", column: "A", field: "customer" },
    { header: "Discount", column: "B", ...asked, sum: "1500.00", samples: ["15"], guess: "poNumber" },
    { header: "Total", column: "C", ...asked, sum: "87.50", samples: ["87.5"] },
  ]);
  const total = await screen.findByRole("combobox", { name: "Meaning of column C, Total" });
  expect(screen.getByText("Sum 1,500")).toBeTruthy();
  expect(screen.getByText("Sum 87.50")).toBeTruthy();
  expect(total.closest("td")?.textContent).toContain("Used for the amount");
  expect(screen.getByText("Match or ignore Total.")).toBeTruthy();
  expect(screen.getByRole("heading", { name: "2 questions to go" })).toBeTruthy();
  expect(save().disabled).toBe(true);
  await userEvent.selectOptions(total, "Ignore this column");
  await userEvent.click(save());
  await waitFor(() => expect(posts()).toHaveLength(2));
  const put = server.requests.find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toEqual({
    columns: [
      { header: "Discount", field: "poNumber" },
      { header: "Total", field: "ignore" },
    ],
  });
});

test("SH-01 which values are billed is asked beside the columns, with their rows and money, and hidden rows too", async () => {
  const value = (value: string, count: number, amount: string, guess: boolean) => ({
    value,
    count,
    amount,
    guess,
    rows: "4-5",
    examples: guess
      ? []
      : [
          { row: "4", texts: [value, "A-3", "Cool Cars", "8.00"] },
          { row: "5", texts: [value, "A-4", "Cool Cars", "10.00"] },
        ].slice(0, count),
    by_sheet: [],
    is_billed: null,
  });
  const status = { of: "1!Status", files_like: LIKE, column: "B", header: "Status" };
  const hidden = { of: "1!", files_like: LIKE, column: null, header: "" };
  await openWith([{ column: "A", header: "Customer", field: "customer" }], FIELDS, [], null, [
    { ...status, values: [value("paid", 12, "1,366.75", true), value("voided", 1, "9.50", false)] },
    { ...hidden, values: [value("hidden", 2, "18.00", false)] },
  ]);
  await screen.findByRole("group", { name: 'Which values of "Status" should we bill?' });
  expect(screen.getByText("To bill: 1,366.75 · 1 row left out")).toBeTruthy();
  await userEvent.click(screen.getByRole("checkbox", { name: "voided (1)" }));
  expect(screen.getByText("To bill: 1,376.25")).toBeTruthy();
  await userEvent.click(screen.getByRole("checkbox", { name: "voided (1)" }));
  expect(
    screen.getByRole("group", { name: "Rows 4-5 are hidden in your sheet. Should we bill them?" }),
  ).toBeTruthy();
  for (const button of screen.getAllByRole("button", { name: "Show the rows" }))
    await userEvent.click(button);
  expect(screen.getAllByText(/^Row \d/).map(({ textContent }) => textContent)).toEqual([
    "Row 4: voided · A-3 · Cool Cars · 8.00",
    "Row 4: hidden · A-3 · Cool Cars · 8.00",
    "Row 5: hidden · A-4 · Cool Cars · 10.00",
  ]);
  await userEvent.click(screen.getByRole("radio", { name: "Bill them" }));
  await userEvent.click(save());
  await waitFor(() => expect(posts()).toHaveLength(2));
  const put = server.requests.find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toEqual({
    columns: [],
    row_marks: [
      { of: "1!Status", files_like: LIKE, value: "paid", is_billed: true },
      { of: "1!Status", files_like: LIKE, value: "voided", is_billed: false },
      { of: "1!", files_like: LIKE, value: "hidden", is_billed: true },
    ],
  });
});

test("SH-01 where only a user knows which rows are billed, nothing is preselected, and the page can't be saved before", async () => {
  const value = (value: string, guess: boolean | null) => ({
    value,
    guess,
    count: 1,
    rows: "2",
    amount: "40.00",
    examples: [],
    by_sheet: [],
    is_billed: null,
  });
  await openWith(
    [
      { column: "A", header: "Customer", field: "customer" },
      { column: "B", header: "Ref", field: null, guess: "poNumber" },
    ],
    FIELDS,
    [],
    null,
    [
      {
        of: "1!Covered",
        files_like: LIKE,
        column: "C",
        header: "Covered",
        values: [value("Y", null), value("N", null)],
      },
      {
        of: "1!Stage",
        files_like: LIKE,
        column: "D",
        header: "Stage",
        values: [value("paid", true), value("on tour", null)],
      },
      {
        of: "1!Status",
        files_like: LIKE,
        column: "E",
        header: "Status",
        values: [value("sent", true), value("void", false)],
      },
    ],
  );
  await screen.findByRole("heading", { name: "4 questions to go" });
  const answer = (value: string, billed: string) =>
    within(screen.getByRole("radiogroup", { name: value })).getByRole<HTMLInputElement>("radio", {
      name: billed,
    });
  const isChecked = (value: string) => ["Bill", "Don't bill"].map((billed) => answer(value, billed).checked);
  expect(["Y (1)", "N (1)", "paid (1)", "on tour (1)"].map(isChecked)).toEqual([
    [false, false],
    [false, false],
    [true, false],
    [false, false],
  ]);
  expect(save().disabled).toBe(true);
  expect(screen.getByText('Choose which values to bill: "Covered", "Stage".')).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Use all 2 suggestions" }));
  expect(screen.getByRole("heading", { name: "2 questions to go" })).toBeTruthy();
  expect([isChecked("Y (1)"), save().disabled]).toEqual([[false, false], true]);
  await userEvent.click(answer("Y (1)", "Don't bill"));
  await userEvent.click(answer("N (1)", "Bill"));
  expect(screen.getByText('Choose which values to bill: "Stage".')).toBeTruthy();
  await userEvent.click(answer("on tour (1)", "Bill"));
  await userEvent.click(save());
  await waitFor(() => expect(posts()).toHaveLength(2));
  const put = server.requests.find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toEqual({
    columns: [{ header: "Ref", field: "poNumber" }],
    row_marks: [
      { of: "1!Covered", files_like: LIKE, value: "Y", is_billed: false },
      { of: "1!Covered", files_like: LIKE, value: "N", is_billed: true },
      { of: "1!Stage", files_like: LIKE, value: "paid", is_billed: true },
      { of: "1!Stage", files_like: LIKE, value: "on tour", is_billed: true },
      { of: "1!Status", files_like: LIKE, value: "sent", is_billed: true },
      { of: "1!Status", files_like: LIKE, value: "void", is_billed: false },
    ],
  });
});

test("SH-01 whether rows of a sheet, or below a heading, are billed is asked in words of their own", async () => {
  const values = [
    {
      value: "Canceled",
      rows: "4-5",
      count: 2,
      amount: "20.00",
      examples: [],
      by_sheet: [],
      is_billed: null,
      guess: false,
    },
  ];
  await openWith([{ column: "A", header: "Customer", field: "customer" }], FIELDS, [], null, [
    { of: "1!Heading above", files_like: LIKE, column: null, header: "Heading above", values },
    { of: "1!Sheet name", files_like: LIKE, column: null, header: "Sheet name", values },
  ]);
  for (const name of [
    "Should we bill the rows below this heading?",
    "Should we bill the rows on this sheet?",
  ]) {
    const question = within(await screen.findByRole("group", { name }));
    expect(question.getByRole<HTMLInputElement>("checkbox", { name: "Canceled (2)" }).checked).toBe(false);
  }
});

test("the sheets of a file are chosen beside its columns, at least one", async () => {
  await openWith([{ column: "A", header: "Customer", field: "customer" }], FIELDS, [
    { sheet: "Year", is_read: true },
    { sheet: "March", is_read: true },
  ]);
  const year = await screen.findByRole<HTMLInputElement>("checkbox", { name: "Year" });
  const march = screen.getByRole("checkbox", { name: "March" });
  await userEvent.click(march);
  await userEvent.click(year);
  expect(screen.getByText("Choose at least one sheet.")).toBeTruthy();
  expect(save().disabled).toBe(true);
  await userEvent.click(march);
  await userEvent.click(save());
  await waitFor(() => expect(posts()).toHaveLength(2));
  const put = server.requests.find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toEqual({
    columns: [],
    sheets: [{ sheet: "Year", is_read: false }],
  });
});

test("SH-06 a sheet that is left out on the page leaves the total of the file, and its rows wait for no answer", async () => {
  const numbers = {
    sheets: [0, 0, 0, 1, 1],
    records: [0, 1, 2, 3, 4],
    columns: [[], [10, 0.35, 7, 1000, 8]],
    further: [0, 0, 0, 0, 0],
    marks: [[null, null, 0, null, 0]],
  };
  const unknown = { value: "on tour", count: 2, amount: "15.00", guess: null, is_billed: null };
  const status = { of: "1!Status", files_like: LIKE, column: "C", header: "Status" };
  const rowMarks = [{ ...status, values: [{ ...unknown, rows: "4, Year!3", examples: [], by_sheet: [] }] }];
  const columns = [
    { column: "A", header: "Customer", field: "customer" },
    { column: "B", header: "Amount", field: "amount" },
  ];
  const sheets = ["March", "Year"].map((sheet) => ({ sheet, is_read: true }));
  await openWith(columns, FIELDS, sheets, null, rowMarks, numbers);
  const total = async () => (await screen.findByText(/^With these answers/)).textContent;
  expect(await total()).toBe("With these answers: 3 invoices, 1,010.35 (2 rows not decided yet)");
  await userEvent.click(screen.getByRole("checkbox", { name: "Year" }));
  expect(await total()).toBe("With these answers: 2 invoices, 10.35 (1 row not decided yet)");
});

test("SH-06 the rows, the money and the sum beside a value or a column are those of the sheets that are read on the page", async () => {
  const onTour = { value: "on tour", guess: null, is_billed: null };
  const inSheet = (sheet: string, count: number, amount: string | null, row: string) => ({
    sheet,
    count,
    amount,
    rows: row,
    examples: [{ row, texts: [`of ${sheet}`] }],
  });
  const found = [
    inSheet("March", 2, "15.00", "4"),
    inSheet("April", 1, "8.35", "April!3"),
    inSheet("May", 1, null, "May!2"),
  ];
  const all = { rows: "4, April!3, May!2", count: 4, amount: "23.35", examples: [], by_sheet: found };
  const late = [inSheet("April", 1, "90.00", "April!9")];
  const rowMarks: ColumnMarks[] = [
    { of: "1!Status", files_like: LIKE, column: "C", header: "Status", values: [{ ...onTour, ...all }] },
    {
      of: "1!Stage",
      files_like: LIKE,
      column: "E",
      header: "Stage",
      values: [{ value: "late", guess: null, is_billed: null, ...all, by_sheet: late }],
    },
  ];
  const numbers = {
    sheets: [0, 0, 1, 1, 2],
    records: [0, 1, 2, 3, 4],
    columns: [[], [10, 0.35, 7, null, 1000.5]],
    further: [0, 0, 0, 0, 0],
    marks: [
      [0, 0, 0, null, 0],
      [null, null, null, 0, null],
    ],
  };
  const columns = [
    { column: "A", header: "Customer", field: "customer" },
    { column: "D", header: "Extra", field: null, reason: "May change the amount", sum: "10.35" },
  ];
  const sheets = ["March", "April", "May"].map((sheet) => ({ sheet, is_read: sheet !== "May" }));
  await openWith(columns, FIELDS, sheets, null, rowMarks, numbers);
  const seen = async () => {
    const question = await screen.findByRole("group", { name: 'Which values of "Status" should we bill?' });
    return [
      within(question).getByRole("radiogroup").parentElement?.textContent,
      screen.getByText(/^Sum/).textContent,
      screen.queryByRole("group", { name: 'Which values of "Stage" should we bill?' }) !== null,
    ];
  };
  expect(await seen()).toEqual(["on tour (3)BillDon't bill23.35", "Sum 17.35", true]);
  await userEvent.click(screen.getByRole("checkbox", { name: "May" }));
  expect(await seen()).toEqual(["on tour (4)BillDon't bill23.35", "Sum 1,017.85", true]);
  await userEvent.click(screen.getByRole("checkbox", { name: "March" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "April" }));
  expect(await seen()).toEqual(["on tour (1)BillDon't bill", "Sum 1,000.50", false]);
  await userEvent.click(screen.getByRole("button", { name: "Show the rows" }));
  expect(screen.getByText("Row May!2: of May")).toBeTruthy();
  await userEvent.selectOptions(
    screen.getByRole("combobox", { name: "Meaning of column D, Extra" }),
    "Ignore this column",
  );
  await userEvent.click(screen.getByRole("radio", { name: "Don't bill" }));
  await userEvent.click(save());
  await waitFor(() => expect(posts()).toHaveLength(2));
  const put = server.requests.find(({ method }) => method === "PUT");
  // Nothing is saved about a value of sheets that are not read.
  expect(JSON.parse(put?.body ?? "")).toMatchObject({
    row_marks: [{ of: "1!Status", files_like: LIKE, value: "on tour", is_billed: false }],
  });
});

test("a file without a column for a required field asks for one value for all its lines", async () => {
  const question = "Which customer are these lines for?";
  const asked = { field: "customer", question, value: null, names: ["Cool Cars", "Red Rock Diner"] };
  await openWith(
    [
      { column: "A", header: "PO", field: "poNumber" },
      { column: "B", header: "Who", field: null },
    ],
    FIELDS,
    [],
    asked,
  );
  const field = await screen.findByRole("combobox", { name: question });
  expect(save().disabled).toBe(true);
  const who = screen.getByRole("combobox", { name: "Meaning of column B, Who" });
  await userEvent.selectOptions(who, "Customer (required)");
  expect(screen.queryByRole("combobox", { name: question })).toBeNull();
  await userEvent.selectOptions(who, "Choose…");
  await userEvent.fill(screen.getByRole("combobox", { name: question }), "Cool Cars");
  expect(field.isConnected).toBe(false);
  await userEvent.click(save());
  await waitFor(() => expect(posts()).toHaveLength(2));
  const put = server.requests.find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toEqual({
    columns: [],
    values: [{ field: "customer", value: "Cool Cars" }],
  });
});

test("a file refused again for a reason that no column shows says the reason", async () => {
  const known = { column: "A", header: "Customer", field: "customer" };
  await openWith([known]);
  expect(await screen.findByText("The selected file must use the template.")).toBeTruthy();
  expect(save().disabled).toBe(false);
});

test("two columns can't be matched to the same field", async () => {
  await openWith([
    { header: "Buyer", column: "A", field: "customer" },
    { header: "Client", column: "B", field: "customer" },
  ]);
  await screen.findByText("Customer is matched twice. Keep one.");
  expect(save().disabled).toBe(true);
  await userEvent.selectOptions(
    screen.getByRole("combobox", { name: "Meaning of column B, Client" }),
    "Ignore this column",
  );
  expect(save().disabled).toBe(false);
});

test("a meaning chosen after an export was declined is saved, although the export had the same", async () => {
  const layout = { name: "harvest", title: "Harvest", matched: 2 };
  const fields = [...FIELDS, { field: "memo", header: "Memo", required: false, unless: [] }];
  const client = { header: "Client", column: "A", field: "customer" };
  const notes = { header: "Notes", column: "B", field: "poNumber" };
  await openWith([client, notes], fields, [], null, [], null, layout);
  await screen.findByRole("button", { name: "It's something else" });
  server.on("POST /api/v1/invoices/columns", readAs([client, { ...notes, field: "memo" }], { fields }));
  await userEvent.click(screen.getByRole("button", { name: "It's something else" }));
  const meaning = await screen.findByRole<HTMLSelectElement>("combobox", {
    name: "Meaning of column B, Notes",
  });
  await waitFor(() => expect(meaning.value).toBe("memo"));
  await userEvent.selectOptions(meaning, "PO Number");
  await userEvent.click(save());
  await waitFor(() => expect(posts()).toHaveLength(2));
  const put = server.requests.find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toEqual({
    columns: [{ header: "Notes", field: "poNumber" }],
    layout: { name: "harvest", is_used: false },
  });
});

test("a file with Qty and Rate needs no Amount to continue", async () => {
  const money = ["qty", "rate", "amount"].map((field) => ({
    field,
    header: field,
    required: field === "amount",
    unless: field === "amount" ? ["qty", "rate"] : [],
  }));
  await openWith(
    [
      { header: "Pieces", column: "A", field: null },
      { header: "Price", column: "B", field: "rate" },
    ],
    money,
  );
  const pieces = await screen.findByRole("combobox", { name: "Meaning of column A, Pieces" });
  expect(screen.getByText("Still missing: amount (or qty and rate). Choose a column for it.")).toBeTruthy();
  await userEvent.selectOptions(pieces, "qty");
  expect(save().disabled).toBe(false);
});

const accessibleName = (field: HTMLElement) =>
  document.querySelector(`label[for="${field.id}"]`)?.textContent;
