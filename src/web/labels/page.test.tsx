import type {
  LabelDrawing,
  LabelReview,
  LabelSettingsView,
  LabelUploads,
  LabelUploadView,
} from "#features/labels/contract.ts";
import { listOpenOrders, listShipments } from "#features/shipping/contract.ts";
import { sampleOrders } from "#features/shipping/web/carrier/fixtures/orders.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import {
  acme,
  type Answer,
  beta,
  shortenWaits,
  layOut,
  owner,
  problem,
  renderApp,
  renderPage,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import axios, { type AxiosProgressEvent, CanceledError } from "axios";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

const server = await startServer([listOpenOrders, listShipments]);
const id = "0198c0de-0000-7000-8000-000000000008";
const printId = "0198c0de-0000-7000-8000-00000000000a";
const someId = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/) as string;

const settings = {
  prefix: "0614141",
  extension: 0,
  next_serial: 417,
  profile: "generic",
  resolution: "203",
  paper: "roll",
  order: "file",
  separators: false,
  ship_froms: [],
  profiles: [{ id: "generic", name: "Generic UCC-128" }],
  serials: { total: 1_000_000_000, left: 999_999_583, is_low: false },
  other_prefixes: [] as LabelSettingsView["other_prefixes"],
  shared: null as LabelSettingsView["shared"],
};

/** Another GS1 prefix of the company. */
const second = {
  prefix: "9512345678",
  next_serial: 40,
  serials: { total: 1_000_000, left: 150_000, is_low: true },
};

const made: LabelUploadView = {
  id,
  filename: "week12.xlsx",
  label_count: 25,
  made_at: "2026-11-22T10:42:00Z",
  made_by: "owner@acme.example",
  prints: 1,
  remarks: [],
  orders: [
    {
      po_number: "8841203",
      count: 24,
      first_label: 1,
      first_sscc: "006141410000004171",
      last_sscc: "006141410000004409",
    },
    {
      po_number: "8841219",
      count: 1,
      first_label: 25,
      first_sscc: "006141410000004416",
      last_sscc: "006141410000004416",
    },
  ],
};

const isMade = (labels: LabelUploadView = made): Answer => ({ json: { state: "made", labels } });

const listed: LabelUploads["uploads"][number] = {
  id,
  state: "made",
  filename: "week12.xlsx",
  uploaded_at: made.made_at,
  uploaded_by: made.made_by,
  label_count: 25,
  problem: null,
};

const drawing = (seq: number): LabelDrawing => ({
  width: 288,
  height: 432,
  sscc: made.orders[0]?.[seq === 1 ? "first_sscc" : "last_sscc"] ?? "",
  prints: seq,
  texts: [{ text: `label ${seq}`, x: 8, y: 20, size: 9, bold: true, align: "left", stretch: 1 }],
  rules: [{ x: 0, y: 72, width: 288, height: 1 }],
  symbols: [{ x: 20, y: 320, height: 92, module: 1.5, bars: "2112322331112" }],
});

/** Another profile that a user may choose. */
const other = { id: "dpci", name: "DPCI retailer" };

const pdf = (headers: Record<string, string> = {}): Answer => ({
  text: "%PDF-1.7",
  headers: { "content-type": "application/pdf", "x-document-of": id, ...headers },
});

const saved: string[] = [];

beforeEach(() => {
  saved.length = 0;
  URL.createObjectURL = () => "blob:labels";
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    saved.push(this.download);
  };
});

type Shown = {
  has?: Partial<typeof settings>;
  isFramed?: boolean;
  uploads?: Answer | (() => Answer);
  late?: { path: string; answer: Answer };
  [user: string]: unknown;
};

const someUploads: Answer = { json: { uploads: [listed] } };

async function open(
  path = "/label/",
  groups: string[] = ["brainchild"],
  { has = {}, isFramed = false, uploads = someUploads, late: held, ...more }: Shown = {},
) {
  server.on("GET /api/v1/user", { json: owner({ groups, ...more }) });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection: "connected" }] },
  });
  server.on("GET /api/v1/labels/settings", { json: { ...settings, ...has } });
  server.on(`GET /api/v1/labels/uploads/${id}`, isMade());
  server.on("GET /api/v1/labels/uploads", uploads);
  if (held) server.on(held.path, held.answer);
  for (const seq of [1, 2])
    server.on(`GET /api/v1/labels/uploads/${id}/labels/${seq}`, { json: drawing(seq) });
  server.visit(path);
  if (isFramed) renderApp();
  else renderPage();
  await screen.findByRole("heading", { level: 1, name: "Dockside Shipping Labels" });
}

const workbook = (name = "week12.xlsx", type = XLSX_MEDIA_TYPE) => new File(["PK bytes"], name, { type });
const picker = () => screen.findByLabelText<HTMLInputElement>("Label upload file");
const uploadButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Upload" });
const labelCalls = () => server.requests.filter(({ url }) => url.pathname.startsWith("/api/v1/labels"));

/** Calls that uploaded a sheet, without reviews of an earlier test. */
const sentSheets = () =>
  labelCalls().filter(({ method, url }) => method === "POST" && url.pathname === "/api/v1/labels");

async function send(file = workbook()) {
  await userEvent.upload(await picker(), file, { applyAccept: false });
  await userEvent.click(uploadButton());
}

