import { sampleReceipt } from "#features/invoices/web/fixtures/receipts.ts";
import { sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import {
  acme,
  type ServerCall,
  owner,
  problem,
  renderApp,
  renderPage,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
const id = "0198c0de-0000-7000-8000-000000000f01";
const counts = { total: 2, completed: 1, problems: 1, open: 0 };
const fault = (message: string) => [{ code: "customer_unknown", field: "customer", column: 1, message }];
const results = [
  { status: 0, rows: "2", message: "1 invoice posted." },
  {
    status: 2,
    rows: "3",
    message: 'B3: Customer "Nobody" is not in QuickBooks.',
    problems: fault('Customer "Nobody" is not in QuickBooks.'),
  },
];
const upload = sampleUpload({ id, filename: "Typed invoices", results, counts });

async function open(address = "/app/?form=1", uploads: object[] = [], render = renderPage) {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection: "connected" }] },
  });
  server.on("GET /api/v1/invoices", { json: { uploads, total_count: uploads.length, in_process: false } });
  server.visit(address);
  render();
  await screen.findByRole("heading", { level: 2, name: "Results" });
  await screen.findByRole("table", { name: "Invoice entry" });
}

/** Stubs the check's replies with the results `found`, after `wait`. */
function stubCheck({
  found = results,
  wait,
  corrections = [],
  state = "checked",
}: { found?: object[]; wait?: Promise<unknown>; corrections?: object[]; state?: string } = {}) {
  const share = { invoices: 1, rows: 1, amount: "5.00" };
  const report = {
    total: share,
    ready: share,
    rejected: share,
    skipped: share,
    customers: 1,
    currencies: [],
    problems: [],
    possible_duplicates: [],
    equal_invoices: 0,
  };
  const checked = {
    id,
    filename: upload.filename,
    timestamp: upload.timestamp,
    result_count: 2,
    revision: 1,
    state,
    reason: "",
    mode: "invoice",
    changes: [],
    corrections,
    left_out: [],
  };
  server.on("POST /api/v1/invoices/checks", { status: 202, json: upload, ...(wait ? { wait } : {}) });
  server.on(`GET /api/v1/invoices/checks/${id}`, { json: { ...checked, results: found, report } });
  server.on(`GET /api/v1/invoices/checks/${id}/invoices`, { json: { revision: 1, invoices: [] } });
  server.on(`GET /api/v1/invoices/checks/${id}/errors`, { json: { errors: [], next: null } });
  server.on(`GET /api/v1/invoices/${id}/results`, { json: { results: found } });
}

const cell = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const paste = (name: string, text: string) =>
  fireEvent.paste(cell(name), { clipboardData: { getData: () => text } });
const posts = (path: string): ServerCall[] =>
  server.requests.filter(({ method, url }) => method === "POST" && url.pathname === path);

test("typed invoices are sent as a file with the template's headers", async () => {
  await open();
  server.on("POST /api/v1/invoices", problem(400, "The selected file is empty."));
  expect([button("Upload").disabled, button("Review").disabled]).toEqual([true, true]);
  await userEvent.type(cell("Customer, row 2"), "Acme");
  await userEvent.type(cell("Amount, row 2"), "5");
  await userEvent.click(button("Upload"));
  await screen.findByText("The selected file is empty.");
  const [post] = posts("/api/v1/invoices");
  expect(post?.body).toContain('name="file"; filename="Typed invoices"');
  expect(post?.body).toContain('"Invoice No","Customer","Invoice Date"');
  expect(post?.body).toContain('"","Acme","","","","","","","5",""');
  expect(cell("Customer, row 2").value).toBe("Acme");
});

