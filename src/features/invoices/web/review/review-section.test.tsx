import {
  changedInBooks,
  cleanReport,
  lookalikes,
  sampleCheck as check,
  sampleInvoices,
  sampleReport as report,
  skuWarning,
  unknownCustomer,
  wrongDate,
} from "#features/invoices/web/fixtures/checks.ts";
import { sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import {
  acme,
  beta,
  layOut,
  owner,
  problem,
  renderPage,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test } from "vitest";

const server = await startServer();
const id = "0198c0de-0000-7000-8000-000000000009";
const CHECK = `/api/v1/invoices/checks/${id}`;

/** Default responses; a test sets others before the page is opened. */
beforeEach(() => {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("GET /api/v1/company", {
    json: {
      companies: [acme, beta].map((company) => ({ ...company, services: [], connection: "connected" })),
    },
  });
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
  server.on(`GET /api/v1/invoices/${id}/unknown-names`, { json: { names: [], total_count: 0, next: null } });
  server.on(`GET ${CHECK}/invoices`, { json: { revision: 1, invoices: [] } });
  server.on(`GET ${CHECK}/errors`, { json: { errors: [], next: null } });
});

async function open(address = `/app/?check=${id}`) {
  server.visit(address);
  renderPage();
  const isReview = address.includes("check");
  await screen.findByRole("heading", {
    level: isReview ? 1 : 2,
    name: isReview ? "Review march.xlsx" : "Results",
  });
}

async function chooseFile() {
  const file = new File(["PK bytes"], "march.xlsx", { type: XLSX_MEDIA_TYPE });
  await userEvent.upload(screen.getByLabelText("Spreadsheet to upload"), file);
}

const card = () => screen.findByRole("region", { name: "Review march.xlsx" });
const calls = (method: string, path: string) =>
  server.requests.filter((asked) => asked.method === method && asked.url.pathname === path);

test("Review sends the file to be checked, shows the report, and posts nothing", async () => {
  await open("/app/");
  server.on("POST /api/v1/invoices/checks", {
    status: 202,
    json: sampleUpload({ id }),
  });
  server.on(`GET ${CHECK}`, { json: check() });
  await chooseFile();
  await userEvent.click(screen.getByRole("button", { name: "Review" }));
  const totals = await screen.findByRole("region", { name: "Totals of march.xlsx" });
  const figures = [...totals.querySelectorAll("dl > div")].map((figure) =>
    [...figure.children].map((part) => part.textContent),
  );
  expect(figures).toEqual([
    ["In your file", "4invoices"],
    ["Ready to post", "3$1,134.20"],
  ]);
  // A number of customers that nothing on the page is about.
  expect(screen.queryByText("2 customers")).toBeNull();
  expect(calls("POST", "/api/v1/invoices/checks")[0]?.body).toContain("PK bytes");
  expect(calls("POST", "/api/v1/invoices")).toEqual([]);
  expect(window.location.search).toBe(`?check=${id}`);
});

test("a check in progress is polled every second until it is done", async () => {
  server.on(`GET ${CHECK}`, () => ({
    json: calls("GET", CHECK).length < 2 ? check({ state: "checking", report: null }) : check(),
  }));
  await open();
  expect(await screen.findByText(/^Checking march\.xlsx against QuickBooks/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Post/ })).toBeNull();
  expect(await screen.findByRole("button", { name: "Post 3 invoices ($1,134.20)" })).toBeTruthy();
});

