import {
  sampleCheck,
  sampleReport,
  unknownCustomer,
  wrongDate,
} from "#features/invoices/web/fixtures/checks.ts";
import type { OrderInvoice } from "#features/order-invoices/contract.ts";
import { draftInvoice } from "#features/order-invoices/web/fixtures/invoices.ts";
import type { OpenOrders } from "#features/shipping/contract.ts";
import { sampleOrder, sampleOrders } from "#features/shipping/web/carrier/fixtures/orders.ts";
import { isFocusLost, keepPlace } from "#web/kit/focus.ts";
import {
  acme,
  shortenWaits,
  owner,
  renderPage,
  settingsOfAcme,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";

const server = await startServer();
const ID = "0198c0de-0000-7000-8000-000000000009";
const KEY = `SHA256:${"k".repeat(43)}`;

const find = (name: RegExp, role = "button") => screen.findByRole(role, { name });

function open(path: string, company: object = {}) {
  server.on("GET /api/v1/user", { json: owner({ companies: [acme] }) });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: ["tracking"], connection: "connected", ...company }] },
  });
  server.visit(path);
  renderPage();
}

const dana = sampleOrder();
const luis = sampleOrder({ po_number: "8841219" });
const canceled = {
  po_number: dana.po_number,
  retailer: dana.retailer,
  customer_name: dana.customer_name,
  cancelled_at: "2026-11-26T10:00:00Z",
  packing_slip_file: dana.packing_slip_file,
  id: dana.id,
  cancelled_by: acme.admin,
  can_restore: true,
  notice: null,
};
const ORDERS = "/api/v1/labels/open-orders";
const ordersAre = (list: Partial<OpenOrders>) => server.on(`GET ${ORDERS}`, { json: sampleOrders(list) });

function openBench(list: Partial<OpenOrders>) {
  ordersAre(list);
  for (const path of ["", "/restore"]) server.on(`${path ? "POST" : "DELETE"} ${ORDERS}${path}`, {});
  open("/label/?ups=1");
}

async function cancelDana() {
  openBench({ open: [dana, luis] });
  const cancel = await find(/Cancel Order.*8841203/);
  ordersAre({ open: [luis], cancelled: [canceled] });
  await userEvent.click(cancel);
  return find(/^Undo/);
}

const line = {
  line: "1",
  sku: "1004-118",
  description: "Pull handle",
  item: null,
  ordered: "2",
  price: "12.50",
  ordered_amount: "25.00",
  shipped: "2",
  billed: "2",
  billed_amount: "25.00",
  item_price: "14.00",
  asks_price: true,
};
const theirs = {
  id: "7",
  number: "A-7",
  date: "2026-11-20",
  total: "25.00",
  link: "https://qbo.example/7",
  has_tracking_number: true,
};

/** Opens an order whose invoice asks something that one answer settles. */
function openOrder(asking: Partial<OrderInvoice>, settled: Partial<OrderInvoice> = {}) {
  let shown = { ...draftInvoice, ...asking };
  const thread = {
    order_id: ID,
    po_number: "8841188",
    customer_name: "Robin Sample",
    standing: "differs",
    words: "Differs",
    marks: Array.from({ length: 7 }, () => "waiting"),
    amount: "25.00",
  };
  server.on("GET /api/v1/orders/thread", () => ({
    json: {
      thread,
      retailer: "Retailer",
      steps: [],
      invoices: [shown],
      waiting: null,
      asks_shipped: false,
      slip_file: "slip.pdf",
    },
  }));
  server.on("POST /api/v1/orders/invoices/answer", () => {
    shown = { ...draftInvoice, ...settled };
    return { json: {} };
  });
  open(`/orders/?order=${ID}`);
}

const CHECK = `/api/v1/invoices/checks/${ID}`;
const unknown = {
  kind: "customer",
  text: "Acmee",
  rows: "4, 7",
  count: 2,
  unlocks: 2,
  suggestions: [{ id: "7", name: "Acme" }],
  preselected_id: "7",
};