test("cells of a spreadsheet can be pasted, and the keyboard moves between cells", async () => {
  await open();
  paste("Invoice No, row 2", "A-1\tAcme\r\nA-2\tBeta\r\n");
  expect([cell("Customer, row 2").value, cell("Customer, row 3").value]).toEqual(["Acme", "Beta"]);
  cell("Customer, row 2").focus();
  await userEvent.keyboard("{Enter}");
  expect(document.activeElement).toBe(cell("Customer, row 3"));
  await userEvent.keyboard("{ArrowUp}{ArrowRight}");
  expect(document.activeElement).toBe(cell("Invoice Date, row 2"));
  await userEvent.keyboard("{ArrowLeft}");
  expect(document.activeElement).toBe(cell("Customer, row 2"));
  await userEvent.click(button("Add 10 rows"));
  expect(cell("Customer, row 21")).toBeTruthy();
});

test("QuickBooks' customers, items and terms are suggested as their name is typed, and the arrow keys choose one", async () => {
  await open();
  const names = ["Cool Cars", "Coolidge Supply", "Uncool"].map((name, index) => ({ id: `${index}`, name }));
  server.on("GET /api/v1/invoices/lists/customer", { json: { entries: names } });
  server.on("GET /api/v1/invoices/lists/item", { json: { entries: [{ id: "9", name: "Cooler" }] } });
  const offered = () =>
    [...document.querySelectorAll("datalist option")].map((option) => option.getAttribute("value"));
  await userEvent.type(cell("Customer, row 2"), "cool");
  await waitFor(() => expect(offered()).toEqual(["Cool Cars", "Coolidge Supply", "Uncool"]));
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(cell("Customer, row 2"));
  fireEvent.input(cell("Customer, row 2"), { target: { value: "Cool Cars" } });
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(cell("Customer, row 3"));
  await userEvent.type(cell("Item, row 2"), "cool");
  await waitFor(() => expect(offered()).toEqual(["Cooler"]));
  await userEvent.type(cell("Description, row 2"), "cool");
  await waitFor(() => expect(offered()).toEqual([]));
  expect(cell("Description, row 2").list).toBeNull();
});

test("pasted headers choose the columns; the form names those it does not have", async () => {
  await open();
  paste("Invoice No, row 2", "Customer\tPO\tAmount\tInvoice No\nAcme\t77\t5\tA-1\n");
  const row = ["Invoice No", "Customer", "Invoice Date", "Amount"].map(
    (header) => cell(`${header}, row 2`).value,
  );
  expect(row).toEqual(["A-1", "Acme", "", "5"]);
  expect(
    screen.getByText(
      'This form has no column for "PO", so it was left out. Upload the spreadsheet to keep all columns.',
    ),
  ).toBeTruthy();
});