test("LB-01 LB-02 LB-03 LB-04 LB-05 LB-06 LB-07 LB-08 LB-09 LB-10 LB-12 (its keyboard) three tabs, each at its own address; only the open one asks the server for anything", async () => {
  server.on("GET /api/v1/labels/open-orders", { json: sampleOrders() });
  server.on("GET /api/v1/labels/ups-label", {
    json: { labels: [], next: null, counts: { all: 0, unscanned: 0, voided: 0 } },
  });
  const asked = () => [...new Set(labelCalls().map(({ method, url }) => `${method} ${url.pathname}`))];
  await open("/label/?ups=");
  expect(await screen.findByText("No data.")).toBeTruthy();
  const tabs = await screen.findAllByRole("tab");
  expect(tabs.map(({ textContent }) => textContent)).toEqual(["GS1-128 Labels", "Retailer", "History"]);
  const chosen = () => screen.getByRole("tab", { selected: true });
  expect([chosen().textContent, asked()]).toEqual(["Retailer", ["GET /api/v1/labels/open-orders"]]);
  expect(tabs.map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1]);
  expect(document.title).toMatch(/^Shipping Labels/);
  chosen().focus();
  const places = window.history.length;
  await userEvent.keyboard("{ArrowRight}");
  expect([chosen().textContent, document.activeElement, window.location.search]).toEqual([
    "History",
    chosen(),
    "?history=1",
  ]);
  const history = within(screen.getByRole("tabpanel", { name: "History" }));
  expect(await history.findByText("No data.")).toBeTruthy();
  expect(asked()).toEqual(["GET /api/v1/labels/open-orders", "GET /api/v1/labels/ups-label"]);
  await userEvent.keyboard("{ArrowLeft}");
  expect([chosen().textContent, window.location.search]).toEqual(["Retailer", "?ups=1"]);
  expect(await screen.findByText("No data.")).toBeTruthy();
  expect(asked()).toHaveLength(2);
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  expect([chosen().textContent, window.location.search]).toEqual(["GS1-128 Labels", ""]);
  // Back leaves the page instead of walking through tabs.
  expect(window.history.length).toBe(places);
  await waitFor(() =>
    expect(asked().slice(2).toSorted()).toEqual([
      "GET /api/v1/labels/settings",
      "GET /api/v1/labels/uploads",
    ]),
  );
});

test("LB-11 without group brainchild the page names whom to contact and makes no calls", async () => {
  await open("/label/", ["app"]);
  expect(await screen.findByRole("heading", { name: "You don't have access to Labels." })).toBeTruthy();
  expect(screen.getByRole("main").textContent).toContain("Ask your administrator or contact us.");
  expect([screen.queryByRole("tab"), labelCalls()]).toEqual([null, []]);
});

