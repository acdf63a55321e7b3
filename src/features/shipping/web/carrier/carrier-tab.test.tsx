import type { OpenOrders } from "#features/shipping/contract.ts";
import * as carrier from "#features/shipping/contract.ts";
import {
  sampleLabels,
  sampleOrder,
  sampleOrders,
  toId,
} from "#features/shipping/web/carrier/fixtures/orders.ts";
import { sampleShipment } from "#features/shipping/web/history/fixtures/shipments.ts";
import * as orders from "#features/orders/contract.ts";
import {
  acme,
  type Answer,
  shortenWaits,
  openDialogs,
  owner,
  problem,
  renderApp,
  renderPage,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import type { Endpoint } from "#contract/endpoint.ts";
import { cleanup, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

const endpoints = [...Object.values(carrier), ...Object.values(orders)].filter(
  (value): value is Endpoint & typeof value => typeof value === "object" && "path" in value,
);
const server = await startServer(endpoints);
const LIST = "GET /api/v1/labels/open-orders";
const GENERATE = "POST /api/v1/labels/ups-label";

const saved: string[] = [];
/** The tab that a document is opened in. */
const tab = { location: { href: "" }, close: () => undefined };
beforeEach(() => {
  saved.length = 0;
  tab.location.href = "";
  window.open = () => tab as unknown as Window;
  URL.createObjectURL = () => "blob:labels";
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    saved.push(this.download);
  };
});

const dana = sampleOrder();
const luis = sampleOrder({
  po_number: "8841219",
  customer_name: "Luis Ortega",
  place: "Tucson, AZ 85719",
  lines: [
    { line: "1", sku: "2210-034", description: "Drawer slide, 18 in", quantity: "2", open: "2", unit: "EA" },
  ],
});

/** The list that the server gives from now on. */
const listIs = (list: Partial<OpenOrders>) => server.on(LIST, { json: sampleOrders(list) });

const historyIs = (labels: readonly carrier.MadeLabels[]) =>
  server.on("GET /api/v1/labels/ups-label", {
    json: { labels, next: null, counts: { all: labels.length, unscanned: 0, voided: 0 } },
  });

async function open(
  list: Partial<OpenOrders> = { open: [dana, luis] },
  { path = "/label/?ups=1", isFramed = false, timeZone = acme.time_zone } = {},
) {
  const company = { ...acme, time_zone: timeZone };
  server.on("GET /api/v1/user", { json: owner({ groups: ["brainchild"], companies: [company] }) });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection: "connected" }] },
  });
  listIs(list);
  historyIs([]);
  server.visit(path);
  if (isFramed) renderApp();
  else renderPage();
  await screen.findByRole("tab", { name: "Retailer" });
}

const entry = async (name: RegExp | string) => within(await screen.findByRole("article", { name }));
const danas = () => entry("PO # 8841203 (Dana Whitfield)");
const calls = (call: string) =>
  server.requests.filter(({ method, url }) => `${method} ${url.pathname}` === call);
const bodies = (call: string) => calls(call).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const pdf = (more: Answer = {}): Answer => ({
  text: "%PDF-1.7",
  headers: { "content-type": "application/pdf" },
  ...more,
});
const values = (order: Awaited<ReturnType<typeof danas>>) =>
  order.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value);

test("CR-01 CR-31 while orders load a spinner says so; a failure offers a retry", async () => {
  let answer = () => undefined as void;
  const waiting = new Promise<void>((resolve) => (answer = resolve));
  server.on("GET /api/v1/user", { json: owner({ groups: ["brainchild"] }) });
  server.on(LIST, { ...problem(400, "The list isn't readable."), wait: waiting });
  server.visit("/label/?ups=1");
  renderPage();
  expect(await screen.findByRole("progressbar", { name: "Loading open orders" })).toBeTruthy();
  answer();
  expect(await screen.findByText("The list isn't readable.")).toBeTruthy();
  listIs({ open: [dana] });
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await danas()).toBeTruthy();
});

test("CR-02 without open orders the tab says so, and how orders come in", async () => {
  await open({ open: [] });
  expect(await screen.findByText("No data.")).toBeTruthy();
  expect(screen.getByText(/Add a file of orders to begin\.$/)).toBeTruthy();
  expect(screen.queryByRole("article")).toBeNull();
});

test("QC-17 VA-09 CR-06 CR-07 CR-08 CR-09 CR-10 CR-22 CR-34 cartons are added and deleted, at least one stays, and their size is copied", async () => {
  await open();
  const order = await danas();
  expect(values(order)).toEqual(["15", "13", "3", "2"]);
  for (const name of ["Length", "Width", "Height", "Weight"]) {
    const field = order.getByRole<HTMLInputElement>("textbox", { name });
    expect([field.type, field.inputMode]).toEqual(["text", "decimal"]);
  }
  expect(order.queryByRole("button", { name: /^Delete/ })).toBeNull();
  await userEvent.click(order.getByRole("button", { name: /^Add/ }));
  await userEvent.click(order.getByRole("button", { name: /^Add/ }));
  expect(order.getAllByRole("button", { name: /^Add/ })).toHaveLength(1);
  expect(order.getAllByRole("button", { name: /^Delete/ })).toHaveLength(3);
  expect(values(order)).toEqual(["15", "13", "3", "2", "15", "13", "3", "2", "15", "13", "3", "2"]);
  const first = within(order.getByRole("group", { name: "Carton 1" }));
  await userEvent.clear(first.getByRole("textbox", { name: "Length" }));
  await userEvent.type(first.getByRole("textbox", { name: "Length" }), "20");
  await userEvent.click(order.getByRole("button", { name: /^Copy size to all/ }));
  expect(values(order).filter((_, at) => at % 4 === 0)).toEqual(["20", "20", "20"]);
  await userEvent.click(order.getByRole("button", { name: /^Delete\s*carton 2 / }));
  await userEvent.click(order.getByRole("button", { name: /^Delete\s*carton 2 / }));
  expect(order.queryByRole("button", { name: /^Delete/ })).toBeNull();
  expect(values(order)).toEqual(["20", "13", "3", "2"]);
});