test("the decision is above the warnings, and possible duplicates are one click away from it", async () => {
  const found = report({
    problems: [unknownCustomer, skuWarning],
    possible_duplicates: [lookalikes],
  });
  server.on(`GET ${CHECK}`, { json: check({ report: found }) });
  await open();
  const region = await card();
  const warnings = await within(region).findByRole("button", { name: "1 note" });
  await userEvent.click(warnings);
  expect(within(region).getByText("Cell D3")).toBeTruthy();
  const post = within(region).getByRole("button", { name: /^Post 3 invoices/ });
  expect(post.compareDocumentPosition(warnings)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  const way = within(region).getByRole("link", { name: "1 possible duplicate" });
  expect(document.getElementById(way.getAttribute("href")?.slice(1) ?? "")?.textContent).toContain(
    "2 invoices for Acme",
  );
  expect(
    within(region).getByText("2 invoices for Acme with the same date and amount (5.00). Rows 2 and 5."),
  ).toBeTruthy();
});

test("possible duplicates and wrong cells link to their invoice in the table, with or without a number, under any filter", async () => {
  onTestFinished(layOut({ clientHeight: 440, clientWidth: 800, offsetHeight: 440, offsetWidth: 800 }));
  const problems = [{ ...unknownCustomer, code: wrongDate.code }];
  server.on(`GET ${CHECK}`, {
    json: check({ report: report({ problems, possible_duplicates: [lookalikes] }) }),
  });
  server.on(`GET ${CHECK}/invoices`, { json: { revision: 1, invoices: sampleInvoices } });
  server.on(`GET ${CHECK}/errors`, { json: { errors: [wrongDate], next: null } });
  await open();
  const numbers = () =>
    screen.getAllByRole("button", { name: /^Lines of / }).map(({ ariaLabel }) => ariaLabel);
  for (const number of ["S-4", "S-1", "row 5", "S-4"]) {
    const link = await screen.findByRole("link", { name: `Show ${number} below` });
    await userEvent.click(await screen.findByRole("button", { name: /^Need an answer/ }));
    await waitFor(() => expect(numbers()).toEqual(["Lines of S-2"]));
    await userEvent.click(link);
    await waitFor(() => expect(numbers()).toEqual([`Lines of ${number}`]));
    const place = document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
    expect(place?.contains(screen.getByRole("table", { name: "Invoices of march.xlsx" }))).toBe(true);
    await userEvent.clear(screen.getByRole("searchbox", { name: "Customer or number" }));
  }
});

test("of many possible duplicates a few are listed and the rest are one click away", async () => {
  const many = Array.from({ length: 64 }, (_, index) => ({ ...lookalikes, rows: `${index + 2}` }));
  server.on(`GET ${CHECK}`, { json: check({ report: report({ possible_duplicates: many }) }) });
  await open();
  expect(await screen.findAllByText(/^2 invoices for Acme/)).toHaveLength(3);
  await userEvent.click(screen.getByRole("button", { name: "Show 61 more" }));
  expect(screen.getAllByText(/^2 invoices for Acme/)).toHaveLength(64);
});

test("Post posts exactly this check, then the receipt replaces the review", async () => {
  let state: "checked" | "posted" = "checked";
  server.on(`GET ${CHECK}`, () => ({ json: check({ state }) }));
  server.on(`POST ${CHECK}/post`, () => {
    state = "posted";
    return { status: 202, json: {} };
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Post 3 invoices ($1,134.20)" }));
  await waitFor(() => expect(window.location.search).toBe(`?receipt=${id}`));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Review march.xlsx" })).toBeNull());
  await screen.findByText("march.xlsx is being posted.");
});

test.each([
  ["Post 3 invoices ($1,134.20)", "post"],
  ["Post these too", "equal-invoices"],
])(
  "%s requests what the page shows; if refused because another user reran the check, the page says so and shows the new result",
  async (button, command) => {
    const refusal = "The check was made again since you looked at it.";
    let now = check({ revision: 4, report: report({ equal_invoices: 2 }) });
    server.on(`GET ${CHECK}`, () => ({ json: now }));
    server.on(`POST ${CHECK}/${command}`, () => {
      now = check({ revision: 5, report: cleanReport });
      return problem(409, refusal);
    });
    await open();
    await userEvent.click(await screen.findByRole("button", { name: button }));
    expect(await screen.findByRole("button", { name: "Post 4 invoices ($1,234.50)" })).toBeTruthy();
    expect(screen.getByText(refusal)).toBeTruthy();
    const [asked] = calls("POST", `${CHECK}/${command}`);
    expect(asked?.url.searchParams.get("revision")).toBe("4");
  },
);

test("changes in the books since the check are shown before anything is posted", async () => {
  server.on(`GET ${CHECK}`, { json: check({ changes: [changedInBooks] }) });
  await open();
  expect(
    await within(await card()).findByText("Something changed since the check, so nothing was posted."),
  ).toBeTruthy();
  expect(await screen.findByText("Invoice S-2 can no longer be posted: it is there already.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Post 3 invoices ($1,134.20)" })).toBeTruthy();
});

test("an all-or-nothing file that still has a problem cannot be posted", async () => {
  server.on(`GET ${CHECK}`, { json: check({ mode: "file" }) });
  await open();
  expect(
    await screen.findByText("Nothing can be posted yet. Answer the questions and fix the cells below."),
  ).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Post/ })).toBeNull();
});

