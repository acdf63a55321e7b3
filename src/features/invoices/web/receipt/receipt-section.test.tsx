import {
  sampleInvoice as invoice,
  sampleReceipt as receipt,
} from "#features/invoices/web/fixtures/receipts.ts";
import { acme, owner, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";

const server = await startServer();
const id = "0198c0de-0000-7000-8000-000000000001";
const RECEIPT = `/api/v1/invoices/${id}/receipt`;

async function open(connection = "connected") {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection }] },
  });
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
  server.visit(`/app/?receipt=${id}`);
  renderPage();
  await screen.findByRole("region", { name: "Receipt for march.xlsx" });
}

const readTexts = (table: HTMLElement) =>
  within(table)
    .getAllByRole("row")
    .map((row) => [...row.children].map((cell) => cell.textContent));

test("a file that waits for a lost connection shows no figures yet, and says how it goes on", async () => {
  const none = { invoices: 0, amount: "0.00" };
  const unread = receipt({
    finished_at: null,
    read: none,
    posted: none,
    rejected: none,
    open: none,
    invoices: [],
  });
  server.on(`GET ${RECEIPT}`, { json: unread });
  await open("reconnect_needed");
  expect(await screen.findByRole("heading", { name: "Reading march.xlsx" })).toBeTruthy();
  expect(await screen.findByRole("link", { name: "Reconnect" })).toBeTruthy();
  expect(screen.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual(["—"]);
  expect(screen.queryByText("Control totals")).toBeNull();
});

test("rows of the file that are in no invoice are reported", async () => {
  server.on(`GET ${RECEIPT}`, { json: receipt({ missing_rows: 2, agrees: false }) });
  await open();
  expect(
    await screen.findByText(/^2 rows of your file aren't in any invoice on this receipt\./),
  ).toBeTruthy();
});

test.each([
  ["Yes, it's in QuickBooks", true],
  ["No, post it", false],
])("an invoice that QuickBooks never confirmed is asked about: %s", async (name, is_in_books) => {
  const unresolved = invoice(2, { state: "unresolved", seq: 4, sentence: "Is this the same invoice?" });
  server.on(`GET ${RECEIPT}`, { json: receipt({ invoices: [unresolved, invoice(3)] }) });
  server.on(`POST /api/v1/invoices/${id}/invoices/4/answer`, { status: 202, json: {} });
  await open();
  const question = await screen.findByRole("group", { name: "Is the invoice of rows 2 in QuickBooks?" });
  expect(screen.getAllByRole("group", { name: /in QuickBooks\?$/ })).toHaveLength(1);
  await userEvent.click(within(question).getByRole("button", { name }));
  const answers = () =>
    server.requests.filter(
      ({ method, url }) => method === "POST" && url.pathname.endsWith("/invoices/4/answer"),
    );
  await waitFor(() => expect(answers().map(({ body }) => JSON.parse(body ?? ""))).toEqual([{ is_in_books }]));
});

test("file totals are on the receipt, and one that is not a sum keeps it from reporting a match", async () => {
  const file_totals = [
    { row: "9", amount: "1030.00", agrees: true },
    { row: "12", amount: "1040.00", agrees: false },
  ];
  server.on(`GET ${RECEIPT}`, { json: receipt({ file_totals, agrees: false }) });
  await open();
  expect(await screen.findByText("Matches, except totals of your file.")).toBeTruthy();
  expect(
    await screen.findByText("Totals in your file that don't match its rows: row 12 (1040.00)."),
  ).toBeTruthy();
});

test("sales tax that differs from the file's is shown, and keeps the receipt from reporting a match", async () => {
  const tax_in_file = { amount: "5.40", computed: "5.00" };
  server.on(`GET ${RECEIPT}`, { json: receipt({ tax_in_file, agrees: false }) });
  await open();
  expect(await screen.findByText("Matches, except sales tax.")).toBeTruthy();
  expect(
    await screen.findByText(
      /^Your file has CA\$5\.40 in sales tax; QuickBooks computed CA\$5\.00 for the same/,
    ),
  ).toBeTruthy();
  expect(screen.queryByText(/^Everything matches/)).toBeNull();
});

test("a sheet that wasn't read keeps the receipt from saying that everything matches", async () => {
  server.on(`GET ${RECEIPT}`, { json: receipt({ unread_sheets: ["November"], agrees: false }) });
  await open();
  expect(await screen.findByText('Matches, except sheet "November", which wasn\'t read.')).toBeTruthy();
  expect(screen.queryByText(/^Everything matches/)).toBeNull();
});

test("the receipt shows invoices read and their outcomes, and that QuickBooks has the same amounts", async () => {
  server.on(`GET ${RECEIPT}`, { json: receipt() });
  await open();
  expect(readTexts(await screen.findByRole("table", { name: "Control totals" }))).toEqual([
    ["Control totals", "Invoices", "Amount"],
    ["In your file", "3", "CA$1,030.00"],
    ["Not posted, needs fixing", "1", "CA$10.00"],
    ["Sent to QuickBooks", "2", "CA$1,020.00"],
    ["Found in QuickBooks", "2", "CA$1,020.00"],
    ["Difference", "0", "CA$0.00"],
  ]);
  expect(screen.getByText("QuickBooks added CA$5.00 in tax, for a total of CA$1,025.00.")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "2 invoices posted" })).toBeTruthy();
  expect(screen.getByText("The 2 posted invoices match your file, to the cent.")).toBeTruthy();
  expect(readTexts(await screen.findByRole("table", { name: "Invoices" })).slice(0, 2)).toEqual([
    ["Rows", "Invoice", "Customer", "Date", "Due", "Lines", "In the file", "In QuickBooks", "State"],
    ["2", "S-2", "Acme", "Mar 1, 2027", "Mar 31, 2027", "2", "CA$10.00", "CA$10.00", "Posted"],
  ]);
  const link = screen.getByRole("link", { name: "Invoice S-2 in QuickBooks" });
  expect(link.getAttribute("href")).toBe("https://books.example/invoice/2");
});