test("GS-01 GS-02 GS-03 GS-04 GS-06 GS-09 GS-10 GS-12 GS-13 VA-01 a chosen workbook is sent as the field file, saved under the server's name, and stays as a result", async () => {
  await open();
  let answer = () => undefined as void;
  server.on("POST /api/v1/labels", {
    ...pdf({ "content-disposition": "attachment; filename=\"labels.pdf\"; filename*=UTF-8''week12.pdf" }),
    wait: new Promise<void>((resolve) => (answer = resolve)),
  });
  expect((await picker()).accept).toBe(XLSX_MEDIA_TYPE);
  expect(screen.getByRole("button", { name: "Select label upload file" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Download template" }).getAttribute("href")).toBe(
    "/templates/gs1-128-labels.xlsx",
  );
  expect([screen.getByText("No file chosen").tagName, uploadButton().disabled]).toEqual(["SPAN", true]);
  await userEvent.upload(await picker(), workbook(), { applyAccept: false });
  const panel = within(screen.getByRole("region", { name: "Upload labels" }));
  expect([panel.getByText("week12.xlsx").tagName, uploadButton().disabled]).toEqual(["SPAN", false]);
  await userEvent.click(uploadButton());
  expect(await screen.findByRole("progressbar", { name: /week12\.xlsx/ })).toBeTruthy();
  answer();
  const card = await screen.findByRole("region", { name: "25 labels from week12.xlsx" });
  expect(saved).toEqual(["week12.pdf"]);
  const post = labelCalls().find(({ method }) => method === "POST");
  expect([post?.realm, post?.body]).toEqual([
    acme.id,
    expect.stringContaining('name="file"; filename="week12.xlsx"'),
  ]);
  expect([screen.getByText("No file chosen").tagName, uploadButton().disabled]).toEqual(["SPAN", true]);
  expect(within(card).getByRole("row", { name: /8841203 24 …000417 to …000440/ })).toBeTruthy();
  await userEvent.click(within(card).getByRole("button", { name: "Download again" }));
  expect(saved).toEqual(["week12.pdf", "week12.pdf"]);
  // A browser without a PDF viewer opens the document in a new tab.
  const tab = { location: { href: "" }, close: () => expect.unreachable() };
  const opened: unknown[] = [];
  window.open = (...asked) => {
    opened.push(asked);
    return tab as unknown as Window;
  };
  await userEvent.click(within(card).getByRole("button", { name: "Print 25 labels" }));
  await waitFor(() => expect([opened, tab.location.href]).toEqual([[["", "_blank"]], "blob:labels"]));
  // The document of the upload is used again and counts as one print.
  expect(labelCalls().filter(({ method }) => method === "POST")).toHaveLength(1);
  await userEvent.click(within(card).getByRole("button", { name: "New upload" }));
  expect(screen.queryByRole("region", { name: /labels from/ })).toBeNull();
});

test("GS-13 earlier labels are reopened, with a preview by page and reprints by place and purchase order", async () => {
  await open();
  await userEvent.click(await screen.findByRole("button", { name: /^Open\s*week12\.xlsx$/ }));
  const card = await screen.findByRole("region", { name: "25 labels from week12.xlsx" });
  expect(window.location.search).toBe(`?upload=${id}`);
  const image = await within(card).findByRole("img", { name: "Label 1 of 25, SSCC 006141410000004171" });
  expect([...image.querySelectorAll("text")].map(({ textContent }) => textContent)).toEqual(["label 1"]);
  // The widths 2 1 1 2 3 2 2 3 3 1 1 1 2 in modules of 1.5 points: seven bars.
  expect(
    image
      .querySelector("path")
      ?.getAttribute("d")
      ?.match(/M[\d.]+ 320h[\d.]+/g),
  ).toEqual([
    "M20.000 320h3.000",
    "M24.500 320h1.500",
    "M29.000 320h4.500",
    "M36.500 320h3.000",
    "M44.000 320h4.500",
    "M50.000 320h1.500",
    "M53.000 320h3.000",
  ]);
  await userEvent.click(within(card).getByRole("button", { name: "Next label" }));
  expect(
    await within(card).findByRole("img", { name: "Label 2 of 25, SSCC 006141410000004409" }),
  ).toBeTruthy();
  expect(within(card).getByText(/Printed 2 times/)).toBeTruthy();

  server.on(`POST /api/v1/labels/uploads/${id}/print`, ({ body }) =>
    body.includes("zpl") ? pdf({ "content-disposition": 'attachment; filename="week12.zpl"' }) : pdf(),
  );
  window.open = () => ({ location: { href: "" }, close: () => undefined }) as unknown as Window;
  await userEvent.fill(within(card).getByRole("textbox", { name: "Reprint a range" }), "1-20, 25");
  await userEvent.click(within(card).getByRole("button", { name: "Reprint" }));
  await waitFor(() => expect(labelCalls().filter(({ method }) => method === "POST")).toHaveLength(1));
  await userEvent.click(within(card).getByRole("button", { name: /^Reprint\s*labels of PO # 8841219$/ }));
  await waitFor(() => expect(labelCalls().filter(({ method }) => method === "POST")).toHaveLength(2));
  await userEvent.click(within(card).getByRole("button", { name: "Download ZPL" }));
  await waitFor(() => expect(saved).toEqual(["week12.zpl"]));
  const posts = labelCalls().filter(({ method }) => method === "POST");
  expect(posts.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { labels: "1-20, 25" },
    { po_number: "8841219" },
    { format: "zpl" },
  ]);
});

test("paper, order and separators are chosen where labels are reprinted, starting with the settings", async () => {
  await open(`/label/?upload=${id}`);
  const card = await screen.findByRole("region", { name: "25 labels from week12.xlsx" });
  await userEvent.click(within(card).getByRole("button", { name: "Print options" }));
  const paper = await within(card).findByRole<HTMLSelectElement>("combobox", { name: "Paper" });
  expect(paper.selectedOptions[0]?.textContent).toBe("4 × 6 in roll");
  expect(within(card).getByText(/^Print at 100% on 4 × 6 label paper\./)).toBeTruthy();
  server.on(`POST /api/v1/labels/uploads/${id}/print`, pdf());
  await userEvent.selectOptions(paper, "Letter, 2 labels a sheet");
  expect(within(card).getByText(/^Print at 100% on Letter label sheets\./)).toBeTruthy();
  await userEvent.selectOptions(within(card).getByRole("combobox", { name: "Order" }), "By store");
  await userEvent.click(
    within(card).getByRole("checkbox", { name: "Add a cover page for each PO or store" }),
  );
  await userEvent.click(within(card).getByRole("button", { name: "Download again" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const [post] = labelCalls().filter(({ method }) => method === "POST");
  expect(JSON.parse(post?.body ?? "")).toEqual({ paper: "letter-2", order: "store", separators: true });
  const previews = labelCalls().filter(({ url }) => url.pathname.endsWith("/labels/1"));
  expect(previews.at(-1)?.url.searchParams.get("paper")).toBe("letter-2");
  server.on("GET /api/v1/labels/test-page", pdf());
  await userEvent.click(within(card).getByRole("button", { name: "Download test page (PDF)" }));
  await waitFor(() => expect(saved).toContain("test-page.pdf"));
});

test("a profile, a GS1 prefix, paper and order are chosen for one upload, with the company's own as default; a file with problems is checked against them", async () => {
  const profiles = [...settings.profiles, other];
  await sendBadFile({ profiles, other_prefixes: [second] }, async () => {
    await userEvent.click(
      await screen.findByRole("button", { name: "For this upload: Generic UCC-128, 4 × 6 in roll" }),
    );
    const region = within(screen.getByRole("region", { name: "Upload labels" }));
    await userEvent.selectOptions(region.getByRole("combobox", { name: "Label profile" }), other.name);
    const prefix = region.getByRole<HTMLSelectElement>("combobox", { name: "GS1 company prefix" });
    expect([...prefix.options].map(({ value }) => value)).toEqual(["0614141", second.prefix]);
    await userEvent.selectOptions(prefix, second.prefix);
    await userEvent.selectOptions(region.getByRole("combobox", { name: "Paper" }), "letter-2");
    await userEvent.click(region.getByRole("checkbox", { name: /^Add a cover page/ }));
    expect(
      region.getByRole("button", { name: "For this upload: DPCI retailer, Letter, 2 labels a sheet" }),
    ).toBeTruthy();
  });
  const chosen = { profile: other.id, prefix: second.prefix, paper: "letter-2", separators: true };
  const bodies = () =>
    labelCalls()
      .filter(({ url, method }) => method === "POST" && /labels(\/review)?$/.test(url.pathname))
      .map(({ body }) => readBody(body));
  await screen.findByRole("button", { name: "Make labels for the good rows only" });
  expect(bodies()).toEqual([{ ...chosen, print_id: someId }, chosen]);
  await userEvent.click(screen.getByRole("button", { name: "Make labels for the good rows only" }));
  const card = await screen.findByRole("region", { name: "25 labels from week12.xlsx" });
  // The file is not sent for one more review.
  expect(bodies().slice(2)).toEqual([{ ...chosen, print_id: someId }]);
  // The card keeps the choices; the next upload starts with the company's settings.
  await userEvent.click(within(card).getByRole("button", { name: "Print options" }));
  expect(within(card).getByRole<HTMLSelectElement>("combobox", { name: "Paper" }).value).toBe("letter-2");
  await userEvent.click(within(card).getByRole("button", { name: "Download again" }));
  expect(labelCalls().filter(({ url }) => url.pathname.endsWith("/print"))).toEqual([]);
  expect(
    screen.getByRole("button", { name: "For this upload: Generic UCC-128, 4 × 6 in roll" }),
  ).toBeTruthy();
});

test("the result says that its labels already exist, that serials run low, and shows the warnings about the sheet", async () => {
  const serials = { total: 10_000, left: 1_500, is_low: true };
  await open("/label/", ["brainchild"], { has: { serials, other_prefixes: [second] } });
  const remark = {
    code: "zip_padded",
    severity: "warning" as const,
    text: "Read as 02101.",
    count: 1,
    column: "F",
    rows: "7",
  };
  server.on(`GET /api/v1/labels/uploads/${id}`, isMade({ ...made, prints: 2, remarks: [remark] }));
  server.on("POST /api/v1/labels", pdf());
  await send();
  const card = await screen.findByRole("region", { name: "25 labels from week12.xlsx" });
  expect(within(card).getByText(/^owner@acme\.example already made these labels on /)).toBeTruthy();
  expect(within(card).getByText("Same SSCCs; no new ones were used.")).toBeTruthy();
  expect(await within(card).findByText(/^85% of the numbers for this prefix/)).toBeTruthy();
  expect(within(card).getByText(/^85% of the numbers for prefix 9512345678/)).toBeTruthy();
  await userEvent.click(within(card).getByRole("button", { name: "1 note" }));
  expect(within(card).getByText("Read as 02101.").closest("li")?.textContent).toContain("Cell F7");
});

test.each([
  [
    "JSON",
    problem(400, "Row 7, column Q: UPC / GTIN check digit should be 5.", "row_problems"),
    "Row 7, column Q: UPC / GTIN check digit should be 5.",
  ],
  ["plain text", { status: 500, text: "The proxy fell over." }, "The proxy fell over."],
] as const)(
  "GS-08 GS-12 GS-14 an error body of %s shows under Upload Error, and nothing is saved",
  async (_, answer, text) => {
    await open();
    server.on("POST /api/v1/labels", answer);
    await send();
    const alert = await screen.findByRole("alert", { name: "Upload Error" });
    expect([alert.textContent.includes(text), saved]).toEqual([true, []]);
    // Only the sentence of a JSON body is shown.
    expect(alert.textContent).not.toMatch(/[{}]/);
    expect(screen.queryByRole("progressbar", { name: /week12/ })).toBeNull();
  },
);

const lost: Answer = { status: 504, text: "Gateway Timeout" };
const late: Answer = {
  status: 202,
  text: JSON.stringify({ upload_id: printId }),
  headers: { "content-type": "application/json" },
};

const BETWEEN_POLLS_MS = 2_000;
const queued: Answer = { json: { state: "queued", labels: null } };

/** Uploads a sheet whose answer holds no labels. */
async function sendLosing(answer: Answer | (() => Answer), found: Answer[]) {
  shortenWaits(BETWEEN_POLLS_MS);
  await open();
  vi.spyOn(crypto, "randomUUID").mockReturnValue(printId);
  server.on("POST /api/v1/labels", answer);
  server.on(`GET /api/v1/labels/uploads/${printId}`, () => found.shift() ?? problem(404, "Not made."));
  await send();
}

test.each([
  ["is lost on the way", lost],
  ["is that they are still being made", late],
])(
  "GS-12 GS-13 when the answer %s, the labels are shown once they are made, without sending the file again",
  async (_, answer) => {
    await sendLosing(answer, [queued, isMade()]);
    const card = await screen.findByRole("region", { name: "25 labels from week12.xlsx" });
    expect(
      within(card).getByText(/but the file didn't reach your browser\. Print or download it now\.$/),
    ).toBeTruthy();
    expect([saved, sentSheets().length, screen.queryByRole("alert")]).toEqual([[], 1, null]);
    expect(sentSheets()[0]?.body).toContain(`"print_id":"${printId}"`);
    server.on(
      `POST /api/v1/labels/uploads/${id}/print`,
      pdf({ "content-disposition": 'attachment; filename="week12.pdf"' }),
    );
    await userEvent.click(within(card).getByRole("button", { name: "Download again" }));
    await waitFor(() => expect(saved).toEqual(["week12.pdf"]));
  },
);

test.each([
  [
    "that was lost is shown as it came, once the sheet was sent again",
    lost,
    problem(404, "Not made."),
    "Gateway Timeout",
    { looks: 2, posts: 2 },
  ],
  [
    "that was late is that nothing was found",
    late,
    problem(404, "Not made."),
    "Not made.",
    { looks: 1, posts: 1 },
  ],
  [
    "that was late is, once ten looks had no answer, how the last of them was lost",
    late,
    { status: 502, text: "Bad Gateway" },
    "Bad Gateway",
    { looks: 10, posts: 1 },
  ],
  [
    "that was lost is what is wrong with the rows",
    lost,
    problem(400, "Row 7.", "row_problems"),
    "Row 7.",
    { looks: 1, posts: 1 },
  ],
] as const)("GS-08 GS-12 where no labels were made, an answer %s", async (_, answer, found, text, calls) => {
  await sendLosing(answer, Array<Answer>(10).fill(found));
  expect((await screen.findByRole("alert", { name: "Upload Error" })).textContent).toContain(text);
  expect([saved, uploadButton().disabled]).toEqual([[], false]);
  const looks = labelCalls().filter(({ url }) => url.pathname.endsWith(printId)).length;
  expect({ looks, posts: sentSheets().length }).toEqual(calls);
});

test("GS-12 GS-13 a sheet whose answer was lost before it was received is sent once more, as the same upload", async () => {
  const answers = [
    lost,
    pdf({ "content-disposition": "attachment; filename=\"labels.pdf\"; filename*=UTF-8''week12.pdf" }),
  ];
  await sendLosing(
    () => answers.shift() ?? expect.unreachable(),
    [{ status: 502, text: "Bad Gateway" }, problem(404, "Not made.")],
  );
  expect(await screen.findByRole("region", { name: "25 labels from week12.xlsx" })).toBeTruthy();
  const posts = sentSheets();
  expect([saved, screen.queryByRole("alert"), posts.map(({ body }) => readBody(body))]).toEqual([
    ["week12.pdf"],
    null,
    [{ print_id: printId }, { print_id: printId }],
  ]);
  expect(posts.map(({ body }) => body.includes("PK bytes"))).toEqual([true, true]);
});

test("GS-12 after a late answer a server that is restarting is asked again", async () => {
  await sendLosing(late, [{ status: 502, text: "Bad Gateway" }, queued, isMade()]);
  expect(await screen.findByRole("region", { name: "25 labels from week12.xlsx" })).toBeTruthy();
});

test.each([
  ["labels/uploads", { json: { uploads: [] } }],
  ["labels/settings", problem(400, "Not now.")],
] as const)(
  "PF-03 earlier uploads and settings appear together, so nothing moves when %s answers last",
  async (last, answer) => {
    const held = Promise.withResolvers<void>();
    await open("/label/", ["brainchild"], {
      late: { path: `GET /api/v1/${last}`, answer: { ...answer, wait: held.promise } },
    });
    const cards = () =>
      ["Earlier uploads", "Label settings"].filter((name) => screen.queryByRole("region", { name }));
    const asked = () => new Set(labelCalls().map(({ url }) => url.pathname.split("/").at(-1)));
    await waitFor(() => expect(asked()).toEqual(new Set(["uploads", "settings"])));
    await screen.findByRole("progressbar", { name: "Loading the label settings" });
    expect(cards()).toEqual([]);
    held.resolve();
    const shown = last === "labels/uploads" ? [] : ["Earlier uploads"];
    await waitFor(() => expect(cards()).toEqual([...shown, "Label settings"]));
  },
);

test("GS-12 a queued upload is listed until its labels are made, and a refused one with the reason", async () => {
  shortenWaits(BETWEEN_POLLS_MS);
  const by = { ...listed, uploaded_by: "clerk@acme.example", label_count: 0 };
  const making = { ...by, id: printId, filename: "week13.xlsx", state: "queued" };
  const problem = "PO Number is missing in row 2.\nCarrier is missing in row 3.";
  const refusal = {
    ...by,
    id: "0198c0de-0000-7000-8000-00000000000c",
    filename: "week14.xlsx",
    state: "refused",
    problem,
  };
  let isMaking = true;
  const uploads = () => ({
    json: { uploads: [...(isMaking ? [making] : []), refusal, listed] },
  });
  await open("/label/", ["brainchild"], { uploads });
  const card = await screen.findByRole("region", { name: "Earlier uploads" });
  const line = (await within(card).findByText("week13.xlsx")).closest("li") as HTMLElement;
  for (const fact of ["Making labels…", "clerk@acme.example"])
    expect(within(line).getByText(fact)).toBeTruthy();
  expect(line.textContent).toMatch(/^week13\.xlsxMaking labels….+clerk@acme\.example$/);
  const refused = within(card).getByRole("group", { name: "No labels were made from week14.xlsx" });
  expect(refused.textContent).toMatch(
    /PO Number is missing in row 2\.\nCarrier is missing in row 3\..+clerk@acme\.example$/,
  );
  isMaking = false;
  await waitFor(() => expect(within(card).queryByText("week13.xlsx")).toBeNull());
  expect(within(card).getByRole("group", { name: "No labels were made from week14.xlsx" })).toBeTruthy();
  expect(within(card).getByRole("button", { name: "Open week12.xlsx" })).toBeTruthy();
});

test("HA-05 a sheet that is sent while the server's database is away is sent again by itself as the same upload, until it is canceled, rejected, made, or a minute is over", async () => {
  shortenWaits(5_000);
  await open("/label/", ["brainchild"], { isFramed: true });
  const away = problem(503, "The database isn't responding right now.", "database_unavailable");
  const isWaiting = () => screen.queryByText(/^We'll keep trying to send your file/) !== null;
  const sendAway = async () => {
    server.on("POST /api/v1/labels", away);
    const before = sentSheets().length;
    await userEvent.click(uploadButton());
    await waitFor(() => expect(sentSheets().length).toBeGreaterThan(before + 2));
    expect(isWaiting()).toBe(true);
    return sentSheets().slice(before);
  };
  await userEvent.upload(await picker(), workbook(), { applyAccept: false });
  await sendAway();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.getAllByText("Canceled. Nothing was printed.")).toHaveLength(2));
  expect(isWaiting()).toBe(false);
  await sendAway();
  server.on("POST /api/v1/labels", problem(400, "The selected file is empty."));
  const alert = () => screen.findByRole("alert", { name: "Upload Error" });
  expect((await alert()).textContent).toContain("The selected file is empty.");
  expect(isWaiting()).toBe(false);
  const before = sentSheets().length;
  await sendAway();
  expect((await alert()).textContent).toContain("The database isn't responding right now.");
  expect([isWaiting(), sentSheets().length - before]).toEqual([false, 13]);
  const sent = await sendAway();
  server.on("POST /api/v1/labels", pdf());
  expect(await screen.findByRole("region", { name: "25 labels from week12.xlsx" })).toBeTruthy();
  expect([isWaiting(), screen.queryByRole("alert")]).toEqual([false, null]);
  const ids = [...sent, ...sentSheets().slice(-1)].map(({ body }) => /"print_id":"([^"]+)"/.exec(body)?.[1]);
  expect([...new Set(ids)]).toEqual([someId]);
});

test("GS-12 labels whose company is no longer the one on screen are looked up in their own company", async () => {
  let answer = () => undefined as void;
  await sendLosing({ ...late, wait: new Promise<void>((resolve) => (answer = resolve)) }, [isMade()]);
  const isSent = () => labelCalls().some(({ method }) => method === "POST");
  await waitFor(() => expect(isSent()).toBe(true));
  act(() => realmStore.set(beta.id));
  answer();
  const asked = () =>
    server.requests.filter(
      ({ url, method }) =>
        method === "GET" && [`uploads/${printId}`, `uploads/${id}`].some((end) => url.pathname.endsWith(end)),
    );
  await waitFor(() => expect(asked()).toHaveLength(2));
  expect(asked().map(({ realm }) => realm)).toEqual([acme.id, acme.id]);
});

test("GS-12 a browser without random ids sends none; a late answer's own id is used, and a lost answer is shown as it came", async () => {
  await open();
  vi.stubGlobal("crypto", {});
  onTestFinished(() => void vi.unstubAllGlobals());
  server.on("POST /api/v1/labels", lost);
  await send();
  expect((await screen.findByRole("alert", { name: "Upload Error" })).textContent).toContain(
    "Gateway Timeout",
  );
  const prints = () => labelCalls().filter(({ url }) => url.pathname.endsWith(printId));
  const posts = labelCalls().filter(({ method }) => method === "POST");
  expect([prints(), posts.map(({ body }) => body.includes("print_id"))]).toEqual([[], [false]]);
  server.on("POST /api/v1/labels", late);
  server.on(`GET /api/v1/labels/uploads/${printId}`, isMade());
  await userEvent.click(uploadButton());
  expect(await screen.findByRole("region", { name: "25 labels from week12.xlsx" })).toBeTruthy();
});

test.each([
  [99, "before all of it was sent", "Canceled. Nothing was printed.", 0],
  [
    100,
    "once all of it was sent",
    "Canceled, but we had already received the file, so its labels may still be made. Look under Earlier uploads. Uploading the same file again gives the same labels.",
    1,
  ],
])(
  "GS-12 with %i percent sent, an upload that is canceled %s says what may happen to it",
  async (percent, _, text, more) => {
    await open();
    const lists = () => labelCalls().filter(({ url }) => url.pathname === "/api/v1/labels/uploads").length;
    await waitFor(() => expect(lists()).toBe(1));
    const request = axios.request.bind(axios);
    vi.spyOn(axios, "request").mockImplementation((config) => {
      if (config.method !== "POST") return request(config);
      config.onUploadProgress?.({ loaded: percent, total: 100 } as AxiosProgressEvent);
      return new Promise((_resolve, reject) => {
        config.signal?.addEventListener?.("abort", () => reject(new CanceledError()));
      });
    });
    onTestFinished(() => void vi.restoreAllMocks());
    await send();
    await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
    const region = within(screen.getByRole("region", { name: "Upload labels" }));
    expect(await region.findByText(text)).toBeTruthy();
    await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2));
    await waitFor(() => expect(lists()).toBe(1 + more));
  },
);

test("DL-01 DL-03 DL-08 DL-09 (of labels) the result says that its barcodes were decoded, and gives the lists of SSCCs", async () => {
  await open(`/label/?upload=${id}`);
  const card = await screen.findByRole("region", { name: "25 labels from week12.xlsx" });
  expect(within(card).getByText("All barcodes passed: data and size meet GS1 specs.")).toBeTruthy();
  const file = (name: string): Answer => pdf({ "content-disposition": `attachment; filename="${name}"` });
  const exported = () => labelCalls().filter(({ url }) => url.pathname.endsWith("/ssccs.csv"));
  server.on("GET /api/v1/labels/ssccs.csv", file("ssccs.csv"));
  await userEvent.click(await screen.findByRole("button", { name: "Download list of all SSCCs" }));
  await waitFor(() => expect(saved.at(-1)).toBe("ssccs.csv"));
  server.on("GET /api/v1/labels/ssccs.csv", problem(404, "These labels are gone.", "not_found"));
  await userEvent.click(screen.getByRole("button", { name: "Download list of these SSCCs" }));
  expect(await screen.findByText("These labels are gone.")).toBeTruthy();
  server.on("GET /api/v1/labels/ssccs.csv", file("again.csv"));
  await userEvent.click(screen.getByRole("button", { name: "Download list of these SSCCs" }));
  await waitFor(() => expect(saved.at(-1)).toBe("again.csv"));
  expect(exported().map(({ url }) => url.searchParams.get("upload_id"))).toEqual([null, id, id]);
});

test("the admin is warned that another company uses the same prefix and digit, and takes a free digit", async () => {
  await open("/label/", ["brainchild"], { has: { shared: { prefixes: ["0614141"], free_digit: 3 } } });
  const form = within(await screen.findByRole("form", { name: "Label settings" }));
  const sentence = "Another company here uses GS1 prefix 0614141 with extension digit 0";
  expect(form.getByText(sentence)).toBeTruthy();
  await userEvent.click(form.getByRole("button", { name: "Use extension digit 3" }));
  expect(form.getByRole<HTMLSelectElement>("combobox", { name: "Extension digit" }).value).toBe("3");
  expect(form.queryByText(sentence)).toBeNull();
  server.on("PUT /api/v1/labels/settings", { json: { ...settings, extension: 3 } });
  await userEvent.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(labelCalls().filter(({ method }) => method === "PUT")).toHaveLength(1));
  expect(JSON.parse(labelCalls().at(-1)?.body ?? "")).toMatchObject({ extension: 3 });
});

const makeReview = (
  errors: LabelReview["errors"],
  corrections: LabelReview["corrections"] = [],
): LabelReview => ({
  filename: "week12.xlsx",
  label_count: 3 - errors.length,
  error_count: errors.length,
  errors,
  corrections,
  remarks: [],
  rows: [5, 6, 7].map((row) => ({
    row,
    po_number: `PO-${row}`,
    ship_to: "Hearth Supply DC 12",
    mark_for: "0412",
    labels: 1,
    state: errors.some((error) => error.row === row) ? "fix" : "ready",
  })),
});

const missing = (row: number): LabelReview["errors"][number] => ({
  code: "required",
  text: "Ship To Name is missing.",
  row,
  cell: `B${row}`,
  field: "shipToName",
  header: "Ship To Name",
  value: "",
  date_order: null,
});

const readBody = (body: string): unknown =>
  JSON.parse(/name="body"\r?\n\r?\n([^\r\n]*)/.exec(body)?.[1] ?? "{}");

/** A server that refuses two rows until their cells are corrected. */
async function sendBadFile(has: Partial<typeof settings> = {}, before = async () => undefined as void) {
  await open("/label/", ["brainchild"], { has });
  server.on("POST /api/v1/labels", ({ url, body }) =>
    url.searchParams.get("rows") === "good" || body.includes("Hearth East")
      ? pdf()
      : problem(
          400,
          "Row 6, column B: Ship To Name is missing.\nRow 7, column B: Ship To Name is missing.",
          "row_problems",
        ),
  );
  server.on("POST /api/v1/labels/review", ({ body }) => {
    const { cells = [] } = readBody(body) as { cells?: { row: number; field: string; value: string }[] };
    const fixed = cells.map((cell) => ({
      ...cell,
      place: String(cell.row),
      header: "Ship To Name",
      was: "",
    }));
    const left = [6, 7].filter((row) => !cells.some((cell) => cell.row === row));
    return { json: makeReview(left.map(missing), fixed) };
  });
  await before();
  await send();
}

test("GS-15 when rows have problems, the good rows alone are sent only on request, and the problem rows can be saved", async () => {
  onTestFinished(layOut({ clientHeight: 440, clientWidth: 800, offsetHeight: 440, offsetWidth: 800 }));
  await sendBadFile();
  expect(await screen.findByRole("alert", { name: "Upload Error" })).toBeTruthy();
  const table = await screen.findByRole("table", { name: "Rows of week12.xlsx" });
  expect(
    within(table)
      .getAllByRole("row")
      .slice(1)
      .map(({ textContent }) => textContent),
  ).toEqual([
    "5PO-5Hearth Supply DC 1204121Ready",
    "6PO-6Hearth Supply DC 1204121Needs fixing",
    "7PO-7Hearth Supply DC 1204121Needs fixing",
  ]);
  server.on("POST /api/v1/labels/problem-rows", {
    text: "PK",
    headers: {
      "content-type": XLSX_MEDIA_TYPE,
      "content-disposition": 'attachment; filename="to-correct.xlsx"',
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Download problem rows of week12.xlsx" }));
  await waitFor(() => expect(saved).toEqual(["to-correct.xlsx"]));
  saved.length = 0;
  await userEvent.click(await screen.findByRole("button", { name: "Make labels for the good rows only" }));
  expect(await screen.findByRole("region", { name: "25 labels from week12.xlsx" })).toBeTruthy();
  expect(saved).toEqual(["week12.xlsx.pdf"]);
  expect(screen.queryByRole("table", { name: "Rows of week12.xlsx" })).toBeNull();
});

test("GS-08 GS-15 a fault is shown once, at its field; Upload Error says that nothing was made and keeps its list collapsed", async () => {
  await sendBadFile();
  const alert = await screen.findByRole("alert", { name: "Upload Error" });
  const folded = within(alert).getByText("What's wrong").closest("details");
  expect(folded?.open).toBe(false);
  expect(folded?.textContent).toContain("Row 7, column B: Ship To Name is missing.");
  expect(alert.textContent).toMatch(/^Upload ErrorNo labels were made\. Fix the rows below\./);
});

test("GS-15 cells are corrected on the page, each correction is checked and can be undone, and then labels of all rows are made", async () => {
  await sendBadFile();
  const fix = async (row: number, value: string) => {
    const input = await screen.findByRole("textbox", { name: `Ship To Name of Row ${row}` });
    await userEvent.fill(input, value);
    await userEvent.keyboard("{Enter}");
  };
  await fix(6, "Hearth East");
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "Ship To Name of Row 6" })).toBeNull());
  expect(screen.queryByRole("alert", { name: "Upload Error" })).toBeNull();
  await fix(7, "Hearth West");
  await screen.findByText(/^All rows are correct now\. Your file doesn't change/);
  await userEvent.click(screen.getByRole("button", { name: "2 corrections" }));
  await userEvent.click(screen.getByRole("button", { name: "Undo the correction of Ship To Name in row 7" }));
  await fix(7, "Hearth South");
  await userEvent.click(await screen.findByRole("button", { name: "Make 3 labels" }));
  expect(await screen.findByRole("region", { name: "25 labels from week12.xlsx" })).toBeTruthy();
  const last = labelCalls().findLast(
    ({ url, method }) => method === "POST" && url.pathname === "/api/v1/labels",
  );
  expect([last?.url.searchParams.has("rows"), readBody(last?.body ?? "")]).toEqual([
    false,
    {
      cells: [
        { row: 6, field: "shipToName", value: "Hearth East" },
        { row: 7, field: "shipToName", value: "Hearth South" },
      ],
      print_id: someId,
    },
  ]);
});

test("a user who moved to another page while labels are made gets them there and stays there", async () => {
  await open("/label/", ["brainchild"], { isFramed: true });
  const sent = Promise.withResolvers<void>();
  server.on("POST /api/v1/labels", { ...pdf({ "x-document-of": id }), wait: sent.promise });
  await send();
  await userEvent.click(screen.getByRole("link", { name: "Excel Add-In" }));
  await screen.findByRole("heading", { level: 1, name: "Excel Add-In" });
  const replaced = vi.spyOn(window.history, "replaceState");
  onTestFinished(() => replaced.mockRestore());
  sent.resolve();
  // The upload is read last; its effects have happened once another page was read.
  await waitFor(() => expect(labelCalls().at(-1)?.url.pathname).toBe(`/api/v1/labels/uploads/${id}`));
  await userEvent.click(screen.getByRole("link", { name: "Settings" }));
  await screen.findByRole("heading", { level: 1, name: /Settings/ });
  expect([saved, replaced.mock.calls]).toEqual([["week12.xlsx.pdf"], []]);
});

test("VA-01 a file that is not a workbook is refused before it is sent", async () => {
  await open();
  await userEvent.upload(await picker(), new File(["x"], "notes.pdf", { type: "application/pdf" }), {
    applyAccept: false,
  });
  expect(await screen.findByText("The selected file must be an XLSX spreadsheet.")).toBeTruthy();
  expect(uploadButton().disabled).toBe(true);
});

/** Opens the settings, and finds their form. */
async function openSettings() {
  await userEvent.click(await screen.findByRole("button", { name: "Label settings" }));
  return screen.findByRole("form", { name: "Label settings" });
}

test("a member who is not the admin sees the label settings as text, and whom to ask", async () => {
  await open("/label/", ["brainchild"], { companies: [{ ...acme, admin: "carl@acme.example" }] });
  await userEvent.click(await screen.findByRole("button", { name: "Label settings" }));
  const card = within(screen.getByRole("region", { name: "Label settings" }));
  expect(card.getByText("Ask carl@acme.example to change these.")).toBeTruthy();
  expect(card.getByText("0614141")).toBeTruthy();
  for (const role of ["textbox", "combobox", "checkbox"]) expect(card.queryByRole(role)).toBeNull();
});

test("the admin changes the label settings", async () => {
  await open();
  const form = await openSettings();
  server.on("PUT /api/v1/labels/settings", {
    json: { ...settings, next_serial: 500, other_prefixes: [second] },
  });
  await userEvent.clear(within(form).getByRole("textbox", { name: "Next serial" }));
  await userEvent.type(within(form).getByRole("textbox", { name: "Next serial" }), "500");
  await userEvent.click(within(form).getByRole("button", { name: "Add a GS1 company prefix" }));
  const more = within(form).getByRole("textbox", { name: "GS1 company prefix 2" });
  const save = within(form).getByRole<HTMLButtonElement>("button", { name: "Save" });
  await userEvent.type(more, "951");
  expect(within(form).getByRole("alert").textContent).toContain("A GS1 company prefix has 4 to 12 digits.");
  expect(save.disabled).toBe(true);
  await userEvent.type(more, "2345678");
  await userEvent.clear(within(form).getByRole("textbox", { name: "Next serial of prefix 2" }));
  await userEvent.type(within(form).getByRole("textbox", { name: "Next serial of prefix 2" }), "40");
  await userEvent.click(within(form).getByRole("button", { name: "Add a ship-from address" }));
  await userEvent.type(within(form).getByRole("textbox", { name: "Code" }), "OAK");
  await userEvent.fill(within(form).getByRole("textbox", { name: "Name" }), "Acme Tools");
  await userEvent.selectOptions(within(form).getByRole("combobox", { name: "Paper" }), "letter-4");
  await userEvent.click(within(form).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(labelCalls().filter(({ method }) => method === "PUT")).toHaveLength(1));
  const put = labelCalls().find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toMatchObject({
    prefix: "0614141",
    next_serial: 500,
    other_prefixes: [{ prefix: second.prefix, next_serial: 40 }],
    paper: "letter-4",
    order: "file",
    separators: false,
    ship_froms: [{ code: "OAK", name: "Acme Tools" }],
  });
  expect(
    await screen.findByText(/^85% of the numbers for prefix 9512345678 and this extension digit are used\./),
  ).toBeTruthy();
});

test("a next serial that is not a number is pointed out and keeps the form from being saved", async () => {
  await open();
  const form = await openSettings();
  const next = within(form).getByRole("textbox", { name: "Next serial" });
  const save = within(form).getByRole<HTMLButtonElement>("button", { name: "Save" });
  await userEvent.clear(next);
  await userEvent.type(next, "12,000{Enter}");
  expect(within(form).getByRole("alert").textContent).toContain("Enter the next serial in digits only");
  expect([save.disabled, labelCalls().filter(({ method }) => method === "PUT")]).toEqual([true, []]);
  // A blank field changes nothing.
  await userEvent.clear(next);
  expect([save.disabled, within(form).queryByRole("alert")]).toEqual([false, null]);
});

test("FR-42 unsaved label settings are restored after the session has ended, until they are saved or discarded", async () => {
  await open();
  await openSettings();
  const form = async () => within(await screen.findByRole("form", { name: "Label settings" }));
  const field = async (name: string) => (await form()).getByRole<HTMLInputElement>("textbox", { name });
  await userEvent.type(await field("Next serial"), "0");
  await userEvent.click((await form()).getByRole("button", { name: "Add a ship-from address" }));
  await userEvent.type(await field("Code"), "OAK");
  server.on("PUT /api/v1/labels/settings", problem(401, "Sign in."));
  await userEvent.click((await form()).getByRole("button", { name: "Save" }));
  await screen.findByRole("heading", { level: 2, name: "Your session ended" });
  cleanup();

  await open();
  expect([(await field("Next serial")).value, (await field("Code")).value]).toEqual(["4170", "OAK"]);
  await userEvent.click((await form()).getByRole("button", { name: "Discard changes" }));
  const isKept = async () => [
    (await field("Next serial")).value,
    (await form()).queryByText("Discard changes"),
  ];
  expect(await isKept()).toEqual(["417", null]);
  await userEvent.type(await field("Next serial"), "1");
  server.on("PUT /api/v1/labels/settings", { json: { ...settings, next_serial: 4_171 } });
  await userEvent.click((await form()).getByRole("button", { name: "Save" }));
  await waitFor(async () => expect(await isKept()).toEqual(["4171", null]));
  cleanup();

  await open();
  await openSettings();
  expect((await field("Next serial")).value).toBe("417");
});

test("users are warned on the page once 80% of the numbers are used", async () => {
  await open("/label/", ["brainchild"], { has: { serials: { total: 10_000, left: 2_000, is_low: true } } });
  expect(
    await screen.findByText(/^80% of the numbers for this prefix and this extension digit are used\./),
  ).toBeTruthy();
});
