import type { ListedUpload } from "#features/invoices/contract.ts";
import { sampleReceipt } from "#features/invoices/web/fixtures/receipts.ts";
import { countInvoices, sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import { POLL_MS, uploadsQuery } from "#features/invoices/web/queries.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import {
  acme,
  type Answer,
  type ServerCall,
  beta,
  shortenWaits,
  owner,
  problem,
  renderApp,
  renderPage,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
const march = "0198c0de-0000-7000-8000-000000000001";
const other = "0198c0de-0000-7000-8000-000000000002";

type Row = ListedUpload["results"][number];

function upload(results: Row[], more: Partial<ListedUpload> = {}) {
  const counts = { total: 10, completed: 8, problems: 2, open: 0 };
  return sampleUpload({ id: march, results, counts, ...more });
}

const list = (uploads: unknown[], more: object = {}): Answer => ({
  json: { uploads, total_count: uploads.length, in_process: false, ...more },
});

type World = {
  services?: string[];
  connection?: string;
  user?: object;
  uploads?: Parameters<typeof server.on>[1];
  address?: string;
  isFramed?: boolean;
};

async function open({
  services = [],
  connection = "connected",
  user = {},
  uploads = list([]),
  address = "/app/",
  isFramed = false,
}: World = {}) {
  const companies = [acme, beta].map((company) => ({ ...company, services, connection }));
  server.on("GET /api/v1/user", { json: owner(user) });
  server.on("GET /api/v1/company", { json: { companies } });
  server.on("GET /api/v1/invoices", uploads);
  server.visit(address);
  if (isFramed) renderApp();
  else renderPage();
  await screen.findByRole("region", { name: "Upload" });
}

const workbook = (name = "march.xlsx", type = XLSX_MEDIA_TYPE) => new File(["PK bytes"], name, { type });
const picker = () => screen.getByLabelText<HTMLInputElement>("Spreadsheet to upload");
const uploadButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Upload" });
const choose = (file: File) => userEvent.upload(picker(), file, { applyAccept: false });
const listCalls = () =>
  server.requests.filter(({ method, url }) => method === "GET" && url.pathname === "/api/v1/invoices").length;
const posts = () =>
  server.requests.filter(({ method, url }) => method === "POST" && url.pathname === "/api/v1/invoices");

test("UP-02 UP-06 a connected company is named, and a service that is coming soon is labeled as such", async () => {
  await open();
  expect(
    await screen.findByText(/You are connected to Acme Tools with the Invoice Upload service\./),
  ).toBeTruthy();
  expect(screen.getByText("Tracking Service is coming soon.")).toBeTruthy();
});

test("UP-03 UP-04 UP-06 with tracking the page says so and points to Settings", async () => {
  await open({ services: ["tracking"], user: { companies: [{ ...acme, tracking: true }] } });
  const sentence = /You are connected to Acme Tools with the Invoice Upload service and Tracking Service\./;
  expect(await screen.findByText(sentence)).toBeTruthy();
  const link = screen.getByRole("link", { name: "Manage your connection in Settings." });
  expect(link.getAttribute("href")).toBe("/settings/");
  expect(screen.queryByText(/Turn on Tracking Service/)).toBeNull();
});

test("a connection that Intuit no longer accepts is shown, with a link to renew it", async () => {
  await open({ connection: "reconnect_needed" });
  expect(await screen.findByText(/^You aren.t connected to Acme Tools at the moment\./)).toBeTruthy();
  expect(await screen.findByText(/QuickBooks no longer accepts our connection to Acme Tools\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Reconnect" }).getAttribute("href")).toBe("/get-app/");
});

test("UP-07 UP-08 UP-23 without a company there is a Connect button, and nothing can be sent", async () => {
  await open({ user: { companies: [] } });
  expect(screen.getByText("You have no active company connections.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Connect to QuickBooks" }).getAttribute("href")).toBe("/get-app/");
  expect(screen.getByText("Connect a company first.")).toBeTruthy();
  expect([picker().disabled, uploadButton().disabled]).toEqual([true, true]);
  expect(screen.getByRole("link", { name: "Download template" })).toBeTruthy();
  expect(screen.getByRole("region", { name: "Results" }).textContent).toContain(
    "Uploads to a connected company are listed here.",
  );
  expect(listCalls()).toBe(0);
});

test.each([
  ["also with a company admin, who can't give it", acme],
  ["without one", { ...acme, admin: null }],
])(
  "UP-55 users without the group see that the operator grants it, %s, and nothing else on the page",
  async (_, company) => {
    const user = owner({ email: "lara@acme.example", groups: ["brainchild"], companies: [company] });
    server.on("GET /api/v1/user", { json: user });
    server.visit("/app/");
    renderPage();
    await screen.findByRole("heading", { level: 2, name: "You don't have access to Invoices." });
    const page = screen.getByRole("main");
    expect(page.textContent).toContain("Ask your administrator or contact us.");
    expect(page.textContent).not.toContain("olive@acme.example");
    const main = within(page);
    expect(main.getByRole("link", { name: "contact us" }).getAttribute("href")).toBe("/contact/");
    expect(main.queryAllByRole("button")).toEqual([]);
    expect(main.queryAllByRole("region")).toEqual([]);
    expect(main.getAllByRole("heading", { level: 2 })).toHaveLength(1);
    expect(main.getAllByRole("link")).toHaveLength(1);
    expect(listCalls()).toBe(0);
  },
);

test("UP-09 UP-10 UP-12 UP-13 the picker accepts only xlsx, and Upload waits for a file", async () => {
  await open();
  expect(picker().accept).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  expect(uploadButton().disabled).toBe(true);
  await choose(workbook());
  expect(screen.getByText("march.xlsx")).toBeTruthy();
  expect(uploadButton().disabled).toBe(false);
});

test("QC-18 VA-01 UP-11 the page has one picker, for workbooks; a CSV file is accepted when dropped, or chosen beside typed text, named as CSV, and sent as it is", async () => {
  await open();
  server.on("POST /api/v1/invoices", { status: 202, json: upload([]) });
  // Media type on Windows with Excel.
  const csv = new File(["Customer;Amount\nAcme;5\n"], "export.csv", { type: "application/vnd.ms-excel" });
  fireEvent.drop(picker().parentElement!, { dataTransfer: { files: [csv] } });
  expect(screen.getByText("That's a CSV file. We'll upload it as CSV.")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Remove export.csv" }));
  const pickers = () => [...document.querySelectorAll<HTMLInputElement>("input[type=file]")];
  expect(pickers().map(({ accept }) => accept)).toEqual([XLSX_MEDIA_TYPE]);
  await userEvent.click(screen.getByRole("tab", { name: "Type or paste" }));
  await userEvent.upload(await screen.findByLabelText("CSV file to upload"), csv, { applyAccept: false });
  await userEvent.click(uploadButton());
  await waitFor(() => expect(posts()).toHaveLength(1));
  expect(posts()[0]?.body).toContain('filename="export.csv"');
  expect(posts()[0]?.body).toContain("Acme;5");
});

test("UP-11 another type is refused under Upload Error and nothing is sent", async () => {
  await open();
  await choose(workbook("notes.txt", "text/plain"));
  const alert = screen.getByRole("alert");
  expect(within(alert).getByText("Upload Error")).toBeTruthy();
  expect(within(alert).getByText("The selected file must be an XLSX spreadsheet.")).toBeTruthy();
  expect(uploadButton().disabled).toBe(true);
  expect(posts()).toEqual([]);
});

test("UP-14 UP-15 the template is one link away; without a company, the general one", async () => {
  await open({ user: { companies: [] } });
  const link = screen.getByRole("link", { name: "Download template" });
  expect([link.getAttribute("href"), link.hasAttribute("download")]).toEqual([
    "/templates/invoice-upload.xlsx",
    true,
  ]);
});

test("UP-14 the template with the company's own lists is saved under the server's name for it", async () => {
  const saved: string[] = [];
  URL.createObjectURL = () => "blob:x";
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    saved.push(this.download);
  };
  await open();
  server.on("GET /api/v1/invoices/template", {
    text: "PK",
    headers: { "content-type": XLSX_MEDIA_TYPE, "content-disposition": 'attachment; filename="acme.xlsx"' },
  });
  await userEvent.click(screen.getByRole("link", { name: "Download template" }));
  await waitFor(() => expect(saved).toEqual(["acme.xlsx"]));
});

test("UP-18 UP-20 UP-21 an upload posts the file for the company, then clears the choice and reads the list again", async () => {
  await open();
  server.on("POST /api/v1/invoices", { status: 202, json: upload([]) });
  await screen.findByText("No recent uploads to this company.");
  await choose(workbook());
  const before = listCalls();
  await userEvent.click(uploadButton());
  await waitFor(() => expect(listCalls()).toBe(before + 1));
  const [post] = posts();
  expect([post?.url.search, post?.realm]).toEqual(["?realm_id=1", "1"]);
  expect(post?.body).toMatch(/name="file"; filename="march\.xlsx"/);
  expect(post?.body).toContain("PK bytes");
  await waitFor(() => expect(screen.queryByText("march.xlsx")).toBeNull());
  expect(uploadButton().disabled).toBe(true);
});

test("UP-20 the receipt of a file just sent appears where it was sent from, from the first second, with a link to all of it", async () => {
  shortenWaits(POLL_MS.working);
  await open();
  const counts = { total: 10, completed: 0, problems: 0, open: 10 };
  const sent = upload([], { counts });
  server.on("POST /api/v1/invoices", { status: 202, json: sent });
  const card = within(screen.getByRole("region", { name: "Upload" }));
  server.on("GET /api/v1/invoices", list([sent]));
  const none = { invoices: 0, amount: "0.00" };
  const working = { upload_id: sent.id, finished_at: null, read: none, posted: none, rejected: none };
  const open10 = { invoices: 10, amount: "90.00" };
  server.on(`GET /api/v1/invoices/${sent.id}/receipt`, { json: sampleReceipt(working) });
  await choose(workbook());
  await userEvent.click(uploadButton());
  expect(await card.findByRole("heading", { name: "Reading march.xlsx" })).toBeTruthy();
  server.on(`GET /api/v1/invoices/${sent.id}/receipt`, {
    json: sampleReceipt({ ...working, read: open10, open: open10 }),
  });
  expect(await card.findByRole("heading", { name: "Posting 10 invoices" })).toBeTruthy();
  expect(card.getByRole("link", { name: "View receipt" }).getAttribute("href")).toContain(
    `receipt=${sent.id}`,
  );
  await waitFor(() => expect(picker().disabled).toBe(false));
  await choose(workbook("april.xlsx"));
  expect(card.queryByRole("link", { name: "View receipt" })).toBeNull();
});

test("UP-20 the notice for a newly connected company disappears after the first upload", async () => {
  await open({ address: "/app/?connected=1", isFramed: true });
  await screen.findByText("You can upload invoices now.");
  server.on("POST /api/v1/invoices", problem(400, "The selected file is empty."));
  await choose(workbook());
  await userEvent.click(uploadButton());
  await screen.findByRole("alert");
  expect(screen.getByText("You can upload invoices now.")).toBeTruthy();
  server.on("POST /api/v1/invoices", { status: 202, json: upload([]) });
  await userEvent.click(uploadButton());
  await waitFor(() => expect(screen.queryByText("You can upload invoices now.")).toBeNull());
  expect([window.location.pathname, window.location.search]).toEqual(["/app/", ""]);
});

test("UP-16 UP-22 a failed upload shows its message, keeps the choice and hides the bar", async () => {
  await open();
  server.on(
    "POST /api/v1/invoices",
    problem(400, "The selected file must use the template.\nMissing: Item."),
  );
  await choose(workbook());
  await userEvent.click(uploadButton());
  const alert = await screen.findByRole("alert");
  expect(within(alert).getByText("Upload Error")).toBeTruthy();
  expect(within(alert).getByText(/Missing: Item\./)).toBeTruthy();
  expect(screen.getByText("march.xlsx")).toBeTruthy();
  expect(uploadButton().disabled).toBe(false);
  expect(screen.queryByRole("progressbar")).toBeNull();
  // The focused button was disabled in between, which would lose the focus to the page.
  expect(document.activeElement?.textContent).toBe("Change file");
});

test("HA-05 a file that is sent while the server's database is away is sent again by itself, or can be canceled meanwhile", async () => {
  shortenWaits(5_000);
  await open({ isFramed: true });
  const away = problem(503, "The database isn't responding right now.", "database_unavailable");
  server.on("POST /api/v1/invoices", away);
  await choose(workbook());
  await userEvent.click(uploadButton());
  await screen.findByText(/^We'll keep trying to send your file/);
  await waitFor(() => expect(posts().length).toBeGreaterThan(2));
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.getAllByText("Upload canceled.").length).toBeGreaterThan(0));
  expect(screen.queryByText(/^We'll keep trying to send your file/)).toBeNull();
  await userEvent.click(uploadButton());
  await screen.findByText(/^We'll keep trying to send your file/);
  server.on("POST /api/v1/invoices", { status: 202, json: upload([]) });
  await waitFor(() => expect(screen.queryByText(/^We'll keep trying to send your file/)).toBeNull());
  await waitFor(() => expect(screen.queryByText("march.xlsx")).toBeNull());
  expect(screen.queryByRole("alert")).toBeNull();
});

test("UP-17 UP-25 while a file is sent there is a bar and a Cancel button, and no other file can be chosen", async () => {
  await open();
  server.on("POST /api/v1/invoices", { wait: new Promise(() => undefined) });
  await choose(workbook());
  expect(screen.queryByRole("progressbar")).toBeNull();
  await userEvent.click(uploadButton());
  const bar = await screen.findByRole("progressbar", { name: /march\.xlsx$/ });
  expect([bar.getAttribute("aria-valuemin"), bar.getAttribute("aria-valuemax")]).toEqual(["0", "100"]);
  expect([picker().disabled, uploadButton().disabled]).toEqual([true, true]);
  const cancel = screen.getByRole("button", { name: "Cancel" });
  expect(document.activeElement).toBe(cancel);
  await userEvent.click(cancel);
  await waitFor(() => expect(screen.getAllByText("Upload canceled.").length).toBeGreaterThan(0));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.queryByRole("progressbar")).toBeNull();
  expect(uploadButton().disabled).toBe(false);
  expect(document.activeElement?.textContent).toBe("Change file");
});

test("a user who left the page while a file was being sent for review is not taken back", async () => {
  await open({ isFramed: true });
  const sent = Promise.withResolvers<void>();
  server.on("POST /api/v1/invoices/checks", { status: 202, json: sampleUpload(), wait: sent.promise });
  await choose(workbook());
  await userEvent.click(screen.getByRole("button", { name: "Review" }));
  await screen.findByRole("progressbar", { name: /march\.xlsx$/ });
  await userEvent.click(screen.getByRole("link", { name: "Excel Add-In" }));
  await screen.findByRole("heading", { level: 1, name: "Excel Add-In" });
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Company" }), "Beta Supply");
  sent.resolve();
  expect(await screen.findByText("march.xlsx was uploaded to Acme Tools")).toBeTruthy();
  expect(window.location.pathname).toBe("/add-in/");
});

test("UP-45 a file can be dropped on the card", async () => {
  await open();
  const zone = () => picker().parentElement!;
  fireEvent.drop(zone(), { dataTransfer: { files: [workbook("dropped.xlsx")] } });
  expect(screen.getByText("dropped.xlsx")).toBeTruthy();
  // For example, a link of another page.
  fireEvent.drop(zone(), { dataTransfer: { files: [] } });
  expect(screen.getByText("dropped.xlsx")).toBeTruthy();
  fireEvent.drop(zone(), { dataTransfer: { files: [workbook("a.xlsx"), workbook("b.xlsx")] } });
  expect(screen.getByText("Choose one file at a time.")).toBeTruthy();
});

/** Opens an upload of the list to its rows; one that an earlier test opened is open. */
async function openRows(name = "march.xlsx") {
  const line = await screen.findByRole("button", { name });
  if (line.getAttribute("aria-expanded") === "false") await userEvent.click(line);
}

test("UP-27 UP-28 the list is titled Results and says when it is empty", async () => {
  await open();
  expect(screen.getByRole("heading", { level: 2, name: "Results" })).toBeTruthy();
  expect(await screen.findByText("No recent uploads to this company.")).toBeTruthy();
});

test("UP-29 UP-30 UP-31 UP-33 an upload shows name, time and its rows with status and color", async () => {
  const rows = [
    { status: 0, rows: "2-9", message: "8 invoices posted" },
    { status: 2, rows: "10", message: 'Item "X" is unknown' },
  ];
  await open({ uploads: list([upload(rows)]) });
  await openRows();
  const table = await screen.findByRole("table", { name: "Results of march.xlsx" });
  const read = within(table)
    .getAllByRole("row")
    .map((row) => [row.dataset["tone"], ...texts(row)]);
  expect(read).toEqual([
    [undefined, "Rows", "Status", "Message"],
    ["red", "10", "Template Data Error", 'Item "X" is unknown'],
    ["gray", "2-9", "Completed", "8 invoices posted"],
  ]);
  const time = document.querySelector("time");
  expect(time?.dateTime).toBe("2027-03-03T09:42:00Z");
  expect(table.getAttribute("aria-rowcount")).toBe("3");
  expect(time?.textContent).toBe("Mar 3, 2027, 6:12 AM GMT-3:30");
});

test("UP-32 UP-44 a message keeps its line breaks, and markup in it is only text", async () => {
  const rows = [
    { status: 2, rows: "2", message: "line one\nline two" },
    { status: 0, rows: "3", message: "<img src=x onerror=alert(1)>" },
  ];
  await open({ uploads: list([upload(rows)]) });
  await openRows();
  const findCell = (message: HTMLElement) => message.closest<HTMLElement>("[role=cell]");
  expect(findCell(await screen.findByText(/line one/))?.style.whiteSpace).toBe("pre-wrap");
  expect(findCell(screen.getByText("<img src=x onerror=alert(1)>"))?.style.whiteSpace).toBe("normal");
  expect(document.querySelector("main img[src=x]")).toBeNull();
});

test("all entries on one row are shown with their own messages", async () => {
  const rows = [
    { status: 0, rows: "3", message: "1 invoice posted." },
    { status: 7, rows: "3", message: "A sales rep isn't a field of QuickBooks." },
    { status: 7, rows: "3", message: "The number was given by QuickBooks." },
  ];
  await open({ uploads: list([upload(rows)]) });
  await openRows();
  expect(await screen.findAllByText("3")).toHaveLength(3);
  for (const { message } of rows) expect(screen.getByText(message)).toBeTruthy();
});

test("UP-34 a list that cannot be read shows its message and offers a retry", async () => {
  await open({ uploads: problem(403, "You are not a member of this company.") });
  expect(await screen.findByText("You are not a member of this company.")).toBeTruthy();
  server.on("GET /api/v1/invoices", list([]));
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No recent uploads to this company.")).toBeTruthy();
});

test("UP-35 the list is read for the company", async () => {
  await open();
  await screen.findByText("No recent uploads to this company.");
  const call = server.requests.find(({ url }) => url.pathname === "/api/v1/invoices");
  expect(call?.url.searchParams.get("realm_id")).toBe("1");
});

test("UP-36 UP-37 QC-12 the list is read every 2000 ms while something is in process, and not after", () => {
  const { refetchInterval } = uploadsQuery("1", 20);
  const intervalAt = (data: object | undefined) =>
    (refetchInterval as (query: unknown) => number | false)({ state: { data } });
  expect([
    intervalAt({ in_process: true }),
    intervalAt({ in_process: false }),
    intervalAt(undefined),
  ]).toEqual([2000, false, false]);
});

test("UP-39 PF-05 a poll that changes nothing leaves every row in place", async () => {
  shortenWaits(POLL_MS.list);
  const rows = [{ status: 101, rows: "2-9", message: "Working" }];
  const counts = { total: 8, completed: 0, problems: 0, open: 8 };
  await open({ uploads: list([upload(rows, { counts })], { in_process: true }) });
  await openRows();
  const row = await screen.findByText("2-9");
  const before = listCalls();
  await waitFor(() => expect(listCalls()).toBeGreaterThan(before));
  await act(async () => undefined);
  expect(screen.getByText("2-9")).toBe(row);
});

test("UP-39 a poll that moves the counts leaves the rows beyond the first 25 in the list", async () => {
  shortenWaits(POLL_MS.list);
  const all = Array.from({ length: 60 }, (_, i) => ({ status: 101, rows: String(i + 2), message: `m${i}` }));
  let done = 0;
  const upload60 = () =>
    upload(all.slice(0, 25), {
      result_count: 60,
      counts: { total: 60, completed: done, problems: 0, open: 60 - done },
    });
  let answered = 0;
  server.on(`GET /api/v1/invoices/${march}/results`, () => {
    answered += 1;
    // The second response never comes: the known rows stay.
    return { json: { results: all }, ...(answered > 1 ? { wait: new Promise(() => undefined) } : {}) };
  });
  await open({ uploads: () => list([upload60()], { in_process: true }) });
  const rowCount = () => screen.getByRole("table").getAttribute("aria-rowcount");
  await screen.findByRole("table");
  await waitFor(() => expect(rowCount()).toBe("61"));
  await screen.findByText("40");
  const last = screen.getByText("40");
  done = 30;
  await screen.findByRole("button", { name: /^Completed\s?30$/ });
  await waitFor(() => expect(answered).toBeGreaterThan(1));
  expect(screen.getByText("40")).toBe(last);
});

test("UP-40 with more uploads than shown there is a count, and Show more reaches the oldest of 150 while new ones arrive", async () => {
  const id = (n: number) => `0198c0de-0000-7000-8000-${String(n).padStart(12, "0")}`;
  const newestFirst = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      upload([], { id: id(count - 1 - i), filename: `file-${count - 1 - i}.xlsx` }),
    );
  let total = 150;
  const uploads = ({ url }: ServerCall) => {
    const all = newestFirst(total);
    const before = url.searchParams.get("before");
    const start = before === null ? 0 : all.findIndex((each) => each.id === before) + 1;
    const page = all.slice(start, start + Number(url.searchParams.get("limit")));
    return list(page, { total_count: total, in_process: true });
  };
  await open({ uploads });
  // By its text: a search for roles among 155 uploads takes long.
  const more = () => userEvent.click(screen.getByText("Show more", { selector: "button" }));
  await screen.findByText("Showing 20 of 150");
  await more();
  await screen.findByText("Showing 120 of 150");
  total = 155;
  await screen.findByText("Showing 125 of 155");
  await more();
  await screen.findByText("file-0.xlsx", { selector: "strong" });
  expect(screen.queryByText(/^Showing/)).toBeNull();
  const names = [...document.querySelectorAll("article strong")].map(({ textContent }) => textContent);
  expect(names).toEqual(newestFirst(155).map(({ filename }) => filename));
});

test("UP-54 numbers of posted invoices link to QuickBooks, and remarks on the file are collapsed", async () => {
  const link = "https://books.example/1#invoice-7";
  const posted = [
    { number: "10001", link },
    { number: "10479", link: `${link}9` },
  ];
  const rows = [
    { status: 7, rows: "1", message: 'Column "Sales rep" isn\'t used.', remark: true as const },
    { status: 0, rows: "2-9", message: "8 invoices posted.", posted },
  ];
  await open({ uploads: list([upload(rows)]) });
  await openRows();
  const table = await screen.findByRole("table", { name: "Results of march.xlsx" });
  const links = within(table).getAllByRole("link");
  expect(links.map((each) => [each.textContent, each.getAttribute("href")])).toEqual([
    ["10001", link],
    ["10479", `${link}9`],
  ]);
  expect(screen.queryByText(/Sales rep/)).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "1 note" }));
  expect(screen.getByText(/Sales rep/)).toBeTruthy();
});

test("UP-46 an upload is one line with invoices, money, state and user, and its problems can be fixed in a review", async () => {
  const counts = { total: 1_000, completed: 952, problems: 48, open: 0 };
  const invoices = { ...countInvoices(counts), total: 500, posted: 476, problems: 24, amount: "104695.00" };
  await open({ uploads: list([upload([], { counts, invoices })]) });
  const line = within(await screen.findByRole("article", { name: "march.xlsx" }));
  for (const text of ["Olive Owner", "of 500", "$104,695.00", "24 need fixing"])
    expect(line.getByText(text)).toBeTruthy();
  server.on(`GET /api/v1/invoices/${march}/problem-rows`, {
    text: "PK rest",
    headers: { "content-type": XLSX_MEDIA_TYPE },
  });
  const check = "0198c0de-0000-7000-8000-000000000009";
  server.on("POST /api/v1/invoices/checks", { status: 202, json: sampleUpload({ id: check }) });
  await userEvent.click(line.getByRole("button", { name: /^Fix\smarch\.xlsx$/ }));
  await waitFor(() => expect(window.location.search).toBe(`?check=${check}`));
  const sent = server.requests.find(({ url }) => url.pathname === "/api/v1/invoices/checks");
  expect(sent?.body).toContain('filename="fix-march.xlsx"');
  expect(sent?.body).toContain("PK rest");
  expect(sent?.url.searchParams.get("fixes")).toBe(march);
});

test("a file whose problem rows were posted from another file counts them, names that file, and asks for nothing", async () => {
  const counts = { total: 8, completed: 6, problems: 2, open: 0 };
  const fixes = [{ id: other, filename: "fix-split.xlsx", posted: 2, amount: "4.50" }];
  await open({ uploads: list([upload([], { filename: "split.xlsx", counts, fixes })]) });
  const line = await screen.findByRole("article", { name: "split.xlsx" });
  for (const text of ["of 8", "$10.50", "Posted", "2 in fix-split.xlsx"])
    expect(within(line).getByText(text)).toBeTruthy();
  expect(line.textContent).toContain("8 of 8");
  expect(within(line).queryByRole("button", { name: /^Fix/ })).toBeNull();
});

test("UP-40 the list is searched by file, customer or number, and says when nothing matches", async () => {
  await open();
  server.on("GET /api/v1/invoices", ({ url }) => {
    const search = url.searchParams.get("search");
    return list(search === "acme 7" ? [upload([], { filename: "found.xlsx" })] : []);
  });
  const field = screen.getByRole("searchbox", { name: "Search results" });
  await userEvent.type(field, " acme 7 ");
  await screen.findByRole("article", { name: "found.xlsx" });
  await userEvent.type(field, "x");
  await screen.findByText("No upload matches your search.");
  await userEvent.clear(field);
  await screen.findByText("No recent uploads to this company.");
});

test("UP-41 UP-42 rows that the list does not include are read with the chosen filter", async () => {
  const all = Array.from({ length: 300 }, (_, i) => ({
    status: i % 3 ? 0 : 2,
    rows: String(i + 2),
    message: `m${i}`,
  }));
  const counts = { total: 300, completed: 200, problems: 100, open: 0 };
  // Answered from the start: the row asks as soon as it is opened.
  server.on(`GET /api/v1/invoices/${march}/results`, ({ url }) => ({
    json: { results: all.filter(({ status }) => url.searchParams.get("filter") === "all" || status === 2) },
  }));
  await open({ uploads: list([upload(all.slice(0, 5), { result_count: 300, counts })]) });
  await openRows();
  await waitFor(() => expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("301"));
  await userEvent.click(screen.getByRole("button", { name: /^Problems\s?100$/ }));
  await waitFor(() => expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("101"));
  expect(screen.getByRole("button", { name: /^Problems\s?100$/, pressed: true })).toBeTruthy();
});

test("UP-42 UP-46 the filter shows all, problems or completed rows, and problem rows can be downloaded", async () => {
  const rows = [
    { status: 0, rows: "2-9", message: "8 invoices posted" },
    { status: 2, rows: "10", message: "bad" },
    { status: 9, rows: "11", message: "no clear answer" },
  ];
  await open({ uploads: list([upload(rows)]) });
  await openRows();
  await userEvent.click(await screen.findByRole("button", { name: /^Problems\s?2$/ }));
  const shownRows = () => ["2-9", "10", "11"].filter((name) => screen.queryByRole("cell", { name }) !== null);
  expect(shownRows()).toEqual(["10", "11"]);
  await userEvent.click(screen.getByRole("button", { name: /^Completed\s?8$/ }));
  expect(shownRows()).toEqual(["2-9"]);

  const saved: string[] = [];
  URL.createObjectURL = () => "blob:x";
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    saved.push(this.download);
  };
  server.on(`GET /api/v1/invoices/${march}/problem-rows`, {
    text: "PK",
    headers: {
      "content-type": XLSX_MEDIA_TYPE,
      "content-disposition": 'attachment; filename="to-correct.xlsx"',
    },
  });
  await userEvent.click(screen.getByRole("button", { name: "Download problem rows of march.xlsx" }));
  await waitFor(() => expect(saved).toEqual(["to-correct.xlsx"]));
});

test("UP-43 switching the company clears the chosen file and the old rows at once", async () => {
  await open();
  server.on("GET /api/v1/invoices", ({ url }) =>
    url.searchParams.get("realm_id") === "2"
      ? { ...list([]), wait: new Promise(() => undefined) }
      : list([upload([{ status: 0, rows: "2", message: "one invoice posted" }])]),
  );
  await choose(workbook("chosen.xlsx"));
  act(() => realmStore.set(beta.id));
  expect(screen.queryByText("chosen.xlsx")).toBeNull();
  expect(screen.queryByText("march.xlsx")).toBeNull();
  expect(await screen.findByRole("progressbar", { name: "Loading uploads" })).toBeTruthy();
});

function texts(row: HTMLElement): (string | null)[] {
  return [...row.children].map((cell) => cell.textContent);
}

/** The page notices when it next reads the list. */
async function endSession() {
  server.on("GET /api/v1/invoices", problem(401, "Sign in."));
  await userEvent.type(screen.getByRole("searchbox", { name: "Search results" }), "a");
}

test("FR-42 a session that ends while a file is being sent says whether the file was uploaded, and what continues", async () => {
  const answer = Promise.withResolvers<undefined>();
  await open();
  server.on("POST /api/v1/invoices", {
    status: 202,
    json: upload([], { counts: { total: 10, completed: 0, problems: 0, open: 10 } }),
    wait: answer.promise,
  });
  await choose(workbook());
  await userEvent.click(uploadButton());
  await waitFor(() => expect(posts()).toHaveLength(1));
  await endSession();
  const main = await screen.findByRole("main");
  await within(main).findByRole("heading", { level: 2, name: "Your session ended" });
  expect(main.textContent).toContain("march.xlsx is still uploading. Keep this page open until it's done.");
  answer.resolve(undefined);
  await within(main).findByText(/^march\.xlsx was uploaded\. You'll find it in Results\. Sign in again/);
});

test("FR-42 a session that ends while nothing is sent says that posting and undo continue", async () => {
  await open();
  await endSession();
  expect(
    await screen.findByText(
      "Any posting or undo already in progress continues. Sign in again to continue here.",
    ),
  ).toBeTruthy();
});