test("a due date that is not in the file is marked, and one legend says where it came from", async () => {
  const derived = invoice(2, { due_date: "2027-04-30", is_due_derived: true });
  server.on(`GET ${RECEIPT}`, { json: receipt({ invoices: [derived, invoice(3)] }) });
  await open();
  const table = await screen.findByRole("table", { name: "Invoices" });
  const dues = readTexts(table).map((cells) => cells[4]);
  expect(dues).toEqual(["Due", "Apr 30, 2027 calculated from the terms", "Mar 31, 2027"]);
  expect(screen.getByText(/^Underlined due dates aren't in your file\./)).toBeTruthy();
});

test("names that need an answer are counted separately from what needs fixing, as in the review", async () => {
  const unanswered = invoice(4, { state: "rejected", is_unanswered: true, sentence: "Who is Acmee?" });
  const share = (invoices: number, amount: string) => ({ invoices, amount });
  server.on(`GET ${RECEIPT}`, {
    json: receipt({
      read: share(5, "50.00"),
      rejected: share(3, "30.00"),
      unanswered: share(2, "19.50"),
      invoices: [unanswered],
    }),
  });
  await open();
  const totals = readTexts(await screen.findByRole("table", { name: "Control totals" }));
  expect(totals.filter(([name]) => name?.startsWith("Not posted"))).toEqual([
    ["Not posted, needs an answer", "2", "CA$19.50"],
    ["Not posted, needs fixing", "1", "CA$10.50"],
  ]);
  const band = screen.getByRole("region", { name: "Totals of march.xlsx" });
  expect(band.textContent).toMatch(/Need an answer2Need fixing1/);
  expect(within(band).getByRole("button", { name: "Fix 3 invoices" })).toBeTruthy();
  expect(await screen.findByText("Needs an answer")).toBeTruthy();
});

test("while a long upload is posted the receipt estimates the remaining time, once its pace is known", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const began = Date.now();
  let posted = 0;
  const share = (invoices: number) => ({ ...receipt().read, invoices });
  server.on(`GET ${RECEIPT}`, () => {
    vi.setSystemTime(began + posted * 200);
    const open = { posted: share(posted), open: share(1_000 - posted), rejected: share(0) };
    return { json: receipt({ ...open, read: share(1_000), finished_at: null }) };
  });
  await open();
  await screen.findByRole("progressbar", { name: "0 of 1,000 invoices done" });
  expect(screen.queryByText(/ left$/)).toBeNull();
  posted = 100;
  expect(await screen.findByText("About 3 minutes left")).toBeTruthy();
  posted = 900;
  expect(await screen.findByText("Less than a minute left")).toBeTruthy();
  posted = 1_000;
  await screen.findByRole("progressbar", { name: "1,000 of 1,000 invoices done" });
  expect(screen.queryByText(/ left$/)).toBeNull();
});

test("values that QuickBooks stored differently are listed beside those sent", async () => {
  const differences = [{ field: "rate" as const, line: 2, sent: "1.50", answered: "1.55" }];
  server.on(`GET ${RECEIPT}`, {
    json: receipt({
      agrees: false,
      difference: "0.05",
      flags: [{ ...invoice(2), differences }],
      flag_count: 1,
    }),
  });
  await open();
  expect(await screen.findByText(/differs from your file by CA\$0\.05/)).toBeTruthy();
  const table = screen.getByRole("table", { name: "Differences (1)" });
  expect(readTexts(table)[1]).toEqual(["S-2", "Acme", "2", "Rate", "1.50", "1.55"]);
});

test("printing waits until every invoice is on the page", async () => {
  server.on(`GET ${RECEIPT}`, ({ url }) => {
    const after = Number(url.searchParams.get("after"));
    const invoices = [invoice(after + 3)];
    return { json: receipt({ invoices, next: after < 2 ? after + 1 : null }) };
  });
  let printed = 0;
  vi.spyOn(window, "print").mockImplementation(() => {
    window.dispatchEvent(new Event("beforeprint"));
    printed = screen.getByRole("table", { name: "Invoices" }).querySelectorAll("tbody tr").length;
  });
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Print receipt" }));
  await waitFor(() => expect(printed).toBe(4));
});

test("the receipt gets the focus when it opens, and the page title when it closes", async () => {
  server.on(`GET ${RECEIPT}`, { json: receipt() });
  await open();
  await screen.findByRole("heading", { level: 1, name: "2 invoices posted" });
  await waitFor(() => expect(document.activeElement?.textContent).toContain("2 invoices posted"));
  await userEvent.click(screen.getByRole("button", { name: "Upload another file" }));
  await screen.findByRole("region", { name: "Upload" });
  expect(window.location.search).toBe("");
  await waitFor(() => expect(document.activeElement?.tagName).toBe("H1"));
});

test("an invoice with a problem reported by QuickBooks shows the reference that Intuit's support asks for", async () => {
  const refused = { state: "rejected", sentence: "QuickBooks rejected it.", intuit_tid: "1-63f" } as const;
  server.on(`GET ${RECEIPT}`, { json: receipt({ invoices: [invoice(2), invoice(3, refused)] }) });
  await open();
  expect((await screen.findAllByText(/^Intuit reference/)).map(({ textContent }) => textContent)).toEqual([
    "Intuit reference 1-63f",
  ]);
});

test("a receipt's invoices can be narrowed to those not posted and to those with a text, with their counts", async () => {
  const invoices = [
    invoice(2),
    invoice(3, { customer: "Red Rock Diner" }),
    invoice(4, { state: "rejected", link: null, qbo_total: null, sentence: "Qty is missing." }),
  ];
  server.on(`GET ${RECEIPT}`, ({ url }) => {
    const search = url.searchParams.get("search") ?? "";
    const filter = url.searchParams.get("filter");
    const listed = invoices.filter(
      ({ state, customer }) =>
        customer.includes(search) && (filter === "all" || (state === "posted") === (filter === "posted")),
    );
    return { json: receipt({ invoices: listed }) };
  });
  await open();
  const rows = () =>
    readTexts(screen.getByRole("table", { name: "Invoices" }))
      .slice(1)
      .map(([first]) => first);
  await waitFor(() => expect(rows()).toEqual(["2", "3", "4"]));
  const filters = within(screen.getByRole("group", { name: "Show" }));
  expect(filters.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "All\u00A03",
    "Posted\u00A02",
    "Not posted\u00A01",
  ]);
  await userEvent.click(filters.getByRole("button", { name: /^Not posted/ }));
  await waitFor(() => expect(rows()).toEqual(["4"]));
  await userEvent.click(filters.getByRole("button", { name: /^All/ }));
  await userEvent.type(screen.getByRole("searchbox", { name: "Search invoices" }), "Red");
  await waitFor(() => expect(rows()).toEqual(["3"]));
  await userEvent.type(screen.getByRole("searchbox", { name: "Search invoices" }), "dish");
  expect(await screen.findByText("No invoice matches.")).toBeTruthy();
  expect(screen.getByText("The 2 posted invoices match your file, to the cent.")).toBeTruthy();
});

test.each([
  ["unresolved", "We don't know whether 2 invoices of this file are in Acme Tools. See below."],
  ["skipped", "This upload posted nothing: 2 invoices were uploaded before."],
  ["rejected", "Nothing from this file is in Acme Tools now."],
] as const)(
  "a receipt of %s invoices only says no more of the books than is known",
  async (outcome, verdict) => {
    const [none, all] = [
      { invoices: 0, amount: "0.00" },
      { invoices: 2, amount: "20.00" },
    ];
    const books = { ...none, tax: "0.00", total: "0.00" };
    const only = { read: all, posted: none, rejected: none, books, [outcome]: all };
    server.on(`GET ${RECEIPT}`, { json: receipt({ ...only, invoices: [] }) });
    await open();
    expect(await screen.findByText(verdict)).toBeTruthy();
  },
);