test("TD-20 an order whose service isn't known asks for UPS's service, which its labels are made with", async () => {
  await open({ open: [sampleOrder({ service: '"FDXG_CG"', unknown_service: "FDXG_CG" })] });
  server.on(GENERATE, pdf());
  const order = await danas();
  expect(await order.findByText(/asks for "FDXG_CG", a UPS service we don't know/)).toBeTruthy();
  await userEvent.selectOptions(order.getByRole("combobox", { name: /^UPS service/ }), "UPS Ground");
  await userEvent.click(order.getByRole("button", { name: /^Generate/ }));
  await waitFor(() => expect(bodies(GENERATE)).toMatchObject([{ service: "03" }]));
});

test("SR-02 Enter in a carton field makes the labels of its order, and focus goes to Print label and slip", async () => {
  await open();
  const [first, second] = [await danas(), await entry("PO # 8841219 (Luis Ortega)")].map((order) =>
    order.getByRole<HTMLInputElement>("textbox", { name: "Weight" }),
  );
  expect(first?.form).toBeTruthy();
  expect(first?.form).not.toBe(second?.form);
  await userEvent.clear(first!);
  await userEvent.type(first!, "x{Enter}");
  expect(calls(GENERATE)).toEqual([]);
  server.on(GENERATE, pdf());
  await userEvent.clear(first!);
  await userEvent.type(first!, "6{Enter}");
  const print = await (await danas()).findByRole("button", { name: /^Print label and slip/ });
  await waitFor(() => expect(document.activeElement).toBe(print));
  expect(bodies(GENERATE)).toMatchObject([{ po_number: "8841203", cartons: [{ weight: 6 }] }]);
});

/** Types as a wedge scanner does, into the element that has the focus. @param midway happens within the text */
function scan(text: string, midway: () => void = () => undefined) {
  const at = document.activeElement ?? document.body;
  // As fast as a scanner, however long the page takes to draw each character.
  let time = createEvent.keyDown(at).timeStamp + 1_000;
  const press = (key: string) => {
    const event = createEvent.keyDown(at, { key });
    Object.defineProperty(event, "timeStamp", { value: (time += 5) });
    fireEvent(at, event);
  };
  for (const [index, key] of [...text].entries()) {
    if (index === 5) midway();
    press(key);
    if (at instanceof HTMLInputElement) fireEvent.change(at, { target: { value: at.value + key } });
  }
  press("Enter");
}

test("SR-02 a scan from anywhere opens its order with focus in the first weight, and leaves the field that it went into as it was", async () => {
  await open();
  const findWeight = async (name: string) =>
    (await entry(name)).getByRole<HTMLInputElement>("textbox", { name: "Weight" });
  const danasWeight = await findWeight("PO # 8841203 (Dana Whitfield)");
  danasWeight.focus();
  scan("8841219");
  const luisWeight = await findWeight("PO # 8841219 (Luis Ortega)");
  await waitFor(() => expect(document.activeElement).toBe(luisWeight));
  expect(danasWeight.value).toBe("2");
  expect(screen.getAllByRole("article").map((each) => each.getAttribute("data-state"))).toHaveLength(2);
  expect(within(screen.getAllByRole("article")[0]!).getByText("PO # 8841219 (Luis Ortega)")).toBeTruthy();
  expect(calls(GENERATE)).toEqual([]);
  // The weight is selected, so that the next digits replace it.
  expect([luisWeight.selectionStart, luisWeight.selectionEnd]).toEqual([0, 1]);
});

test("SR-02 a scan is read whole, although the page changes while it comes in", async () => {
  await open();
  const select = (await danas()).getByRole("checkbox");
  (await danas()).getByRole("textbox", { name: "Weight" }).focus();
  scan("8841219", () => void fireEvent.click(select));
  const weight = (await entry("PO # 8841219 (Luis Ortega)")).getByRole("textbox", { name: "Weight" });
  await waitFor(() => expect(document.activeElement).toBe(weight));
});

test("a scanned SKU opens the first order that has it and names the others; one that no order has is reported", async () => {
  const more = sampleOrder({ po_number: "8841231", customer_name: "Ana Brooks", lines: luis.lines });
  await open({ open: [dana, luis, more] });
  await danas();
  document.body.focus();
  scan("2210-034");
  expect(await screen.findByText(/^Opened by SKU 2210-034\./)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "PO # 8841231 (Ana Brooks)" }));
  const weight = (await entry("PO # 8841231 (Ana Brooks)")).getByRole("textbox", { name: "Weight" });
  await waitFor(() => expect(document.activeElement).toBe(weight));
  scan("NOPE-1");
  expect(await screen.findByText("No open order has the PO number or SKU NOPE-1.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("searchbox", { name: "Search orders" }));
});

test("SR-02 a scan keeps the filter, and another filter takes the place of the scan", async () => {
  const today = { ship_by: "2020-01-01" };
  const ana = sampleOrder({ po_number: "8841231", customer_name: "Ana Brooks" });
  await open({ open: [{ ...dana, ...today }, ana, luis] });
  await danas();
  const listed = () => screen.getAllByRole("article").map(({ textContent }) => textContent.slice(5, 12));
  await userEvent.click(screen.getByRole("button", { name: /^Ship today/ }));
  expect(listed()).toEqual(["8841203"]);
  scan("8841219");
  expect(listed()).toEqual(["8841219", "8841203"]);
  await userEvent.click(screen.getByRole("button", { name: /^Open/ }));
  expect(listed()).toEqual(["8841203", "8841231", "8841219"]);
  scan("8841219");
  expect(listed()[0]).toBe("8841219");
  await userEvent.click(screen.getByRole("button", { name: /^Ship today/ }));
  expect(listed()).toEqual(["8841203"]);
});

test("SR-02 a scan takes the place of the PO that the address named or of what was typed, and the address names it once", async () => {
  const { matchMedia } = window;
  window.matchMedia = (query) => ({ ...matchMedia(query), matches: query === "(pointer: fine)" });
  await open(undefined, { path: "/label/?ups=1&po=8841203" });
  await danas();
  const field = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search orders" });
  expect([document.activeElement, field.value, field.selectionStart, field.selectionEnd]).toEqual([
    field,
    "8841203",
    0,
    7,
  ]);
  field.setSelectionRange(7, 7);
  scan("8841219");
  const weight = (await entry("PO # 8841219 (Luis Ortega)")).getByRole("textbox", { name: "Weight" });
  await waitFor(() => expect(document.activeElement).toBe(weight));
  expect(field.value).toBe("8841219");
  await userEvent.click(screen.getByRole("tab", { name: "History" }));
  await screen.findByText("No data.");
  await userEvent.click(screen.getByRole("tab", { name: "Retailer" }));
  await danas();
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("");
});

test("IN-01 what ships today is of the company's day, also once it has changed while the tab is open", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-26T09:59:00Z"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await open(
    {
      open: [
        { ...dana, ship_by: "2026-11-26" },
        { ...luis, ship_by: "2026-11-27" },
        sampleOrder({ po_number: "3" }),
      ],
    },
    // Fourteen hours ahead of UTC.
    { timeZone: "Pacific/Kiritimati" },
  );
  expect((await danas()).getByText("ship by today")).toBeTruthy();
  expect((await entry(/8841219/)).getByText("ship by Nov 27")).toBeTruthy();
  vi.setSystemTime(Date.parse("2026-11-26T10:01:00Z"));
  server.on("DELETE /api/v1/labels/open-orders", {});
  await userEvent.click((await entry(/^PO # 3 /)).getByRole("button", { name: /Cancel Order/ }));
  expect(await (await entry(/8841219/)).findByText("ship by today")).toBeTruthy();
  expect((await danas()).getByText("late, ship by Nov 26")).toBeTruthy();
});

test("TD-20 open orders of one PO number, each of another store, keep their own cartons, selection and labels; a scan of the number opens the first and names the others", async () => {
  const reno = sampleOrder({ id: toId("1"), customer_name: "Store 0121" });
  const macon = sampleOrder({ id: toId("2"), customer_name: "Store 0200" });
  await open({ open: [reno, macon, luis] });
  const renos = () => entry("PO # 8841203 (Store 0121)");
  const macons = () => entry("PO # 8841203 (Store 0200)");
  const weigh = async (of: typeof renos, weight: string) => {
    const field = (await of()).getByRole("textbox", { name: "Weight" });
    await userEvent.clear(field);
    await userEvent.type(field, weight);
  };
  await weigh(renos, "7");
  await weigh(macons, "9");
  await userEvent.click((await macons()).getByRole("checkbox"));
  expect([values(await renos())[3], values(await macons())[3]]).toEqual(["7", "9"]);
  expect((await renos()).getByRole<HTMLInputElement>("checkbox").checked).toBe(false);
  server.on(GENERATE, pdf());
  listIs({ open: [reno, luis] });
  await userEvent.click((await macons()).getByRole("button", { name: /^Generate/ }));
  expect(await (await macons()).findByRole("group", { name: /^Labels ready/ })).toBeTruthy();
  expect(bodies(GENERATE)).toMatchObject([{ order_id: macon.id, cartons: [{ weight: 9 }] }]);
  expect(values(await renos())[3]).toBe("7");
  expect((await renos()).getByRole("button", { name: /^Generate/ })).toBeTruthy();
  scan("8841203");
  expect(
    await screen.findByText(/^Opened the first order with this PO number\. 1 other open order/),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "PO # 8841203 (Store 0200)" }));
  expect(screen.getAllByRole("article")[0]?.textContent).toContain("Store 0200");
});

test("SR-04 cartons of the last order of the same items are offered with the name of their box", async () => {
  const last_cartons = [{ length: 24, width: 18, height: 12, weight: 8.4 }];
  await open({
    open: [{ ...dana, last_cartons }, luis],
    presets: [{ name: "Large box", carton: { length: 24, width: 18, height: 12, weight: 5 } }],
  });
  const order = await danas();
  expect(values(order)).toEqual(["24", "18", "12", "8.4"]);
  const box = () => order.getByRole<HTMLSelectElement>("combobox", { name: "Box" }).selectedOptions[0]?.text;
  expect([box(), order.queryByText("Same box as last time for these items.") !== null]).toEqual([
    "Large box",
    true,
  ]);
  await userEvent.clear(order.getByRole("textbox", { name: "Height" }));
  await userEvent.type(order.getByRole("textbox", { name: "Height" }), "9");
  expect([box(), order.queryByText("Same box as last time for these items.")]).toEqual(["Own size", null]);
});

test("VA-09 CR-21 a wrong carton says why when its field loses focus and on Generate, which sends nothing and moves to it", async () => {
  await open();
  const order = await danas();
  const width = order.getByRole("textbox", { name: "Width" });
  const weight = order.getByRole("textbox", { name: "Weight" });
  await userEvent.clear(width);
  expect(order.queryByText(/enter a number/)).toBeNull();
  await userEvent.tab();
  expect(order.getByText("Width: enter a number.")).toBeTruthy();
  expect(width.getAttribute("aria-invalid")).toBe("true");
  expect(document.getElementById(width.getAttribute("aria-describedby") ?? "")?.textContent).toMatch(
    /^Width: enter/,
  );
  await userEvent.clear(weight);
  await userEvent.type(weight, "151");
  await userEvent.click(order.getByRole("button", { name: /^Generate/ }));
  expect(order.getByText("Weight: over UPS's limit of 150 lb.")).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(width));
  expect(calls(GENERATE)).toEqual([]);
  await userEvent.type(width, "13");
  await userEvent.clear(weight);
  await userEvent.type(weight, "95");
  expect(order.getByText("Additional handling: UPS adds a surcharge")).toBeTruthy();
});