test("typed text stays while another part of the page is open", async () => {
  await open();
  await userEvent.type(cell("Customer, row 2"), "Acme");
  await userEvent.click(screen.getByRole("tab", { name: "Spreadsheet" }));
  await userEvent.click(screen.getByRole("tab", { name: "Type or paste" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Customer, row 2")).value).toBe("Acme");
});

/** Loads the page again, without the memory of the first one. */
async function reload(address = "/app/?form=1") {
  cleanup();
  await open(address);
}

test("UP-50 typed and pasted cells survive another page, a reload and an ended session, for their own user and company only", async () => {
  await open("/app/?form=1", [], renderApp);
  await userEvent.type(cell("Customer, row 2"), "Acme");
  paste("Item, row 3", "Hammer\t\r\nNails\t\r\n");
  await userEvent.click(screen.getByRole("link", { name: "Settings" }));
  await screen.findByRole("heading", { level: 1, name: /Settings/ });
  await reload();
  const kept = () => ["Customer, row 2", "Item, row 3", "Item, row 4"].map((name) => cell(name).value);
  expect(kept()).toEqual(["Acme", "Hammer", "Nails"]);

  server.on("POST /api/v1/invoices", problem(401, "Sign in."));
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  await userEvent.click(button("Upload"));
  await screen.findByText("You must sign in with Intuit to access the app.");
  await reload();
  expect(kept()).toEqual(["Acme", "Hammer", "Nails"]);

  cleanup();
  server.on("GET /api/v1/user", { json: owner({ email: "carl@acme.example", username: "carl" }) });
  server.visit("/app/?form=1");
  renderPage();
  await screen.findByRole("table", { name: "Invoice entry" });
  expect(kept()).toEqual(["", "", ""]);
});

test("UP-50 typed text is removed once it is posted, even if the user has left the page, and when the user clears it or signs out", async () => {
  await open();
  paste("Customer, row 2", "Acme\t\r\nNobody\t\r\n");
  server.on("POST /api/v1/invoices", { status: 202, json: upload });
  await userEvent.click(button("Upload"));
  await waitFor(() => expect(posts("/api/v1/invoices")).toHaveLength(1));
  cleanup();
  server.on(`GET /api/v1/invoices/${id}/results`, { json: { results } });
  await open("/app/?form=1", [upload]);
  await screen.findByText("1 row still needs fixing. The rest are posted.");
  await waitFor(() => expect(cell("Customer, row 2").value).toBe("Nobody"));
  await reload();
  expect([cell("Customer, row 2").value, cell("Customer, row 3").value]).toEqual(["Nobody", ""]);
  await userEvent.click(button("Clear all"));
  await reload();
  expect(cell("Customer, row 2").value).toBe("");

  await userEvent.type(cell("Customer, row 2"), "Acme");
  cleanup();
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  server.visit("/?signed_out=1");
  renderPage();
  // The form, and the note once the session is known to be over.
  await waitFor(() => expect(screen.getAllByText("You are signed out.")).toHaveLength(2));
  await reload();
  expect(cell("Customer, row 2").value).toBe("");
});

/** Leaves the review of typed invoices for the form. */
async function goOnTyping() {
  await screen.findByRole("heading", { level: 1, name: "Review Typed invoices" });
  expect(screen.queryByRole("table", { name: "Invoice entry" })).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Back to typing" }));
  await screen.findByRole("table", { name: "Invoice entry" });
}

test("the review of typed invoices takes over the page; back in the form its wrong cells are marked until they are corrected", async () => {
  await open();
  paste("Customer, row 2", "Acme\t\r\nNobody\t\r\n");
  stubCheck();
  await userEvent.click(button("Review"));
  await goOnTyping();
  expect(server.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  await waitFor(() => expect(cell("Customer, row 3").getAttribute("aria-invalid")).toBe("true"));
  const description = document.getElementById(cell("Customer, row 3").getAttribute("aria-describedby") ?? "");
  expect(description?.textContent).toBe('Customer "Nobody" is not in QuickBooks.');
  expect(cell("Customer, row 2").getAttribute("aria-invalid")).toBe("false");
  await userEvent.type(cell("Customer, row 3"), "!");
  expect(cell("Customer, row 3").getAttribute("aria-invalid")).toBe("false");

  await userEvent.click(button("Review"));
  await waitFor(() => expect(posts("/api/v1/invoices/checks")).toHaveLength(2));
  expect(posts("/api/v1/invoices/checks")[1]?.body).toContain('"Nobody!"');
});

const correct = (row: number, was: string) => ({
  row,
  place: String(row),
  field: "customer",
  header: "Customer",
  was,
  value: "Beta",
});

test("corrections made in the review are in the form, unless their cell has changed since", async () => {
  await open();
  paste("Customer, row 2", "Acme\t\r\nNobody\t\r\nNobody\t\r\n");
  stubCheck({ found: [], corrections: [correct(3, "Nobody"), correct(4, "Another")] });
  await userEvent.click(button("Review"));
  await goOnTyping();
  await waitFor(() => expect(cell("Customer, row 3").value).toBe("Beta"));
  expect([2, 4].map((row) => cell(`Customer, row ${row}`).value)).toEqual(["Acme", "Nobody"]);
});

test("a row that was corrected in the review, and is still wrong after posting, stays as it was corrected", async () => {
  await open();
  paste("Customer, row 2", "Acme\t\r\nNobody\t\r\nNobody\t\r\n");
  stubCheck();
  await userEvent.click(button("Review"));
  await screen.findByRole("heading", { level: 1, name: "Review Typed invoices" });
  cleanup();
  stubCheck({ state: "posted", corrections: [correct(3, "Nobody"), correct(4, "Nobody")] });
  server.on(`GET /api/v1/invoices/${id}/results`, { json: { results } });
  await open("/app/?form=1", [upload]);
  await screen.findByText("1 row still needs fixing. The rest are posted.");
  await waitFor(() => expect(cell("Customer, row 2").value).toBe("Beta"));
  expect(cell("Customer, row 2").getAttribute("aria-invalid")).toBe("true");
  expect(cell("Customer, row 3").value).toBe("");
});

test("a cell changed while the form is being sent for a check is not marked", async () => {
  await open();
  paste("Customer, row 2", "Nobody\t\r\nNobody\t\r\n");
  let answer: () => void = () => undefined;
  const unknown = ["2", "3"].map((rows) => ({
    status: 2,
    rows,
    message: `B${rows}: Who is "Nobody"?`,
    problems: fault('Who is "Nobody"?'),
  }));
  stubCheck({ found: unknown, wait: new Promise<void>((resolve) => (answer = resolve)) });
  await userEvent.click(button("Review"));
  await screen.findByRole("button", { name: "Cancel" });
  await userEvent.type(cell("Customer, row 3"), "!");
  answer();
  await goOnTyping();
  await waitFor(() => expect(cell("Customer, row 2").getAttribute("aria-invalid")).toBe("true"));
  expect(cell("Customer, row 3").value).toBe("Nobody!");
  expect(cell("Customer, row 3").getAttribute("aria-invalid")).toBe("false");
});

test("after an upload only the rows with problems stay", async () => {
  await open();
  paste("Customer, row 2", "Acme\t\r\nNobody\t\r\n");
  server.on("POST /api/v1/invoices", { status: 202, json: upload });
  server.on("GET /api/v1/invoices", { json: { uploads: [upload], total_count: 1, in_process: false } });
  server.on(`GET /api/v1/invoices/${id}/results`, { json: { results } });
  await userEvent.click(button("Upload"));
  await screen.findByText("1 row still needs fixing. The rest are posted.");
  expect([cell("Customer, row 2").value, cell("Customer, row 3").value]).toEqual(["Nobody", ""]);
  expect(cell("Customer, row 2").getAttribute("aria-invalid")).toBe("true");
});

test("the receipt of typed invoices appears where they were sent from", async () => {
  await open();
  paste("Customer, row 2", "Acme\t\r\nNobody\t\r\n");
  server.on("POST /api/v1/invoices", { status: 202, json: upload });
  server.on("GET /api/v1/invoices", { json: { uploads: [upload], total_count: 1, in_process: false } });
  const posted = { status: 0, rows: "2-3", message: "2 invoices posted." };
  server.on(`GET /api/v1/invoices/${id}/results`, { json: { results: [posted] } });
  server.on(`GET /api/v1/invoices/${id}/receipt`, {
    json: sampleReceipt({ upload_id: id, filename: upload.filename }),
  });
  await userEvent.click(button("Upload"));
  const receipt = within(await screen.findByRole("region", { name: "Receipt for Typed invoices" }));
  expect(receipt.getByRole("heading", { name: "2 invoices posted" })).toBeTruthy();
  // They are fixed in the form.
  expect(receipt.queryByRole("button", { name: /^Fix/ })).toBeNull();
  await waitFor(() => expect(cell("Customer, row 2").value).toBe(""));
  await userEvent.click(receipt.getByRole("link", { name: "View receipt" }));
  await screen.findByRole("heading", { level: 1, name: "2 invoices posted" });
});

test("a later undo of the upload does not change the typed text", async () => {
  await open();
  paste("Customer, row 2", "Acme\t\r\nNobody\t\r\n");
  server.on("POST /api/v1/invoices", { status: 202, json: upload });
  const listed = (now: object) => ({
    json: {
      uploads: [sampleUpload({ id, filename: upload.filename, results, counts: { ...counts, ...now } })],
      total_count: 1,
      in_process: true,
    },
  });
  server.on("GET /api/v1/invoices", listed({}));
  server.on(`GET /api/v1/invoices/${id}/results`, { json: { results } });
  await userEvent.click(button("Upload"));
  await waitFor(() => expect(cell("Customer, row 2").value).toBe("Nobody"));
  await userEvent.type(cell("Customer, row 2"), "!");
  server.on("GET /api/v1/invoices", listed({ completed: 0, undone: 1 }));
  await screen.findByText("1 undone");
  await userEvent.type(cell("Customer, row 4"), "Later");
  expect(cell("Customer, row 2").value).toBe("Nobody!");
  expect(screen.getByText("1 row still needs fixing. The rest are posted.")).toBeTruthy();
});

test("the form does not say that the rest is posted when nothing was posted", async () => {
  await open();
  paste("Customer, row 2", "\t\r\nNobody\t\r\n");
  server.on("POST /api/v1/invoices", { status: 202, json: upload });
  server.on("GET /api/v1/invoices", { json: { uploads: [upload], total_count: 1, in_process: false } });
  server.on(`GET /api/v1/invoices/${id}/results`, { json: { results } });
  await userEvent.click(button("Upload"));
  await screen.findByText("1 row still needs fixing.");
});

test.each([
  {
    what: "alongside one with a problem",
    others: results.slice(1),
    left: ["Nobody", "Acme", "Late"],
    note: "1 row still needs fixing. 2 rows were skipped. See Results for the reasons.",
  },
  {
    what: "alongside a posted one",
    others: [{ status: 0, rows: "3", message: "1 invoice posted." }],
    left: ["Acme", "", "Late"],
    note: "2 rows were skipped. See Results for the reasons. The rest are posted.",
  },
  {
    what: "alone",
    others: [{ status: 7, rows: "3", message: "Skipped: an identical invoice is in QuickBooks." }],
    left: ["Acme", "Nobody", "Late"],
    note: "3 rows were skipped. See Results for the reasons.",
  },
])("UP-50 a typed row skipped $what stays in the form and is not reported as posted", async (given) => {
  await open();
  paste("Customer, row 2", "Acme\t\r\nNobody\t\r\nLate\t\r\n");
  server.on("POST /api/v1/invoices", { status: 202, json: upload });
  server.on("GET /api/v1/invoices", { json: { uploads: [upload], total_count: 1, in_process: false } });
  const skipped = ["2", "4"].map((rows) => ({ status: 7, rows, message: "Skipped: posted on November 2." }));
  const remark = { status: 7, rows: "3", message: "Shipping is billed once.", remark: true };
  server.on(`GET /api/v1/invoices/${id}/results`, {
    json: { results: [...skipped, remark, ...given.others] },
  });
  await userEvent.click(button("Upload"));
  await screen.findByText(given.note);
  const typed = [2, 3, 4].map((row) => cell(`Customer, row ${row}`).value);
  expect(typed.toSorted()).toEqual(given.left.toSorted());
});

test("the empty row between two remaining rows is not counted", async () => {
  await open();
  paste("Customer, row 2", "Nobody\t\r\nAcme\t\r\nNobody\t\r\n");
  server.on("POST /api/v1/invoices", { status: 202, json: upload });
  server.on("GET /api/v1/invoices", { json: { uploads: [upload], total_count: 1, in_process: false } });
  const problems = ["2", "4"].map((rows) => ({
    status: 2,
    rows,
    message: `B${rows}: Who is "Nobody"?`,
    problems: fault('Who is "Nobody"?'),
  }));
  const posted = { status: 0, rows: "3", message: "1 invoice posted." };
  server.on(`GET /api/v1/invoices/${id}/results`, { json: { results: [posted, ...problems] } });
  await userEvent.click(button("Upload"));
  await screen.findByText("2 rows still need fixing. The rest are posted.");
  expect([2, 3, 4].map((row) => cell(`Customer, row ${row}`).value)).toEqual(["Nobody", "", "Nobody"]);
});