test("a check can be dropped; an unknown one can be closed", async () => {
  server.on(`GET ${CHECK}`, { json: check() });
  server.on(`DELETE ${CHECK}`, { json: {} });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(window.location.search).toBe(""));
  await waitFor(() => expect(document.activeElement?.tagName).toBe("H1"));
  expect(calls("DELETE", CHECK)).toHaveLength(1);
});

test("a check in progress can be left, and is not dropped", async () => {
  server.on(`GET ${CHECK}`, { json: check({ state: "checking", report: null }) });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(window.location.search).toBe(""));
  expect(calls("DELETE", CHECK)).toEqual([]);
});

test("switching the company closes the check of the old one", async () => {
  server.on(`GET ${CHECK}`, { json: check() });
  await open();
  await card();
  act(() => realmStore.set(beta.id));
  await waitFor(() => expect(window.location.search).toBe(""));
});

test("a name is matched and saved, and the stored file is checked again; its rows can be downloaded until then (UP-53)", async () => {
  await open("/app/");
  server.on("POST /api/v1/invoices/checks", { status: 202, json: sampleUpload({ id }) });
  server.on(`GET ${CHECK}`, { json: check({ report: report({ problems: [unknownCustomer] }) }) });
  server.on(`POST ${CHECK}/again`, { status: 202, json: {} });
  const entry = { id: "7", name: "Acme" };
  server.on(`GET /api/v1/invoices/${id}/unknown-names`, {
    json: {
      names: [
        {
          kind: "customer",
          text: "Acmee",
          rows: "4, 7",
          count: 2,
          unlocks: 2,
          suggestions: [entry],
          preselected_id: "7",
        },
      ],
      total_count: 1,
      next: null,
    },
  });
  server.on("PUT /api/v1/invoices/names", {
    json: { kind: "customer", text: "Acmee", target_id: "7", target_name: "Acme" },
  });
  await chooseFile();
  await userEvent.click(screen.getByRole("button", { name: "Review" }));
  const choice = await screen.findByRole<HTMLInputElement>("combobox", { name: "Customer for Acmee" });
  expect(choice.value).toBe("Acme");
  expect(screen.getByRole("button", { name: /^Download problem rows of / })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Use for Acmee" }));
  await screen.findByRole("button", { name: "Change the match for Acmee" });
  const [put] = calls("PUT", "/api/v1/invoices/names");
  expect(JSON.parse(put?.body ?? "")).toEqual({ kind: "customer", text: "Acmee", target_id: "7" });
  await waitFor(() => expect(calls("POST", `${CHECK}/again`)).toHaveLength(1));
  const [again] = calls("POST", `${CHECK}/again`);
  expect(again?.url.searchParams.get("revision")).toBe("1");
  expect(JSON.parse(again?.body ?? "")).toEqual({ cells: [], invoices: [] });
  expect(calls("POST", "/api/v1/invoices/checks")).toHaveLength(1);
});

test("one button accepts all preselected suggestions, and the file is checked again", async () => {
  server.on(`GET ${CHECK}`, { json: check({ report: report({ problems: [unknownCustomer] }) }) });
  server.on(`POST ${CHECK}/again`, { status: 202, json: {} });
  const entry = { id: "7", name: "Acme" };
  server.on("PUT /api/v1/invoices/names", ({ body }) => ({
    json: { kind: "customer", text: readText(body), target_id: "7", target_name: "Acme" },
  }));
  server.on(`GET /api/v1/invoices/${id}/unknown-names`, {
    json: {
      names: ["Acmee", "Acne", "Acme 2"].map((text) => ({
        kind: "customer",
        text,
        rows: "4",
        count: 1,
        unlocks: 1,
        suggestions: [entry],
        preselected_id: text === "Acme 2" ? null : "7",
      })),
      total_count: 3,
      next: null,
    },
  });
  await open();
  expect((await screen.findAllByText("Row 4 · Unlocks 1 invoice")).length).toBe(3);
  const unsure = screen.getByRole<HTMLInputElement>("combobox", { name: "Customer for Acme 2" });
  expect([unsure.value, unsure.placeholder]).toEqual(["", "Search customers"]);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Use for Acme 2" }).disabled).toBe(true);
  await userEvent.click(await screen.findByRole("button", { name: "Use all 2 suggestions" }));
  await screen.findByRole("button", { name: "Change the match for Acne" });
  expect(calls("PUT", "/api/v1/invoices/names").map(({ body }) => readText(body))).toEqual(["Acmee", "Acne"]);
  await waitFor(() => expect(calls("POST", `${CHECK}/again`)).toHaveLength(1));
});

test("an amount with a decimal comma is offered with a point, and used only once it is confirmed", async () => {
  const wrong = { ...wrongDate, code: "not_a_number", field: "rate", header: "Rate", value: "14,50" };
  const asked = () => calls("POST", `${CHECK}/again`).map(({ body }) => JSON.parse(body) as unknown);
  server.on(`GET ${CHECK}`, {
    json: check({
      report: report({ problems: [{ ...unknownCustomer, code: wrong.code, text: wrong.text }] }),
    }),
  });
  server.on(`POST ${CHECK}/again`, { status: 202, json: {} });
  server.on(`GET ${CHECK}/errors`, { json: { errors: [{ ...wrong, suggestion: "14.50" }], next: null } });
  await open();
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Rate of S-4" });
  expect(field.value).toBe("14.50");
  await userEvent.click(field);
  await userEvent.tab();
  await userEvent.click(screen.getByRole("checkbox", { name: "Post all or nothing" }));
  await waitFor(() => expect(asked()).toEqual([{ cells: [], invoices: [], mode: "file" }]));
  await userEvent.click(screen.getByRole("button", { name: "Use" }));
  await waitFor(() =>
    expect(asked()[1]).toEqual({ cells: [{ row: 6, field: "rate", value: "14.50" }], invoices: [] }),
  );
});

const readText = (body: string) => (JSON.parse(body) as { text: string }).text;

test.each([
  { by: "Enter", typed: "2026-11-22{Enter}" },
  { by: "its button", typed: "2026-11-22" },
])(
  "a cell corrected in the review by $by is asked about once, named there, and can be put back",
  async ({ by, typed }) => {
    const wrong = {
      code: "date_unreadable",
      severity: "error",
      text: "Not a date.",
      row: 7,
      place: "7",
      field: "invoiceDate",
      header: "Invoice Date",
      value: "32/11/2026",
      suggestion: null,
      date_order: null,
      seq: 3,
      doc_number: "V-6",
    };
    const cell = { row: 7, field: "invoiceDate", value: "2026-11-22" };
    const asked = () => calls("POST", `${CHECK}/again`).map(({ body }) => JSON.parse(body) as unknown);
    server.on(`GET ${CHECK}`, () => ({
      json: check({
        revision: 1 + asked().length,
        report: report({ problems: [{ ...unknownCustomer, code: wrong.code, text: wrong.text }] }),
        corrections:
          asked().length === 1 ? [{ ...cell, place: "7", header: "Invoice Date", was: wrong.value }] : [],
      }),
    }));
    server.on(`POST ${CHECK}/again`, { status: 202, json: {} });
    server.on(`GET ${CHECK}/errors`, () => ({
      json: { errors: asked().length === 1 ? [] : [wrong], next: null },
    }));
    await open();
    const field = await screen.findByRole("textbox", { name: "Invoice Date of V-6" });
    await userEvent.clear(field);
    await userEvent.type(field, typed);
    if (by === "its button") await userEvent.click(screen.getByRole("button", { name: "Use" }));
    await userEvent.click(await screen.findByRole("button", { name: "1 correction" }));
    expect(asked()).toEqual([{ cells: [cell], invoices: [] }]);
    await userEvent.click(
      await screen.findByRole("button", { name: "Undo the correction of Invoice Date in row 7" }),
    );
    await waitFor(() =>
      expect(asked()[1]).toEqual({ cells: [{ ...cell, value: wrong.value }], invoices: [] }),
    );
  },
);

test("UP-42 the first of many unknown names have questions, and the page counts the rest and reads them on demand", async () => {
  server.on(`GET ${CHECK}`, { json: check({ report: report({ problems: [unknownCustomer] }) }) });
  const page = (from: number, next: number | null) => ({
    json: {
      names: Array.from({ length: 25 }, (_, index) => ({
        kind: "customer",
        text: `Trading ${from + index}`,
        rows: "4",
        count: 1,
        unlocks: 1,
        suggestions: [],
        preselected_id: null,
      })),
      total_count: 31_000,
      next,
    },
  });
  const path = `/api/v1/invoices/${id}/unknown-names`;
  server.on(`GET ${path}`, () => (calls("GET", path).length > 1 ? page(25, 50) : page(0, 25)));
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Show 30,975 more names" }));
  await screen.findByRole("combobox", { name: "Customer for Trading 49" });
  expect(screen.getByRole("combobox", { name: "Customer for Trading 0" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Show 30,950 more names" })).toBeTruthy();
  expect(calls("GET", path).map(({ url }) => url.searchParams.get("after"))).toEqual(["0", "25"]);
});

const UNKNOWN_ACMEE = {
  names: [
    {
      kind: "customer",
      text: "Acmee",
      rows: "4",
      count: 1,
      unlocks: 1,
      suggestions: [],
      preselected_id: null,
    },
  ],
  total_count: 1,
  next: null,
};

test("a customer is created only when the user chooses it instead of a match", async () => {
  server.on(`GET ${CHECK}`, { json: check({ report: report({ problems: [unknownCustomer] }) }) });
  server.on(`GET /api/v1/invoices/${id}/unknown-names`, { json: UNKNOWN_ACMEE });
  server.on("POST /api/v1/invoices/customers", { json: { id: "9", name: "Acmee" } });
  await open();
  const choice = await screen.findByRole("combobox", { name: "Customer for Acmee" });
  expect(screen.queryByRole("button", { name: "Create for Acmee" })).toBeNull();
  await userEvent.click(choice);
  await userEvent.click(screen.getByRole("option", { name: 'Create "Acmee" in QuickBooks' }));
  await userEvent.click(screen.getByRole("button", { name: "Create for Acmee" }));
  await screen.findByRole("button", { name: "Change the match for Acmee" });
  const [post] = calls("POST", "/api/v1/invoices/customers");
  expect(JSON.parse(post?.body ?? "")).toEqual({ name: "Acmee", confirmed: true });
});

test("other QuickBooks entries are found in the same field by typing, and chosen with the arrow keys", async () => {
  server.on(`GET ${CHECK}`, { json: check({ report: report({ problems: [unknownCustomer] }) }) });
  const suggested = { suggestions: [{ id: "7", name: "Acme" }], preselected_id: "7" };
  const names = UNKNOWN_ACMEE.names.map((name) => ({ ...name, ...suggested }));
  server.on(`GET /api/v1/invoices/${id}/unknown-names`, { json: { ...UNKNOWN_ACMEE, names } });
  server.on("GET /api/v1/invoices/lists/customer", {
    json: { entries: [{ id: "8", name: "Ace Hardware" }] },
  });
  await open();
  const field = await screen.findByRole<HTMLInputElement>("combobox", { name: "Customer for Acmee" });
  const use = screen.getByRole<HTMLButtonElement>("button", { name: "Use for Acmee" });
  expect([field.value, use.disabled]).toEqual(["Acme", false]);
  await userEvent.clear(field);
  await userEvent.type(field, "ace");
  expect(await screen.findByRole("option", { name: "Ace Hardware" })).toBeTruthy();
  expect(use.disabled).toBe(true);
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect([field.value, use.disabled, field.ariaExpanded]).toEqual(["Ace Hardware", false, "false"]);
  // A text that is not an entry is replaced by the previous entry.
  await userEvent.clear(field);
  await userEvent.type(field, "acez");
  await userEvent.tab();
  expect(field.value).toBe("Ace Hardware");
  expect(calls("GET", "/api/v1/invoices/lists/customer").map(({ url }) => url.searchParams.get("q"))).toEqual(
    ["ace"],
  );
});

test("a missing item is searched in its own cell and sent once it is chosen; the cause is short, with the fix below it", async () => {
  const text = "Item is missing. Name one of QuickBooks.";
  const wrong = { ...wrongDate, code: "item_missing", text, field: "item", header: "Item", value: "" };
  server.on(`GET ${CHECK}`, {
    json: check({ report: report({ problems: [{ ...unknownCustomer, code: wrong.code, text }] }) }),
  });
  server.on(`POST ${CHECK}/again`, { status: 202, json: {} });
  server.on(`GET ${CHECK}/errors`, { json: { errors: [wrong], next: null } });
  server.on("GET /api/v1/invoices/lists/item", { json: { entries: [{ id: "5", name: "Claw Hammer" }] } });
  await open();
  const field = await screen.findByRole<HTMLInputElement>("combobox", { name: "Item of S-4" });
  expect(screen.getByText("Item is missing").tagName).toBe("STRONG");
  expect(screen.getByText(/· Item · Name one of QuickBooks\./)).toBeTruthy();
  await userEvent.type(field, "claw");
  await userEvent.click(await screen.findByRole("option", { name: "Claw Hammer" }));
  await waitFor(() => expect(calls("POST", `${CHECK}/again`)).toHaveLength(1));
  expect(JSON.parse(calls("POST", `${CHECK}/again`)[0]?.body ?? "")).toEqual({
    cells: [{ row: 6, field: "item", value: "Claw Hammer" }],
    invoices: [],
  });
});

test("cells corrected while another request reruns the check are sent after it, without an error", async () => {
  const wrong = (row: number) => ({
    ...wrongDate,
    row,
    place: String(row),
    seq: row,
    doc_number: `V-${row}`,
  });
  const asked = () => calls("POST", `${CHECK}/again`);
  let found = check({ report: report({ problems: [{ ...unknownCustomer, code: wrongDate.code }] }) });
  server.on(`GET ${CHECK}`, () => ({ json: found }));
  server.on(`GET ${CHECK}/errors`, { json: { errors: [2, 3, 4].map(wrong), next: null } });
  server.on(`POST ${CHECK}/again`, () => {
    if (asked().length > 1) return { status: 202, json: {} };
    found = { ...found, revision: 2 };
    return problem(409, "The check isn't finished yet, or was posted. Reload the page.");
  });
  await open();
  for (const row of [2, 3, 4]) {
    const field = await screen.findByRole("textbox", { name: `Invoice Date of V-${row}` });
    await userEvent.clear(field);
    await userEvent.fill(field, `1/${row}/2026`);
    await userEvent.keyboard("{Enter}");
  }
  const cellsOf = ({ body }: { body: string }) => (JSON.parse(body) as { cells: { value: string }[] }).cells;
  const accepted = () => asked().slice(1).flatMap(cellsOf);
  await waitFor(() =>
    expect(accepted().map(({ value }) => value)).toEqual(["1/2/2026", "1/3/2026", "1/4/2026"]),
  );
  expect(asked().map(({ url }) => url.searchParams.get("revision"))).toEqual(
    asked().map((_, index) => (index === 0 ? "1" : "2")),
  );
  expect(screen.queryByText(/^The check isn't finished yet/)).toBeNull();
});

test("a check that stopped is repeated here, after a reload too, without choosing the file again", async () => {
  const reason = "Not posted: the company's QuickBooks subscription has ended.";
  server.on(`GET ${CHECK}`, () => ({
    json: calls("POST", `${CHECK}/again`).length === 0 ? check({ state: "failed", reason }) : check(),
  }));
  server.on(`POST ${CHECK}/again`, { status: 202, json: {} });
  await open();
  expect(await within(await card()).findByText(reason)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Post/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));
  await screen.findByRole("button", { name: /^Post 3 invoices/ });
  expect(calls("POST", `${CHECK}/again`).map(({ body }) => JSON.parse(body ?? ""))).toEqual([
    { cells: [], invoices: [] },
  ]);
});

test("a check that stopped and that the server refuses to repeat is asked for once, and says why", async () => {
  const refusal = "The check isn't finished yet, or was posted. Reload the page.";
  server.on(`GET ${CHECK}`, { json: check({ state: "failed", reason: "Stopped." }) });
  server.on(`POST ${CHECK}/again`, () => problem(409, refusal));
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Check again" }));
  expect(await screen.findByText(refusal)).toBeTruthy();
  expect(calls("POST", `${CHECK}/again`)).toHaveLength(1);
});

test("correcting a review that another user has posted shows an error", async () => {
  const refusal = "The check isn't finished yet, or was posted. Reload the page.";
  let found = check({ report: report({ problems: [{ ...unknownCustomer, code: wrongDate.code }] }) });
  server.on(`GET ${CHECK}`, () => ({ json: found }));
  server.on(`GET ${CHECK}/errors`, { json: { errors: [wrongDate], next: null } });
  server.on(`POST ${CHECK}/again`, () => {
    found = { ...found, state: "posting" };
    return problem(409, refusal);
  });
  await open();
  const field = await screen.findByRole("textbox", { name: "Invoice Date of S-4" });
  await userEvent.clear(field);
  await userEvent.fill(field, "11/22/2026");
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByText(refusal)).toBeTruthy();
  expect(calls("POST", `${CHECK}/again`)).toHaveLength(1);
});

test("duplicates from other files are counted, and one button includes them", async () => {
  server.on(`GET ${CHECK}`, { json: check({ report: report({ equal_invoices: 2 }) }) });
  server.on(`POST ${CHECK}/equal-invoices`, { status: 202, json: {} });
  await open();
  expect(
    await screen.findByText(
      /^2 invoices are left out because identical ones are in other files or in QuickBooks\./,
    ),
  ).toBeTruthy();
  server.on(`GET ${CHECK}`, { json: check() });
  await userEvent.click(screen.getByRole("button", { name: "Post these too" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Post these too" })).toBeNull());
  expect(calls("POST", `${CHECK}/equal-invoices`)).toHaveLength(1);
});

test("SH-13 tax of the file that the books won't have is shown above the invoices, not among the notes", async () => {
  const text = "The file has $47.40 in sales tax in column Taxes, and none of it will be in QuickBooks.";
  const tax = { ...skuWarning, code: "tax_not_billed", column: "", text };
  server.on(`GET ${CHECK}`, { json: check({ report: report({ problems: [tax, skuWarning] }) }) });
  await open();
  expect(await screen.findByText("The file's sales tax won't be in QuickBooks")).toBeTruthy();
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByRole("button", { name: "1 note" })).toBeTruthy();
});

test("SH-11 what was posted and what the file has now are compared line by line, in one click", async () => {
  onTestFinished(layOut({ clientHeight: 440, clientWidth: 800, offsetHeight: 440, offsetWidth: 800 }));
  const line = { item: "Claw Hammer", description: "", rate: 8, filled: [] };
  server.on(`GET ${CHECK}`, { json: check({ report: report({}) }) });
  server.on(`GET ${CHECK}/invoices`, { json: { revision: 1, invoices: sampleInvoices } });
  server.on(`GET ${CHECK}/invoices/4`, {
    json: {
      lines: [{ ...line, row: 7, place: "7", qty: 3, amount: 18.5 }],
      problems: [],
      posted: {
        customer: "Acme",
        date: "2027-02-01",
        due_date: null,
        amount: "16.00",
        lines: [{ ...line, row: 9, place: "9", qty: 2, amount: 16 }],
      },
    },
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Compare S-5" }));
  const texts = async (name: string) =>
    within(await screen.findByRole("table", { name }))
      .getAllByRole("row")
      .slice(1)
      .map(({ textContent }) => textContent);
  expect(await texts("Posted Nov 28, 2026: Acme, Feb 1, 2027, $16.00")).toEqual(["Claw Hammer28.00$16.009"]);
  expect(await texts("In this file: Acme, Mar 1, 2027, $18.50")).toEqual(["Claw Hammer38.00$18.507"]);
  // It isn't posted again, so there is nothing to leave out.
  expect(screen.queryByRole("button", { name: /^Leave out/ })).toBeNull();
});

test("sums over several currencies are plain numbers, and the page says so", async () => {
  server.on(`GET ${CHECK}`, { json: check({ report: report({ currencies: ["CAD", "USD"] }) }) });
  await open();
  expect(
    await screen.findByText(
      "Invoices are billed in CAD and USD. Totals add up the amounts without converting them.",
    ),
  ).toBeTruthy();
  expect(screen.getByRole("button", { name: "Post 3 invoices (1,134.20)" })).toBeTruthy();
});

test("the all-or-nothing checkbox checks the stored file in that mode", async () => {
  const asked = () => calls("POST", `${CHECK}/again`).map(({ body }) => JSON.parse(body) as unknown);
  server.on(`GET ${CHECK}`, () => ({
    json: check({ revision: 1 + asked().length, mode: asked().length === 1 ? "file" : "invoice" }),
  }));
  server.on(`POST ${CHECK}/again`, { status: 202, json: {} });
  await open();
  const box = await screen.findByRole<HTMLInputElement>("checkbox", {
    name: "Post all or nothing",
  });
  expect(box.checked).toBe(false);
  await userEvent.click(box);
  await waitFor(() => expect(box.checked).toBe(true));
  expect(asked()).toEqual([{ cells: [], invoices: [], mode: "file" }]);
  expect(
    screen.getByText("Nothing can be posted yet. Answer the questions and fix the cells below."),
  ).toBeTruthy();
});

test("four problems with one cause are one entry that opens to its cells", async () => {
  const wrong = (row: number) => ({
    code: "customer_blank",
    severity: "error",
    text: "Customer is missing.",
    row,
    place: String(row),
    field: "customer",
    header: "Customer",
    value: "",
    suggestion: null,
    date_order: null,
    seq: row,
    doc_number: `V-${row}`,
  });
  server.on(`GET ${CHECK}`, {
    json: check({ report: report({ problems: [{ ...unknownCustomer, code: "customer_blank" }] }) }),
  });
  server.on(`GET ${CHECK}/errors`, { json: { errors: [2, 3, 4, 5].map(wrong), next: null } });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Fix 4 cells" }));
  expect(
    screen
      .getAllByRole("combobox", { name: / of V-/ })
      .map(({ ariaLabel, id }) => ariaLabel ?? findLabel(id)),
  ).toEqual(["Customer of V-2", "Customer of V-3", "Customer of V-4", "Customer of V-5"]);
});

test.each(["{", '{"cells":[{"row":7}]}', '{"cells":[]}'])(
  "a review is shown whatever another version of the page stored for it: %s",
  async (kept) => {
    window.sessionStorage.setItem(`draft:check.${id}`, kept);
    server.on(`GET ${CHECK}`, { json: check() });
    await open();
    expect(await screen.findByRole("region", { name: "Totals of march.xlsx" })).toBeTruthy();
    expect(calls("POST", `${CHECK}/again`)).toEqual([]);
  },
);

test("a date typed in place of a wrong one is answered in words, in the order of the file's own dates", async () => {
  server.on(`GET ${CHECK}`, {
    json: check({ report: report({ problems: [{ ...unknownCustomer, code: wrongDate.code }] }) }),
  });
  server.on(`GET ${CHECK}/errors`, { json: { errors: [wrongDate], next: null } });
  await open();
  const field = await screen.findByRole("textbox", { name: "Invoice Date of S-4" });
  await userEvent.clear(field);
  await userEvent.fill(field, "3/4/2026");
  expect(screen.getByText("April 3, 2026")).toBeTruthy();
});

test("a wrong cell is found after invoices that have only questions", async () => {
  const question = {
    code: "customer_unknown",
    severity: "error",
    row: 2,
    place: "2",
    field: "customer",
    header: "Customer",
    text: 'Customer "Nobody" is not in QuickBooks.',
    value: "Nobody",
    suggestion: null,
    date_order: null,
    seq: 0,
    doc_number: "V-2",
  };
  const wrong = {
    ...question,
    code: "date_invalid",
    row: 300,
    place: "300",
    field: "date",
    header: "Invoice Date",
    text: "This isn't a date.",
    value: "soon",
    seq: 120,
    doc_number: "V-300",
  };
  const problems = [unknownCustomer, { ...unknownCustomer, code: "date_invalid", text: wrong.text }];
  server.on(`GET ${CHECK}`, { json: check({ report: report({ problems }) }) });
  server.on(`GET ${CHECK}/errors`, ({ url }) => ({
    json:
      url.searchParams.get("after") === "-1"
        ? { errors: [question], next: 100 }
        : { errors: [wrong], next: null },
  }));
  await open();
  expect(await screen.findByRole("textbox", { name: "Invoice Date of V-300" })).toBeTruthy();
});

const findLabel = (id: string) => document.querySelector(`label[for="${id}"]`)?.textContent;