test("VA-09 CR-11 CR-12 CR-13 CR-14 CR-16 CR-18 CR-19 labels are made with one key; the order is locked, and stays with its labels when it leaves the list", async () => {
  await open();
  let answer = () => undefined as void;
  server.on(GENERATE, pdf({ wait: new Promise<void>((resolve) => (answer = resolve)) }));
  const order = await danas();
  await userEvent.clear(order.getByRole("textbox", { name: "Weight" }));
  await userEvent.type(order.getByRole("textbox", { name: "Weight" }), "2.50");
  await userEvent.click(order.getByRole("button", { name: /^Generate/ }));
  expect(order.getByText("Generating 1 label…")).toBeTruthy();
  expect(order.queryByRole("button", { name: /^(Generate|Add|\[ Cancel)/ })).toBeNull();
  const isLocked = () => order.getAllByRole<HTMLInputElement>("textbox").every(({ disabled }) => disabled);
  expect(isLocked()).toBe(true);
  await waitFor(() => expect(calls(GENERATE)).toHaveLength(1));
  const before = calls(LIST).length;
  listIs({ open: [luis] });
  const shipment = sampleShipment({
    po_number: dana.po_number,
    id: toId("9"),
    carton_count: 1,
    label_file: "stored.pdf",
  });
  historyIs([shipment]);
  server.on("GET /api/v1/labels/ups-label/stored.pdf", pdf());
  answer();
  const ready = within(await order.findByRole("group", { name: "Labels ready for PO # 8841203" }));
  await waitFor(() => expect(calls(LIST).length).toBeGreaterThan(before));
  expect(bodies(GENERATE)).toEqual([
    {
      po_number: "8841203",
      order_id: dana.id,
      cartons: [{ length: 15, width: 13, height: 3, weight: 2.5 }],
      key: expect.stringMatching(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      ) as string,
      shipment_number: 1,
    },
  ]);
  expect([saved, isLocked()]).toEqual([["8841203-labels.pdf"], true]);
  await waitFor(() =>
    expect(ready.getByText(/1 carton/).textContent).toContain(`Shipment # ${shipment.shipment}`),
  );
  await userEvent.click(ready.getByRole("button", { name: /^Download Current UPS Label/ }));
  await waitFor(() => expect(saved).toEqual(["8841203-labels.pdf", "8841203-labels.pdf"]));
  server.on("POST /api/v1/labels/ups-label/print", pdf());
  await userEvent.click(ready.getByRole("button", { name: /^Print label and slip/ }));
  await waitFor(() => expect(tab.location.href).toBe("blob:labels"));
  expect(bodies("POST /api/v1/labels/ups-label/print")).toEqual([{ ids: [toId("9")], slips: true }]);
});

test("SR-02 labels that are in the list before their purchase is answered are printed by the id that the history has", async () => {
  await open();
  server.on(GENERATE, pdf({ wait: new Promise<void>(() => undefined) }));
  const order = await danas();
  await userEvent.type(order.getByRole("textbox", { name: "Weight" }), "2");
  await userEvent.click(order.getByRole("button", { name: /^Generate/ }));
  await waitFor(() => expect(calls(GENERATE)).toHaveLength(1));
  let answer = () => undefined as void;
  const labels = [sampleShipment({ po_number: dana.po_number, id: toId("9") })];
  server.on("GET /api/v1/labels/ups-label", {
    json: { labels, next: null, counts: { all: 1, unscanned: 0, voided: 0 } },
    wait: new Promise<void>((resolve) => (answer = resolve)),
  });
  // Another change reads the list again.
  server.on("DELETE /api/v1/labels/open-orders", {});
  listIs({ open: [] });
  await userEvent.click((await entry(/8841219/)).getByRole("button", { name: /Cancel Order/ }));
  server.on("POST /api/v1/labels/ups-label/print", pdf());
  await userEvent.click(await order.findByRole("button", { name: /^Print label and slip/ }));
  expect(bodies("POST /api/v1/labels/ups-label/print")).toEqual([]);
  answer();
  await waitFor(() =>
    expect(bodies("POST /api/v1/labels/ups-label/print")).toEqual([{ ids: [toId("9")], slips: true }]),
  );
});

/** Labels that a purchase of this page answers with, under its id. */
const bought = (id: string) => pdf({ headers: { "content-type": "application/pdf", "x-document-of": id } });
const PRINT = "POST /api/v1/labels/ups-label/print";

test("SR-02 of an order in parts the row prints the labels that were made here, before and after another part is made elsewhere", async () => {
  const [line] = dana.lines;
  await open({ open: [{ ...dana, lines: [{ ...line!, open: "3" }] }, luis] });
  const part = (id: string) =>
    sampleShipment({ po_number: dana.po_number, order_id: dana.id, id: toId(id), carton_count: 1 });
  server.on(PRINT, pdf());
  const order = await danas();
  const make = async (id: string) => {
    server.on(GENERATE, bought(toId(id)));
    await userEvent.click(await order.findByRole("button", { name: /^Generate/ }));
  };
  const print = async () => {
    const before = calls(PRINT).length;
    await userEvent.click(await order.findByRole("button", { name: /^Print label and slip/ }));
    await waitFor(() => expect(calls(PRINT).length).toBeGreaterThan(before));
    return bodies(PRINT).at(-1);
  };
  historyIs([part("1")]);
  await make("1");
  await order.findByText(/Shipment #/);
  await userEvent.click(order.getByRole("button", { name: "Pack the rest" }));
  // The history doesn't name the second part yet.
  await make("2");
  expect(await print()).toEqual({ ids: [toId("2")], slips: true });
  historyIs([part("3"), part("2"), part("1")]);
  server.on("DELETE /api/v1/labels/open-orders", {});
  listIs({ open: [] });
  await userEvent.click((await entry(/8841219/)).getByRole("button", { name: /Cancel Order/ }));
  await waitFor(() => expect(screen.queryByRole("article", { name: /8841219/ })).toBeNull());
  expect(await print()).toEqual({ ids: [toId("2")], slips: true });
});

test("SR-02 labels of a tab left open that another user voids are no longer ready, also those of a batch", async () => {
  const ana = sampleOrder({ po_number: "8841231", customer_name: "Ana Brooks" });
  await open({ open: [dana, luis, ana] });
  server.on(GENERATE, bought(toId("1")));
  historyIs([]);
  await userEvent.click((await danas()).getByRole("button", { name: /^Generate/ }));
  await (await danas()).findByRole("group", { name: /^Labels ready/ });
  server.on("POST /api/v1/labels/ups-label/batch", {
    json: { orders: [{ order_id: luis.id, id: toId("2"), problem: "" }] },
  });
  await userEvent.click((await entry(/8841219/)).getByRole("checkbox"));
  listIs({ open: [ana] });
  await userEvent.click(await screen.findByRole("button", { name: "Generate 1 label" }));
  await (await entry(/8841219/)).findByRole("group", { name: /^Labels ready/ });
  historyIs(
    [dana, luis].map(({ po_number, id }, at) =>
      sampleShipment({ po_number, order_id: id, id: toId(String(at + 1)), state: "voided" }),
    ),
  );
  listIs({ open: [dana, luis] });
  server.on("DELETE /api/v1/labels/open-orders", {});
  await userEvent.click((await entry(/8841231/)).getByRole("button", { name: /Cancel Order/ }));
  for (const po of [/8841203/, /8841219/])
    expect(await (await entry(po)).findByRole("button", { name: /^Generate/ })).toBeTruthy();
  expect(screen.queryByRole("group", { name: /^Labels ready/ })).toBeNull();
  expect(screen.getByRole("group", { name: "Generated labels" }).textContent).toContain("1 needs attention");
});

test("VA-09 CR-15 CR-17 CR-20 after a lost answer the order is locked; Start over unlocks it, and the same key is sent again", async () => {
  await open();
  server.on(GENERATE, problem(503, "The server is restarting."));
  const order = await danas();
  await userEvent.click(order.getByRole("button", { name: /^Generate/ }));
  const error = within(await order.findByRole("alert", { name: "Upload Error" }));
  expect(error.getByText("The server is restarting.")).toBeTruthy();
  expect(order.queryByRole("button", { name: /^Generate/ })).toBeNull();
  expect(order.getAllByRole<HTMLInputElement>("textbox").every(({ disabled }) => disabled)).toBe(true);
  server.on(GENERATE, problem(409, "PO # 8841203 is canceled."));
  await userEvent.click(error.getByRole("button", { name: /^Start over/ }));
  await userEvent.click(order.getByRole("button", { name: /^Generate/ }));
  expect(await order.findByText("PO # 8841203 is canceled.")).toBeTruthy();
  await userEvent.click(order.getByRole("button", { name: /^Start over/ }));
  await userEvent.click(order.getByRole("button", { name: /^Generate/ }));
  await waitFor(() => expect(bodies(GENERATE)).toHaveLength(3));
  const [first, second, third] = bodies(GENERATE).map(({ key }) => key);
  expect([second === first, third === second]).toEqual([true, false]);
});

test("CR-15 CR-17 labels that UPS refused show UPS's sentence; the address is corrected in place, and the order is open again", async () => {
  const labels = sampleLabels({
    state: "failed",
    error: "UPS doesn't recognize 1140 Elm Strt, Portland, OR 97209 (120802).",
    correct: "address",
  });
  await open({ open: [{ ...dana, labels }] });
  const order = await danas();
  expect(await order.findByText(/UPS doesn't recognize 1140 Elm Strt/)).toBeTruthy();
  expect(values(order)).toEqual(["18", "14", "8", "5"]);
  await userEvent.click(await order.findByRole("button", { name: "Correct address" }));
  // UPS's sentence may name the right address, so it is read while typing.
  expect(order.getByRole("alert", { name: "Upload Error" })).toBeDefined();
  expect(order.queryByRole("button", { name: "Correct address" })).toBeNull();
  const line = await order.findByRole("textbox", { name: "Address" });
  await userEvent.clear(line);
  await userEvent.fill(line, "1140 Elm St");
  const SAVE = "POST /api/v1/labels/open-orders/address";
  server.on(SAVE, {});
  await userEvent.click(order.getByRole("button", { name: /^Save address/ }));
  expect(await order.findByRole("button", { name: /^Generate/ })).toBeTruthy();
  expect(bodies(SAVE)).toEqual([{ order_id: dana.id, ship_to: { ...dana.ship_to, lines: ["1140 Elm St"] } }]);
  expect(values(order)).toEqual(["18", "14", "8", "5"]);
});

test("SR-09 of a refused address and UPS's, the chosen one is saved and its labels are generated at once", async () => {
  const SAVE = "POST /api/v1/labels/open-orders/address";
  const meant = { lines: ["1140 NW ELM ST"], city: "PORTLAND", state: "OR", zip: "97209-1234" };
  const labels = sampleLabels({
    state: "failed",
    error: "UPS doesn't recognize it.",
    correct: "address",
    meant,
  });
  server.on(SAVE, {});
  server.on(GENERATE, problem(409, "PO # 8841203 is canceled."));
  await open({ open: [{ ...dana, labels }] });
  const order = await danas();
  const use = await order.findByRole("button", { name: /^Use UPS's address/ });
  const sides = within(order.getByRole("alert", { name: "Upload Error" }));
  expect(sides.getByText("On the order").parentElement?.textContent).toContain(dana.ship_to.city);
  expect(
    [...(sides.getByText("UPS suggests").parentElement?.querySelectorAll("b") ?? [])].map(
      (b) => b.textContent,
    ),
  ).toContain("97209-1234");
  await userEvent.click(use);
  expect(await order.findByText("PO # 8841203 is canceled.")).toBeTruthy();
  expect(bodies(SAVE)).toEqual([{ order_id: dana.id, ship_to: { ...dana.ship_to, ...meant } }]);
  expect(bodies(GENERATE)).toMatchObject([{ po_number: dana.po_number, cartons: labels.cartons }]);
});

test("a late answer is followed in the list: being checked with the next time, then asked about, then made", async () => {
  await open({ open: [{ ...dana, labels: sampleLabels({ state: "asked" }) }] });
  const order = await danas();
  const ANSWER = "POST /api/v1/labels/ups-label/answer";
  server.on(ANSWER, {});
  await userEvent.click(await order.findByRole("button", { name: /^Enter the tracking number/ }));
  const number = order.getByRole("textbox", { name: "UPS tracking number" });
  await userEvent.type(number, "1Z999");
  await userEvent.click(order.getByRole("button", { name: /^Save/ }));
  expect(await order.findByText(/^A UPS tracking number starts with 1Z/)).toBeTruthy();
  await userEvent.clear(number);
  await userEvent.fill(number, "1z 999 AA1 01 2345 6784");
  const next_check_at = "2026-11-26T15:47:00Z";
  listIs({ open: [{ ...dana, labels: sampleLabels({ state: "checking", next_check_at }) }] });
  await userEvent.click(order.getByRole("button", { name: /^Save/ }));
  expect(await order.findByText("UPS didn't answer.")).toBeTruthy();
  const time = new Date(next_check_at).toLocaleTimeString("en-US", { timeStyle: "short" });
  expect(order.getByText(new RegExp(`next at .*${time}.* We won't buy a second label`))).toBeTruthy();
  expect(order.queryByRole("button", { name: /^(Generate|Make again)/ })).toBeNull();
  expect(bodies(ANSWER)).toEqual([
    {
      id: sampleLabels().id,
      answer: "tracking_number",
      tracking_number: "1Z999AA10123456784",
    },
  ]);
});

test("UO-02 a shipment at UPS with the order's PO is shown beside the order, with three answers; its void, which can't be undone, is asked about again", async () => {
  openDialogs();
  const theirs = {
    number: "1Z999AA10310000072",
    ship_to: ["DANA WHITFIELD", "1140 ELM ST", "PORTLAND OR 97209"],
    place: "PORTLAND, OR 97209",
    cartons: 2,
    weights: ["5.00", "5.00"],
    service: "UPS Ground",
    made_at: "2026-11-28T14:58:00Z",
    differs: ["packages" as const, "weights" as const],
  };
  await open({ open: [{ ...dana, labels: sampleLabels({ state: "asked", theirs }) }] });
  const order = await danas();
  const question = within(await order.findByRole("group", { name: "Another shipment at UPS has this PO" }));
  expect(
    question.getByText(`We won't buy labels for PO # ${dana.po_number} until you tell us what it is.`),
  ).toBeTruthy();
  expect(question.getByText("DANA WHITFIELD, 1140 ELM ST, PORTLAND OR 97209")).toBeTruthy();
  expect(question.getByText("2 cartons (differs)")).toBeTruthy();
  expect(question.getByText("1 carton")).toBeTruthy();
  const ANSWER = "POST /api/v1/labels/ups-label/answer";
  server.on(ANSWER, {});
  for (const name of [/^Use this label/, /^It isn't ours: buy a new one/, /^It's a mistake: void it/])
    await userEvent.click(question.getByRole("button", { name }));
  const dialog = within(await screen.findByRole("dialog", { name: "Void this shipment at UPS?" }));
  expect(bodies(ANSWER)).toHaveLength(2);
  await userEvent.click(dialog.getByRole("button", { name: "Void it, then buy ours" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const id = sampleLabels().id;
  expect(bodies(ANSWER)).toEqual([
    { id, answer: "tracking_number", tracking_number: theirs.number },
    { id, answer: "not_ours" },
    { id, answer: "void_theirs" },
  ]);
});

test("CR-05 CR-23 CR-24 CR-25 CR-26 CR-27 CR-28 CR-29 an order is canceled without confirmation, and the cancellation undone in place", async () => {
  await open();
  expect(screen.queryByRole("heading", { name: /^Cancelled/ })).toBeNull();
  const CANCEL = "DELETE /api/v1/labels/open-orders";
  server.on(CANCEL, problem(409, "Void the labels of this order first."));
  const order = await danas();
  await userEvent.click(order.getByRole("button", { name: /^\[ Cancel Order \]/ }));
  expect(await order.findByText("Void the labels of this order first.")).toBeTruthy();
  expect(order.queryByRole("button", { name: /Cancel Order/ })).toBeNull();
  server.on(CANCEL, {});
  const cancelled = {
    po_number: dana.po_number,
    retailer: dana.retailer,
    customer_name: dana.customer_name,
    cancelled_at: "2026-11-26T10:00:00Z",
    packing_slip_file: dana.packing_slip_file,
    id: dana.id,
    cancelled_by: "olive@acme.example",
    can_restore: true,
    notice: null,
  };
  listIs({ open: [luis], cancelled: [cancelled] });
  await userEvent.click(order.getByRole("button", { name: "Try again" }));
  const stub = await entry("PO # 8841203 is canceled.");
  expect(await screen.findByRole("heading", { name: "Cancelled Retailer Orders" })).toBeTruthy();
  expect(screen.getByRole("row", { name: /^8841203 Dana Whitfield Cancelled at Nov 26, 2026/ })).toBeTruthy();
  expect(Object.fromEntries(calls(CANCEL).at(-1)!.url.searchParams)).toEqual({
    customer: "retailer",
    po_number: "8841203",
    order_id: "0198c0de-0000-7000-8000-000008841203",
  });
  server.on("POST /api/v1/labels/open-orders/restore", {});
  listIs({ open: [dana, luis] });
  await userEvent.click(stub.getByRole("button", { name: /^Undo/ }));
  expect(await danas()).toBeTruthy();
  expect(bodies("POST /api/v1/labels/open-orders/restore")).toEqual([{ order_id: dana.id }]);
  await waitFor(() => expect(screen.queryByRole("heading", { name: /^Cancelled/ })).toBeNull());
});

test("CR-32 without a UPS account a notice says so, and Generate is disabled with the reason", async () => {
  await open({ open: [dana], blocked: "not_connected", account_ending: "" });
  expect(await screen.findByText("No UPS account is connected")).toBeTruthy();
  expect(screen.getByText(/Ask olive@acme.example\.$|Connect a UPS account in Settings/)).toBeTruthy();
  const order = await danas();
  const generate = order.getByRole<HTMLButtonElement>("button", { name: /^Generate/ });
  expect(generate.disabled).toBe(true);
  expect(document.getElementById(generate.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
    "Connect a UPS account first.",
  );
  expect(order.getByRole<HTMLInputElement>("checkbox").disabled).toBe(true);
});

test("TR-27 an account whose connection UPS no longer accepts is not called connected, even next to the result of the last step", async () => {
  await open({ open: [dana], blocked: "reconnect_needed" });
  expect(await screen.findByText("UPS no longer accepts the connection to your account")).toBeTruthy();
  server.on("POST /api/v1/labels/open-orders", {
    json: {
      filename: "week.edi",
      cells: [],
      documents: [{ po_number: "8841203", result: "same", problems: [] }],
    },
  });
  await userEvent.upload(await screen.findByLabelText("File of orders"), new File(["ISA*"], "week.edi"));
  expect(
    await screen.findByText(/^UPS no longer accepts the connection to account ending 2A11\./),
  ).toBeTruthy();
  expect(screen.getAllByRole("link", { name: "Reconnect in Settings" })).toHaveLength(1);
  expect(screen.queryByText(/is connected/)).toBeNull();
});

test("LB-12 CR-33 typed cartons survive a refetch, another tab and a reload; an order that is gone says that it is no longer open", async () => {
  await open();
  const weight = (await danas()).getByRole("textbox", { name: "Weight" });
  await userEvent.clear(weight);
  await userEvent.type(weight, "7");
  await userEvent.click(screen.getByRole("tab", { name: "History" }));
  await screen.findByText("No data.");
  await userEvent.click(screen.getByRole("tab", { name: "Retailer" }));
  expect(values(await danas())).toEqual(["15", "13", "3", "7"]);
  server.on("DELETE /api/v1/labels/open-orders", {});
  listIs({ open: [] });
  await userEvent.click((await entry(/8841219/)).getByRole("button", { name: /Cancel Order/ }));
  expect(await (await danas()).findByText(/^This order is no longer open\./)).toBeTruthy();
});

/** Quantities that a table of cartons shows, row by row. */
const quantities = (order: Awaited<ReturnType<typeof danas>>) =>
  within(order.getByRole("table", { name: /^Pieces in/ }))
    .getAllByRole<HTMLInputElement>("textbox")
    .map(({ value }) => value);

/** Types less than the order has, and cancels the rest. */
async function shipLess(order: Awaited<ReturnType<typeof danas>>, quantity: string, decision: string) {
  await userEvent.click(order.getByRole("button", { name: /^Ship less/ }));
  const cell = await order.findByRole("textbox", { name: "1004-118 in carton 1" });
  await userEvent.clear(cell);
  await userEvent.type(cell, quantity);
  await userEvent.click(order.getByRole("radio", { name: decision }));
}

const CONTENTS = [
  {
    length: 15,
    width: 13,
    height: 3,
    weight: 2,
    contents: [{ line: "1", quantity: "3" }],
  },
];
const CANCELS = [{ line: "1", quantity: "1" }];

test("TD-03 TD-04 LB-12 what is packed, and that the rest is canceled, survives another tab and a reload, and is sent with the purchase", async () => {
  await open();
  await shipLess(await danas(), "3", "Cancel 1");
  await userEvent.click(screen.getByRole("tab", { name: "History" }));
  await screen.findByText("No data.");
  await userEvent.click(screen.getByRole("tab", { name: "Retailer" }));
  expect(await (await danas()).findByRole("table", { name: "Pieces in the carton" })).toBeTruthy();
  expect(quantities(await danas())).toEqual(["3"]);
  cleanup();
  renderPage();
  const order = await danas();
  await order.findByRole("table", { name: "Pieces in the carton" });
  expect(quantities(order)).toEqual(["3"]);
  expect(order.getByRole<HTMLInputElement>("radio", { name: "Cancel 1" }).checked).toBe(true);
  server.on(GENERATE, { status: 202, json: { id: toId("9") } });
  await userEvent.click(order.getByRole("button", { name: /^Generate/ }));
  await waitFor(() => expect(bodies(GENERATE)).toMatchObject([{ cartons: CONTENTS, cancels: CANCELS }]));
});

test("TD-03 TD-04 orders generated together each say what of them is canceled", async () => {
  await open();
  await shipLess(await danas(), "3", "Cancel 1");
  for (const po of ["8841203", "8841219"])
    await userEvent.click(await screen.findByRole("checkbox", { name: `Select PO # ${po}` }));
  const BATCH = "POST /api/v1/labels/ups-label/batch";
  server.on(BATCH, { json: { orders: [] } });
  await userEvent.click(screen.getByRole("button", { name: "Generate 2 labels" }));
  await waitFor(() =>
    expect(bodies(BATCH)).toMatchObject([{ orders: [{ cartons: CONTENTS, cancels: CANCELS }, {}] }]),
  );
});

test("TD-01 TD-03 once a shipment of the order was made elsewhere, its packing is proposed again", async () => {
  await open();
  await shipLess(await danas(), "3", "Cancel 1");
  cleanup();
  const [line] = dana.lines;
  listIs({ open: [{ ...dana, next_shipment: 2, lines: [{ ...line!, open: "2" }] }] });
  renderPage();
  const order = await danas();
  await order.findByRole("table", { name: "Pieces in the carton" });
  expect(quantities(order)).toEqual(["2"]);
  expect(order.queryByRole("radio")).toBeNull();
});

test("TD-01 QC-17 a deleted carton takes its pieces with it, and the others keep theirs", async () => {
  const [line] = dana.lines;
  const lines = [
    { ...line!, quantity: "10", open: "10" },
    { ...line!, line: "2", sku: "B-6", quantity: "6", open: "6" },
  ];
  await open({ open: [{ ...dana, lines }] });
  const order = await danas();
  for (let cartons = 1; cartons < 3; cartons += 1)
    await userEvent.click(order.getByRole("button", { name: /^Add/ }));
  await order.findByRole("table", { name: "Pieces in each carton" });
  const cell = (name: string) => order.getByRole<HTMLInputElement>("textbox", { name });
  for (const [name, text] of [
    ["1004-118 in carton 1", "10"],
    ["1004-118 in carton 2", ""],
    ["1004-118 in carton 3", ""],
    ["B-6 in carton 1", ""],
    ["B-6 in carton 2", "4"],
    ["B-6 in carton 3", "2"],
  ] as const) {
    await userEvent.clear(cell(name));
    if (text !== "") await userEvent.fill(cell(name), text);
  }
  await userEvent.click(order.getByRole("button", { name: /^Delete\s*carton 1 / }));
  expect(quantities(order)).toEqual(["", "", "4", "2"]);
  await userEvent.click(order.getByRole("button", { name: /^Delete\s*carton 2 / }));
  expect(quantities(order)).toEqual(["", "4"]);
});

test("SR-03 OI-16 selected orders are generated by one button, each with its own outcome, and printed as one file in the order shown", async () => {
  await open();
  const BATCH = "POST /api/v1/labels/ups-label/batch";
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select PO # 8841219" }));
  const band = within(await screen.findByRole("region", { name: "Selected orders" }));
  await userEvent.click(band.getByRole("checkbox", { name: "Select all open orders" }));
  expect(screen.getByRole("region", { name: "Selected orders" }).textContent).toContain(
    "2 orders · 2 cartons · 4 lb selected",
  );
  server.on(BATCH, ({ body }) => {
    const asked = (JSON.parse(body) as { orders: { order_id: string }[] }).orders;
    return { json: { orders: asked.map(({ order_id }) => ({ order_id, id: order_id, problem: "" })) } };
  });
  listIs({
    open: [
      { ...luis, labels: sampleLabels({ id: luis.id, state: "failed", error: "UPS doesn't serve it." }) },
    ],
  });
  await userEvent.click(band.getByRole("button", { name: "Generate 2 labels" }));
  const result = within(await screen.findByRole("group", { name: "Generated labels" }));
  expect(result.getByText("1 of 2 ready")).toBeTruthy();
  expect(result.getByText(/1 needs attention:/).textContent).toBe(
    "1 of 2 ready · 1 needs attention: PO # 8841219",
  );
  expect(result.getByRole("button", { name: "PO # 8841219" })).toBeTruthy();
  expect((await entry(/8841219/)).getByText("UPS doesn't serve it.")).toBeTruthy();
  expect((await danas()).getByRole("group", { name: /^Labels ready/ })).toBeTruthy();
  expect(bodies(BATCH)).toEqual([
    {
      orders: [dana, luis].map(({ id }) => ({
        order_id: id,
        cartons: [{ length: 15, width: 13, height: 3, weight: 2 }],
        key: expect.any(String) as string,
        shipment_number: 1,
      })),
    },
  ]);
  server.on("POST /api/v1/labels/ups-label/print", pdf());
  await userEvent.click(result.getByRole("button", { name: /^Download UPS labels/ }));
  await waitFor(() => expect(saved).toEqual(["ups-labels.pdf"]));
  await userEvent.click(result.getByRole("button", { name: "Print label and slip" }));
  await waitFor(() =>
    expect(bodies("POST /api/v1/labels/ups-label/print")).toEqual([
      { ids: [dana.id], slips: false },
      { ids: [dana.id], slips: true },
    ]),
  );
});

test("SR-03 OI-16 labels of several orders for a thermal printer are printed as one file without packing slips", async () => {
  await open();
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select PO # 8841219" }));
  const band = within(await screen.findByRole("region", { name: "Selected orders" }));
  await userEvent.click(band.getByRole("checkbox", { name: "Select all open orders" }));
  server.on("POST /api/v1/labels/ups-label/batch", {
    json: { orders: [dana, luis].map(({ id }) => ({ order_id: id, id: toId(`labels ${id}`), problem: "" })) },
  });
  historyIs([
    sampleShipment({ id: toId(`labels ${dana.id}`), order_id: dana.id, label_file: "8841203-labels.pdf" }),
    sampleShipment({ id: toId(`labels ${luis.id}`), order_id: luis.id, label_file: "8841219-labels.zpl" }),
  ]);
  listIs({ open: [] });
  await userEvent.click(band.getByRole("button", { name: "Generate 2 labels" }));
  const result = within(await screen.findByRole("group", { name: "Generated labels" }));
  server.on("POST /api/v1/labels/ups-label/print", pdf());
  await userEvent.click(await result.findByRole("button", { name: "Print 2 labels" }));
  await waitFor(() =>
    expect(bodies("POST /api/v1/labels/ups-label/print")).toEqual([
      { ids: [dana, luis].map(({ id }) => toId(`labels ${id}`)), slips: false },
    ]),
  );
});

test("OI-01 OI-03 uploaded order files report what came in by count and PO, and why a document was refused", async () => {
  await open();
  const ADD = "POST /api/v1/labels/open-orders";
  server.on(ADD, {
    json: {
      filename: "week.edi",
      cells: [],
      documents: [
        { po_number: "8841219", result: "added", problems: [] },
        { po_number: "2", result: "added", problems: [] },
        { po_number: "3", result: "same", problems: [] },
        { po_number: "4", result: "refused", problems: ["ITD03 in segment 7: 31 isn't a day of September."] },
      ],
    },
  });
  await userEvent.upload(await screen.findByLabelText("File of orders"), new File(["ISA*"], "week.edi"));
  const result = await screen.findByRole("group", { name: "Orders of week.edi" });
  expect(result.textContent).toBe(
    "PO # 8841219 and PO # 2 added (week.edi) · 1 already here: PO # 3 · 1 rejected: PO # 4 ITD03 in segment 7: 31 isn't a day of September.",
  );
  // They are listed first, and their numbers lead to them.
  const [first] = screen.getAllByRole("article");
  expect(first?.textContent).toMatch(/^PO # 8841219 \(.*\)New/);
  await userEvent.click(within(result).getByRole("button", { name: "PO # 8841219" }));
  const weight = within(first!).getByRole("textbox", { name: "Weight" });
  await waitFor(() => expect(document.activeElement).toBe(weight));
  expect(calls(ADD)[0]?.body).toContain('name="file"; filename="week.edi"');
  await userEvent.click(within(result).getByRole("button", { name: "Dismiss the result of week.edi" }));
  expect(screen.queryByRole("group", { name: "Orders of week.edi" })).toBeNull();
});

test("HA-05 order files that are dropped while the server's database is away are sent again by themselves, one after another; a rejected one is shown", async () => {
  shortenWaits(5_000);
  await open(undefined, { isFramed: true });
  const ADD = "POST /api/v1/labels/open-orders";
  const away = problem(503, "The database isn't responding right now.", "database_unavailable");
  const isWaiting = () => screen.queryByText(/^We'll keep trying to send your file/) !== null;
  let isAway = true;
  server.on(ADD, ({ body }) => {
    const filename = /filename="([^"]+)"/.exec(body)?.[1] ?? "";
    if (isAway) return away;
    if (filename === "bad.csv") return problem(400, "The selected file is empty.");
    return {
      json: { filename, cells: [], documents: [{ po_number: "7001", result: "added", problems: [] }] },
    };
  });
  const files = ["850.edi", "bad.csv", "week.csv"].map((name) => new File(["ISA*"], name));
  const zone = await screen.findByRole("article", { name: /8841203/ });
  fireEvent.drop(zone, { dataTransfer: { files } });
  await waitFor(() => expect(calls(ADD).length).toBeGreaterThan(2));
  expect(isWaiting()).toBe(true);
  expect(calls(ADD).every(({ body }) => body.includes('filename="850.edi"'))).toBe(true);
  isAway = false;
  await screen.findByRole("group", { name: "Orders of 2 files" });
  expect((await screen.findByRole("alert", { name: "Orders of bad.csv" })).textContent).toContain(
    "The selected file is empty.",
  );
  expect(isWaiting()).toBe(false);
  isAway = true;
  const before = calls(ADD).length;
  const field = screen.getByLabelText<HTMLInputElement>("File of orders");
  // Until the orders are read again.
  await waitFor(() => expect(field.disabled).toBe(false));
  await userEvent.upload(field, files.slice(0, 1));
  expect((await screen.findByRole("alert", { name: "Orders of 850.edi" })).textContent).toContain(
    "The database isn't responding right now.",
  );
  expect([isWaiting(), calls(ADD).length - before]).toEqual([false, 13]);
});

/** As they are saved; reasons for cancellations are read with them. */
const CARRIER_SETTINGS = {
  ship_from: null,
  label_format: "pdf",
  slip_paper: "letter",
  billing: "shipper",
  billing_account: "",
  billing_zip: "",
  vendor_number: "",
  cancel_reason: "",
  presets: [],
};

test("HA-05 cartons and settings that are typed stay while the server's database is away, also for longer than the page asks by itself", async () => {
  shortenWaits(5_000);
  const SETTINGS = "GET /api/v1/labels/carrier-settings";
  server.on(SETTINGS, { json: { ...CARRIER_SETTINGS, cancel_reasons: [] } });
  server.on("PUT /api/v1/labels/carrier-settings", { json: {} });
  server.on("GET /api/v1/labels/notice-settings", {
    json: { cut_off: "17:00", sender_id: "", time_zone: "America/Chicago" },
  });
  await open(undefined, { isFramed: true });
  const order = await danas();
  const [length] = order.getAllByRole<HTMLInputElement>("textbox");
  await userEvent.clear(length!);
  await userEvent.type(length!, "21");
  await userEvent.click(screen.getByRole("button", { name: "UPS label settings" }));
  const cutOff = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Send notices at" });
  await userEvent.clear(await cutOff());
  await userEvent.type(await cutOff(), "16:30");

  const away = problem(503, "The database isn't responding right now.", "database_unavailable");
  for (const call of [SETTINGS, LIST]) server.on(call, away);
  const before = calls(SETTINGS).length;
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("We can't reach our database right now.")).toBeTruthy();
  const errors = () => screen.queryAllByRole("button", { name: "Try again" });
  await waitFor(() => expect(errors()).toHaveLength(1));
  expect(calls(SETTINGS).length - before).toBe(13);
  expect([length!.isConnected, length!.value, (await cutOff()).value]).toEqual([true, "21", "16:30"]);

  server.on(SETTINGS, { json: { ...CARRIER_SETTINGS, cancel_reasons: [] } });
  listIs({ open: [dana, luis] });
  await userEvent.click(errors()[0]!);
  await waitFor(() => expect(errors()).toEqual([]));
  await waitFor(() => expect(screen.queryByText("We can't reach our database right now.")).toBeNull());
  expect([length!.isConnected, length!.value, (await cutOff()).value]).toEqual([true, "21", "16:30"]);
});

test("SR-10 one band says what came of the last step: files together, then the labels, then files again", async () => {
  await open();
  const bands = () => screen.getAllByRole("group", { name: /^Orders of|^Generated labels/ });
  const add = (...names: string[]) => {
    const files = names.map((name) => new File(["ISA*"], name));
    return screen.findByLabelText("File of orders").then((field) => userEvent.upload(field, files));
  };
  server.on("POST /api/v1/labels/open-orders", ({ body }) => {
    const filename = /filename="([^"]+)"/.exec(body)?.[1] ?? "";
    return {
      json: { filename, cells: [], documents: [{ po_number: filename, result: "added", problems: [] }] },
    };
  });
  await add("1.edi", "2.edi");
  await screen.findByRole("group", { name: "Orders of 2 files" });
  expect(bands().map(({ textContent }) => textContent)).toEqual([
    "PO # 2.edi added (2.edi) · PO # 1.edi added (1.edi)",
  ]);
  server.on("POST /api/v1/labels/ups-label/batch", {
    json: { orders: [{ order_id: luis.id, id: null, problem: "UPS doesn't serve it." }] },
  });
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select PO # 8841219" }));
  await userEvent.click(screen.getByRole("button", { name: "Generate 1 label" }));
  await screen.findByRole("group", { name: "Generated labels" });
  expect(bands()).toHaveLength(1);
  await userEvent.click(within(bands()[0]!).getByRole("button", { name: "PO # 8841219" }));
  await waitFor(() => expect(document.activeElement?.closest("article")?.textContent).toContain("8841219"));
  await add("3.edi");
  await screen.findByRole("group", { name: "Orders of 3.edi" });
  expect(bands()).toHaveLength(1);
});

test("OI-02 wrong cells of a sheet are corrected on the page, and one more call adds their orders", async () => {
  await open();
  const ADD = "POST /api/v1/labels/open-orders";
  const cell = (row: number, value: string) => ({
    code: "decimal_not_valid",
    text: "This isn't a number.",
    row,
    cell: `I${row}`,
    field: "quantity",
    header: "Quantity",
    value,
    date_order: null,
    po_number: "7002",
  });
  const refused = { po_number: "7002", result: "refused", problems: ["I3: This isn't a number."] };
  const first = { po_number: "7001", result: "added", problems: [] };
  const cells = [cell(3, "two"), cell(4, "x")];
  server.on(ADD, { json: { filename: "week.csv", documents: [first, refused], cells } });
  const file = new File(["PO Number"], "week.csv");
  await userEvent.upload(await screen.findByLabelText("File of orders"), file);
  const wrong = within(await screen.findByRole("region", { name: "2 cells of week.csv need fixing" }));
  const field = (row: number) =>
    wrong.getByRole("textbox", { name: `Quantity of PO # 7002, row ${row}` }) as HTMLInputElement;
  const fix = async (row: number, value: string) => {
    await userEvent.clear(field(row));
    await userEvent.fill(field(row), value);
    await userEvent.keyboard("{Enter}");
  };
  await fix(3, "2");
  await fix(4, "5");
  expect(wrong.queryByRole("textbox")).toBeNull();
  await userEvent.click(wrong.getByRole("button", { name: "2 corrections" }));
  await userEvent.click(wrong.getByRole("button", { name: /^Undo the correction of Quantity in row 4/ }));
  await fix(4, "6");
  expect(calls(ADD)).toHaveLength(1);
  const all = [
    { ...first, result: "same" },
    { po_number: "7002", result: "added", problems: [] },
  ];
  server.on(ADD, { json: { filename: "week.csv", documents: all, cells: [] } });
  await userEvent.click(wrong.getByRole("button", { name: /^Add corrected orders\s*of week\.csv$/ }));
  await waitFor(() =>
    expect(screen.getByRole("group", { name: "Orders of week.csv" }).textContent).toContain(
      "PO # 7002 added (week.csv) · 1 already here: PO # 7001",
    ),
  );
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Dismiss the result of week.csv");
  expect(screen.queryByRole("region", { name: /need fixing/ })).toBeNull();
  expect(calls(ADD)[1]?.body).toContain(
    JSON.stringify([
      { row: 3, field: "quantity", value: "2" },
      { row: 4, field: "quantity", value: "6" },
    ]),
  );
});

test("OI-04 OI-08 a different order waits for an answer, and a canceled one with labels asks for a void; neither is generated", async () => {
  const waiting = {
    received_at: "2026-11-25T10:00:00Z",
    differences: [{ what: "Quantity of line 2", now: "4", new: "6" }],
  };
  const flagged = {
    ...luis,
    cancellation_asked_at: "2026-11-25T10:00:00Z",
    labels: sampleLabels({ state: "made" }),
  };
  await open({ open: [{ ...dana, waiting }, flagged] });
  const order = await danas();
  expect(await order.findByText("Quantity of line 2: 4 in the current order, 6 in the new one")).toBeTruthy();
  expect(order.queryByRole("button", { name: /^Generate/ })).toBeNull();
  const link = (await entry(/8841219/)).getByRole("link", { name: "Void its labels in History" });
  expect(link.getAttribute("href")).toContain("history=1&q=8841219");
  const DECIDE = "POST /api/v1/labels/open-orders/decide";
  server.on(DECIDE, {});
  listIs({ open: [dana, flagged] });
  await userEvent.click(order.getByRole("button", { name: /^Use the new one/ }));
  expect(await order.findByRole("button", { name: /^Generate/ })).toBeTruthy();
  expect(bodies(DECIDE)).toEqual([
    { order_id: dana.id, choice: "use_new", received_at: waiting.received_at },
  ]);
});

test("LB-12 what is typed in the UPS settings survives closing them, and typing during a save survives the save", async () => {
  const shipFrom = { name: "Acme", phone: "", line: "1 Elm St", city: "Reno", state: "NV", zip: "89501" };
  const settings = { ...CARRIER_SETTINGS, ship_from: shipFrom };
  const SETTINGS = "/api/v1/labels/carrier-settings";
  const NOTICES = "/api/v1/labels/notice-settings";
  server.on(`GET ${SETTINGS}`, { json: { ...settings, cancel_reasons: [] } });
  server.on(`GET ${NOTICES}`, { json: { cut_off: "17:00", sender_id: "", time_zone: acme.time_zone } });
  await open();
  const toggle = async () =>
    userEvent.click(await screen.findByRole("button", { name: "UPS label settings" }));
  const field = (name: string) => screen.findByRole<HTMLInputElement>("textbox", { name });
  const retype = async (name: string, text: string) => {
    await userEvent.clear(await field(name));
    await userEvent.fill(await field(name), text);
  };
  await toggle();
  await retype("Send notices at", "15:30");
  await retype("City", "Sparks");
  await toggle();
  await toggle();
  expect([(await field("Send notices at")).value, (await field("City")).value]).toEqual(["15:30", "Sparks"]);
  const saved: unknown[] = [];
  const hold = (path: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.on(`PUT ${path}`, ({ body }) => {
      saved.push(JSON.parse(body));
      return { json: {}, wait: promise };
    });
    return resolve;
  };
  const releases = [hold(SETTINGS), hold(NOTICES)];
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await userEvent.click(screen.getByRole("button", { name: "Save notice settings" }));
  await retype("Your vendor number at Retailer", "V-1");
  await retype("Your X12 ID at Retailer", "ACME01");
  const sparks = { ...settings, ship_from: { ...shipFrom, city: "Sparks" } };
  server.on(`GET ${SETTINGS}`, { json: { ...sparks, cancel_reasons: [] } });
  server.on(`GET ${NOTICES}`, { json: { cut_off: "15:30", sender_id: "", time_zone: acme.time_zone } });
  for (const release of releases) release();
  await waitFor(() => expect(screen.getAllByRole("button", { busy: false, name: /^Save/ })).toHaveLength(2));
  expect(saved).toEqual([sparks, { cut_off: "15:30", sender_id: "" }]);
  const shown = ["City", "Your vendor number at Retailer", "Send notices at", "Your X12 ID at Retailer"].map(
    field,
  );
  expect((await Promise.all(shown)).map(({ value }) => value)).toEqual(["Sparks", "V-1", "15:30", "ACME01"]);
});