/** Opens the review of a file with a fault, which is gone once the file is checked again. */
function openReview({ names, errors }: { names: (typeof unknown)[]; errors: (typeof wrongDate)[] }) {
  const problems = [{ ...unknownCustomer, ...(errors.length > 0 ? { code: wrongDate.code } : {}) }];
  let found = sampleCheck({ id: ID, report: sampleReport({ problems }) });
  let left = errors;
  server.on(`GET ${CHECK}`, () => ({ json: found }));
  server.on(`GET ${CHECK}/invoices`, { json: { revision: 1, invoices: [] } });
  server.on(`GET ${CHECK}/errors`, () => ({ json: { errors: left, next: null } }));
  server.on(`GET /api/v1/invoices/${ID}/unknown-names`, {
    json: { names, total_count: names.length, next: null },
  });
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
  server.on("PUT /api/v1/invoices/names", {
    json: { kind: "customer", text: "Acmee", target_id: "7", target_name: "Acme" },
  });
  server.on(`POST ${CHECK}/again`, () => {
    left = left.slice(1);
    if (left.length === 0) found = sampleCheck({ id: ID, revision: 2 });
    else found = { ...found, revision: 2 };
    return { status: 202, json: {} };
  });
  open(`/app/?check=${ID}`);
}

/** Each case: a control that goes when it is used, the last step before that, and what uses it if Enter doesn't. */
const CASES: readonly [
  name: string,
  arrange: () => Promise<HTMLElement>,
  use?: () => void | Promise<void>,
][] = [
  [
    "Undo of a canceled order",
    async () => {
      const undo = await cancelDana();
      ordersAre({ open: [dana, luis] });
      return undo;
    },
  ],
  [
    "Undo whose time is over",
    () => {
      shortenWaits(10_000);
      return cancelDana();
    },
    () => undefined,
  ],
  [
    "Restore of a canceled order",
    async () => {
      openBench({ open: [luis], cancelled: [canceled] });
      const restore = await find(/^Restore/);
      ordersAre({ open: [dana, luis] });
      return restore;
    },
  ],
  [
    "Dismiss of what came in",
    async () => {
      openBench({ open: [dana] });
      server.on(`POST ${ORDERS}`, {
        json: {
          filename: "week.edi",
          cells: [],
          documents: [{ po_number: "8841203", result: "same", problems: [] }],
        },
      });
      await userEvent.upload(await screen.findByLabelText("File of orders"), new File(["ISA*"], "week.edi"));
      return find(/^Dismiss/);
    },
  ],
  [
    "Mark as handled",
    () => {
      const problem = "It was changed in QuickBooks since.";
      openOrder({ state: "posted", problem, asks_handled: true }, { state: "posted", problem });
      return find(/^Mark as handled/);
    },
  ],
  [
    "Bill of the order's price",
    () => {
      openOrder({ lines: [line], waits: ["price"] }, { lines: [{ ...line, asks_price: false }] });
      return find(/^Bill \$12\.50/);
    },
  ],
  [
    "It's this invoice",
    () => {
      openOrder({ theirs, waits: ["books"] }, { state: "linked" });
      return find(/^It's this invoice/);
    },
  ],
  [
    "It's credited",
    () => {
      openOrder({ waits: ["credit"] }, { can_post: true });
      return find(/^It's credited/);
    },
  ],
  [
    "Use of a match for a retailer's name",
    async () => {
      const question = { partner: "p", kind: "item", description: "Handle", orders: 1, amount: "25.00" };
      const suggestions = [{ id: "7", name: "Handle" }];
      let questions = ["A", "B"].map((written) => ({ ...question, written, suggestions }));
      const share = { orders: 0, amount: "0.00" };
      server.on("GET /api/v1/orders/threads", () => ({
        json: {
          retailers: ["Retailer"],
          last_order_at: null,
          last_order_time: "",
          shares: { all: share, ready: share, differs: share, retailer: share, done: share },
          posting: 0,
          threads: [],
          total_count: 0,
          questions,
          posts_when_shipped: false,
        },
      }));
      server.on("PUT /api/v1/orders/matches", () => {
        questions = questions.slice(1);
        return { json: { name: "Handle" } };
      });
      open("/orders/");
      return find(/^Use.*A/);
    },
  ],
  [
    "Take over billing",
    async () => {
      server.on("GET /api/v1/stripe/payer", { json: { payer: "carl@acme.example", is_payer: false } });
      server.on("POST /api/v1/stripe/payer", {});
      open("/settings/");
      await userEvent.click(await find(/^Pay for this company yourself/));
      server.on("GET /api/v1/stripe/payer", { json: { payer: acme.admin, is_payer: true } });
      return find(/^Take over billing/);
    },
  ],
  [
    "The key matches. Save",
    async () => {
      let folder: object | null = null;
      const FOLDER = "/api/v1/company/order-folder";
      server.on(`GET ${FOLDER}`, () => ({ json: { folder, can_be_local: false } }));
      server.on(`POST ${FOLDER}/host-key`, { json: { host_key: KEY } });
      server.on(`PUT ${FOLDER}`, () => {
        folder = {
          kind: "sftp",
          host: "sftp.example.com",
          port: 22,
          user: "acme",
          auth: "password",
          host_key: KEY,
          folder_in: "in",
          folder_out: "out",
          state: "active",
          problem: "",
          polled_at: null,
        };
        return { json: { folder } };
      });
      open("/settings/developers/?section=folder");
      await userEvent.fill(await find(/^Server/, "textbox"), "sftp.example.com");
      await userEvent.fill(screen.getByRole("textbox", { name: "User" }), "acme");
      await userEvent.fill(screen.getByLabelText("Password", { selector: "[type=password]" }), "secret");
      await userEvent.click(await find(/^Check the server/));
      return find(/^The key matches\. Save/);
    },
  ],
  [
    "Disconnect of a UPS account",
    async () => {
      const settings = { ...settingsOfAcme, ups_account: "4F2A11", ups_state: "connected" };
      server.on("DELETE /api/v1/company/connect-ups", {});
      open("/settings/?section=tracking", { settings });
      const disconnect = await find(/^Disconnect$/);
      server.on("GET /api/v1/company", {
        json: {
          companies: [{ ...acme, services: ["tracking"], connection: "connected", settings: settingsOfAcme }],
        },
      });
      return disconnect;
    },
  ],
  [
    "Use of a suggested name",
    () => {
      openReview({ names: [unknown], errors: [] });
      return find(/^Use for Acmee/);
    },
  ],
  [
    "a corrected cell",
    async () => {
      openReview({ names: [], errors: [wrongDate, { ...wrongDate, row: 8, place: "8", doc_number: "S-6" }] });
      const field = await find(/^Invoice Date of S-4/, "textbox");
      await userEvent.clear(field);
      await userEvent.fill(field, "11/22/2026");
      return field;
    },
  ],
  [
    "Leave out of an invoice",
    () => {
      openReview({ names: [], errors: [wrongDate, { ...wrongDate, row: 8, place: "8", doc_number: "S-6" }] });
      return find(/^Leave out S-4/);
    },
  ],
];

test.each(CASES)("SR-01 the keyboard keeps its place after %s", async (_, arrange, use) => {
  const control = await arrange();
  control.focus();
  await (use ? use() : userEvent.keyboard("{Enter}"));
  await waitFor(() => expect(control.isConnected).toBe(false));
  await waitFor(() => expect(isFocusLost(document.activeElement)).toBe(false));
  const place = document.activeElement;
  expect([place?.closest("main") !== null, place?.matches("main, h1")]).toEqual([true, false]);
});

/** A list of buttons, whose keyboard place is kept. */
function openList(...names: string[]) {
  document.body.innerHTML = "<main><ul></ul></main>";
  const list = document.querySelector("ul") as HTMLElement;
  const end = keepPlace();
  onTestFinished(() => {
    end();
    document.body.innerHTML = "";
  });
  const item = (name: string) => {
    const li = document.createElement("li");
    li.innerHTML = `<button>${name}</button>`;
    return li;
  };
  list.append(...names.map(item));
  const focus = (name: string) =>
    [...list.querySelectorAll("button")].find((button) => button.textContent === name)?.focus();
  const remove = (name: string) => [...list.children].find((li) => li.textContent === name)?.remove();
  return { list, item, focus, remove };
}

const isInPlace = (name: string) =>
  waitFor(() =>
    expect([document.activeElement?.tagName, document.activeElement?.textContent]).toEqual(["LI", name]),
  );

test("SR-01 the keyboard keeps its place in a list that grows before it", async () => {
  const { list, item, focus, remove } = openList("1", "2", "3", "4");
  focus("2");
  list.prepend(item("-1"), item("0"));
  await Promise.resolve();
  remove("2");
  await isInPlace("3");
});

test("SR-01 the place of the keyboard is kept while another window has it, and goes with it", async () => {
  const { focus, remove } = openList("1", "2", "3");
  focus("2");
  remove("2");
  await isInPlace("3");
  const place = document.activeElement as HTMLElement;
  place.dispatchEvent(new FocusEvent("blur"));
  expect(place.tabIndex).toBe(-1);
  expect(place.hasAttribute("tabindex")).toBe(true);
  focus("1");
  expect(place.hasAttribute("tabindex")).toBe(false);
});

test("SR-01 a place that can't have the keyboard stays as it was", async () => {
  const { list, focus, remove } = openList("1", "2", "3");
  const hidden = list.lastElementChild as HTMLElement;
  // As a browser does with an element that isn't displayed.
  hidden.focus = () => {};
  focus("2");
  remove("2");
  await waitFor(() => expect(document.activeElement).toBe(list));
  expect(hidden.hasAttribute("tabindex")).toBe(false);
});
