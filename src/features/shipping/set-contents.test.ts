import { readFile } from "node:fs/promises";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { afterAll, expect, test } from "vitest";
import {
  answerShipment,
  cancelLines,
  createShipment,
  createShipments,
  downloadPackingSlip,
  printShipments,
  setContents,
  voidShipment as voidLabels,
} from "#features/shipping/contract.ts";
import { findEntries } from "#features/audit/index.ts";
import { downloadNotices, listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { readInterchanges } from "#formats/x12/read-interchanges.ts";
import { readShipNotice } from "../../../test/support/rules/read-ship-notice.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { CARTON, openShippingDesk } from "../../../test/support/shipping.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";

const library = await PDFiumLibrary.init();
afterAll(() => library.destroy());

async function readTexts(pdf: Uint8Array): Promise<string[]> {
  const document = await library.loadDocument(pdf);
  const pages = [...document.pages()].map((page) => page.getText().replaceAll(/\s+/g, " "));
  document.destroy();
  return pages;
}

const PO = "80001";
const DAY_MS = 24 * 3_600_000;

/** An order of 6, 2 and 4 pieces in three lines. */
const order = sampleOrder(1).flatMap((segment) => {
  if (segment.startsWith("PO1*1*")) return [segment.replace("PO1*1*2*", "PO1*1*6*")];
  if (segment.startsWith("PO1*2*"))
    return [segment.replace("PO1*2*10*", "PO1*2*2*"), "PO1*3*4*EA*17.35**SK*1001583*VN*K-12"];
  if (segment.startsWith("CTT*")) return ["CTT*3*12"];
  return [segment.replace("SE*17*", "SE*18*")];
});

const hold = (...pieces: [string, string][]) => ({
  ...CARTON,
  contents: pieces.map(([line, quantity]) => ({ line, quantity })),
});

async function openDesk(env: Record<string, string> = {}) {
  const clock = steppedClock();
  const desk = await openShippingDesk({ clock, env });
  await desk.add(sampleFile({ sets: [order] }));
  const ship = (cartons: readonly object[], more: object = { key: crypto.randomUUID() }) =>
    desk.browser.call(createShipment, { json: { po_number: PO, cartons, ...more } });
  const readOpen = async () => {
    const [first] = await desk.open();
    return first && { lines: first.lines.map(({ open }) => open), next: first.next_shipment };
  };
  const cancel = async (lines: readonly [string, string][]) => {
    const [first] = await desk.open();
    const json = {
      order_id: first?.id,
      lines: lines.map(([line, quantity]) => ({ line, quantity })),
      cancel_reason: "out_of_stock",
    };
    return desk.browser.call(cancelLines, { json });
  };
  const listAll = async () =>
    ((await desk.browser.call(listNotices, { query: { show: "all" } })).json() as { notices: Notice[] })
      .notices;
  /** Lets the day's cutoff pass; sessions end overnight. */
  const pass = async () => {
    clock.advance(DAY_MS);
    await desk.browser.signIn("owner@acme.example");
  };
  const download = async (notice: Notice | undefined) =>
    desk.browser.call(downloadNotices, { json: { ids: [notice?.id] } });
  const read856 = async (notice: Notice | undefined) => {
    const { text } = await download(notice);
    for (const part of readInterchanges(Buffer.from(text)))
      if (part.kind === "set") {
        const found = readShipNotice(part.set);
        if ("document" in found) return found.document;
      }
    throw new Error(text);
  };
  return { ...desk, ship, readOpen, cancel, listAll, pass, download, read856 };
}

const detail = (reply: { json(): unknown }) => (reply.json() as { detail: string }).detail;

test("TD-02 TD-03 TD-04 TD-05 an order leaves in two shipments with one line canceled: each has its own labels, slips and 856, and all say the same", async () => {
  const desk = await openDesk();
  expect(await desk.readOpen()).toEqual({ lines: ["6", "2", "4"], next: 1 });
  expect((await desk.ship([hold(["1", "2"], ["2", "1"]), hold(["1", "2"])])).status).toBe(200);
  expect(await desk.readOpen()).toEqual({ lines: ["2", "1", "4"], next: 2 });
  expect((await desk.cancel([["3", "4"]])).status).toBe(200);
  expect(await desk.readOpen()).toEqual({ lines: ["2", "1", "0"], next: 2 });
  // One carton holds all that is left.
  expect((await desk.ship([CARTON])).status).toBe(200);
  expect(await desk.open()).toEqual([]);
  expect(await desk.shipCalls()).toBe(2);

  const { labels } = await desk.history();
  const [second, first] = labels;
  const ids = [first?.id, second?.id];
  const papers = await readTexts(await desk.browser.download(printShipments, { json: { ids, slips: true } }));
  const slips = papers.filter((text) => text.includes("Packing slip"));
  expect(slips.map((text) => /Carton (\d of \d)/.exec(text)?.[1])).toEqual(["1 of 2", "2 of 2", "1 of 1"]);
  // The second carton of the first shipment holds nothing of line 2, and no slip has the canceled line.
  expect(
    slips.map((text) => [text.includes("1001234"), text.includes("1001235"), text.includes("1001583")]),
  ).toEqual([
    [true, true, false],
    [true, false, false],
    [true, true, false],
  ]);
  expect(
    (await desk.browser.call(downloadPackingSlip, { params: { filename: `${PO}-packing-slip.pdf` } })).status,
  ).toBe(200);

  await desk.pass();
  const notices = (await desk.listAll()).toReversed();
  expect(notices.map(({ kind }) => kind)).toEqual(["ship", "cancel", "ship"]);
  const [firstNotice, cancelled, secondNotice] = [
    await desk.read856(notices[0]),
    await desk.read856(notices[1]),
    await desk.read856(notices[2]),
  ];
  const contents = (notice: typeof firstNotice) =>
    notice.shipment.orders[0]?.cartons.map(({ items }) =>
      items.map(({ number, shipped }) => [number, shipped?.quantity, shipped?.ordered]),
    );
  expect([firstNotice.number, firstNotice.shipment.routings[0]?.status, contents(firstNotice)]).toEqual([
    first?.shipment,
    "PR",
    [
      [
        ["1", "2", "6"],
        ["2", "1", "2"],
      ],
      [["1", "2", "6"]],
    ],
  ]);
  expect([secondNotice.number, secondNotice.shipment.routings[0]?.status, contents(secondNotice)]).toEqual([
    second?.shipment,
    "CC",
    [
      [
        ["1", "2", "6"],
        ["2", "1", "2"],
      ],
    ],
  ]);
  expect(cancelled.shipment.orders[0]?.items).toMatchObject([
    {
      number: "3",
      shipped: { quantity: "0", ordered: "4", status: "ID" },
      references: [{ qualifier: "ZZ", value: "out_of_stock" }],
    },
  ]);
  expect(await desk.listAll()).toMatchObject([{ state: "sent" }, { state: "sent" }, { state: "sent" }]);
});

test("TD-01 TD-02 labels that were voided and bought again for another number of cartons: slips and 856 say the new cartons alone", async () => {
  const desk = await openDesk();
  expect((await desk.ship([hold(["1", "4"], ["2", "2"]), hold(["1", "2"], ["3", "4"])])).status).toBe(200);
  const [voided] = (await desk.history()).labels;
  const query = { po_number: PO, shipment: voided?.shipment ?? "" };
  expect((await desk.browser.call(voidLabels, { query })).status).toBe(200);
  expect(await desk.readOpen()).toEqual({ lines: ["6", "2", "4"], next: 1 });
  const packed = [
    [["1", "1"]],
    [["1", "2"]],
    [
      ["1", "3"],
      ["2", "2"],
      ["3", "4"],
    ],
  ] as const;
  const cartons = packed.map((pieces) =>
    hold(...pieces.map(([line, quantity]): [string, string] => [line, quantity])),
  );
  expect((await desk.ship(cartons)).status).toBe(200);
  const label = (await desk.history()).labels.find(({ shipment }) => shipment !== voided?.shipment);
  const papers = await readTexts(
    await desk.browser.download(printShipments, { json: { ids: [label?.id], slips: true } }),
  );
  const slips = papers.filter((text) => text.includes("Packing slip"));
  expect(
    slips.map((text) => [
      /Carton (\d of \d)/.exec(text)?.[1],
      ...["1001234", "1001235", "1001583"].map((sku) => text.includes(sku)),
    ]),
  ).toEqual([
    ["1 of 3", true, false, false],
    ["2 of 3", true, false, false],
    ["3 of 3", true, true, true],
  ]);
  await desk.pass();
  const [notice, ...others] = (await desk.listAll()).filter(({ state }) => state !== "withdrawn");
  expect(others).toEqual([]);
  const { number, shipment } = await desk.read856(notice);
  expect(number).toBe(label?.shipment);
  expect(
    shipment.orders[0]?.cartons.map(({ items }) =>
      items.map(({ number: line, shipped }) => [line, shipped?.quantity]),
    ),
  ).toEqual(packed);
  expect(shipment.routings[0]?.status).toBe("CC");
});

const SKUS = ["1001234", "1001235", "1001583"];

/** Number of each packing slip's carton, and the lines that it has. */
const listSlips = async (file: Uint8Array) =>
  (await readTexts(file))
    .filter((text) => text.includes("Packing slip"))
    .map((text) => [
      /Carton (\d of \d)/.exec(text)?.[1],
      ...SKUS.flatMap((sku, at) => (text.includes(sku) ? [at + 1] : [])),
    ]);

/** Papers of an order: with its labels, and by the name of its slip. */
async function readSlips(desk: Awaited<ReturnType<typeof openDesk>>, id: string | undefined) {
  const params = { filename: `${PO}-packing-slip.pdf` };
  return {
    printed: await listSlips(
      await desk.browser.download(printShipments, { json: { ids: [id], slips: true } }),
    ),
    named: await listSlips(await desk.browser.download(downloadPackingSlip, { params })),
    /** Slips of these labels, as a row of the history downloads them. */
    own: await listSlips(
      await desk.browser.download(downloadPackingSlip, { params, query: { id: id ?? "" } }),
    ),
  };
}

test("TD-02 TD-05 a voided carton has no slip, the others are numbered without it, and the 856 has the same cartons", async () => {
  const desk = await openDesk();
  expect((await desk.ship([hold(["1", "6"]), hold(["2", "2"]), hold(["3", "4"])])).status).toBe(200);
  const [label] = (await desk.history()).labels;
  const [first, second = "", third] = label?.tracking_numbers ?? [];
  const query = { po_number: PO, shipment: label?.shipment ?? "" };
  expect((await desk.browser.call(voidLabels, { query: { ...query, tracking_number: second } })).status).toBe(
    200,
  );
  const left = [
    ["1 of 2", 1],
    ["2 of 2", 3],
  ];
  expect(await readSlips(desk, label?.id)).toEqual({ printed: left, named: left, own: left });
  await desk.pass();
  const { shipment } = await desk.read856((await desk.listAll())[0]);
  expect(
    shipment.orders[0]?.cartons.map(({ marks, items }) => [
      marks.map(({ value }) => value),
      items.map((item) => item.number),
    ]),
  ).toEqual([
    [[first], ["1"]],
    [[third], ["3"]],
  ]);
});

test("TD-02 a line that is named twice in one carton is on its slip, and in the 856, with the sum", async () => {
  const desk = await openDesk();
  expect((await desk.ship([hold(["1", "2"], ["2", "2"], ["1", "1"])])).status).toBe(200);
  expect((await desk.ship([CARTON, CARTON])).status).toBe(200);
  const [later, first] = (await desk.history()).labels;
  const said = [hold(["1", "1"], ["3", "4"], ["1", "1"]), hold(["1", "1"])];
  const json = { id: later?.id, cartons: said.map(({ contents }) => ({ contents })) };
  expect((await desk.browser.call(setContents, { json })).status).toBe(200);
  const ids = [first?.id, later?.id];
  const papers = await readTexts(await desk.browser.download(printShipments, { json: { ids, slips: true } }));
  const slips = papers.filter((text) => text.includes("Packing slip"));
  // Ordered and shipped.
  expect(slips.map((text) => [...text.matchAll(/\d+ EA \d+ EA/g)].map(String))).toEqual([
    ["6 EA 3 EA", "2 EA 2 EA"],
    ["6 EA 2 EA", "4 EA 4 EA"],
    ["6 EA 1 EA"],
  ]);
  await desk.pass();
  const notices = (await desk.listAll()).toReversed();
  const contents = [];
  for (const notice of notices) {
    const { shipment } = await desk.read856(notice);
    for (const { items } of shipment.orders[0]?.cartons ?? [])
      contents.push(items.map(({ number: line, shipped }) => [line, shipped?.quantity]));
  }
  expect(contents).toEqual([
    [
      ["1", "3"],
      ["2", "2"],
    ],
    [
      ["1", "2"],
      ["3", "4"],
    ],
    [["1", "1"]],
  ]);
});

test("TD-02 TD-03 slips of cartons with unknown contents have what was shipped, and those of an order without labels what is left to ship", async () => {
  const desk = await openDesk();
  const params = { filename: `${PO}-packing-slip.pdf` };
  const readNamed = async () => listSlips(await desk.browser.download(downloadPackingSlip, { params }));
  expect(await readNamed()).toEqual([[undefined, 1, 2, 3]]);
  expect((await desk.cancel([["3", "4"]])).status).toBe(200);
  expect(await readNamed()).toEqual([[undefined, 1, 2]]);
  expect((await desk.ship([hold(["2", "2"])])).status).toBe(200);
  const [first] = (await desk.history()).labels;
  expect((await desk.ship([CARTON, CARTON, CARTON])).status).toBe(200);
  const [second] = (await desk.history()).labels;
  const all = [1, 2, 3].map((at) => [`${at} of 3`, 1]);
  expect(await readSlips(desk, second?.id)).toEqual({ printed: all, named: all, own: all });
  const single = [["1 of 1", 2]];
  expect(await readSlips(desk, first?.id)).toEqual({ printed: single, named: all, own: single });
  const stranger = { params, query: { id: crypto.randomUUID() } };
  expect((await desk.browser.call(downloadPackingSlip, stranger)).status).toBe(404);
  // Once the latest labels are voided, the slip is that of the others.
  const query = { po_number: PO, shipment: second?.shipment ?? "" };
  expect((await desk.browser.call(voidLabels, { query })).status).toBe(200);
  expect(await readSlips(desk, first?.id)).toEqual({ printed: single, named: single, own: single });
});

test.each([0, 1, 2])(
  "TD-02 TD-03 TD-05 contents that are entered after carton %i of three was voided are of the right cartons, and what was in it is left to ship",
  async (at) => {
    const desk = await openDesk();
    expect((await desk.ship([CARTON, CARTON, CARTON])).status).toBe(200);
    const [label] = (await desk.history()).labels;
    const numbers = label?.tracking_numbers ?? [];
    const query = { po_number: PO, shipment: label?.shipment ?? "", tracking_number: numbers[at] ?? "" };
    expect((await desk.browser.call(voidLabels, { query })).status).toBe(200);
    // Contents aren't known yet, so nothing is open.
    expect(await desk.open()).toEqual([]);
    const packed: [string, string][] = [
      ["1", "6"],
      ["2", "2"],
      ["3", "4"],
    ];
    const json = { id: label?.id, cartons: packed.map((pieces) => ({ contents: hold(pieces).contents })) };
    expect((await desk.browser.call(setContents, { json })).status).toBe(200);
    expect(await desk.readOpen()).toEqual({
      lines: packed.map(([, quantity], line) => (line === at ? quantity : "0")),
      next: 2,
    });
    const kept = [0, 1, 2].filter((carton) => carton !== at);
    const slips = kept.map((line, carton) => [`${carton + 1} of 2`, line + 1]);
    expect(await readSlips(desk, label?.id)).toEqual({ printed: slips, named: slips, own: slips });
    // The voided carton is packed again.
    expect((await desk.ship([CARTON])).status).toBe(200);
    expect(await desk.open()).toEqual([]);
    await desk.pass();
    const [second, first] = await desk.listAll();
    const listCartons = async (notice: Notice | undefined) => {
      const { shipment } = await desk.read856(notice);
      return [
        shipment.routings[0]?.status,
        shipment.orders[0]?.cartons.map(({ marks, items }) => [
          marks[0]?.value,
          items.map(({ number, shipped }) => [number, shipped?.quantity]),
        ]),
      ];
    };
    expect(await listCartons(first)).toEqual([
      "PR",
      kept.map((carton) => [numbers[carton], [packed[carton]]]),
    ]);
    const [again] = (await desk.history()).labels;
    expect(await listCartons(second)).toEqual(["CC", [[again?.tracking_numbers[0], [packed[at]]]]]);
  },
);

test("TD-20 CR-21 the packing slip of labels has the service that a user chose for one that isn't known", async () => {
  const desk = await openShippingDesk();
  const file = new URL("../../../test/corpus/thread/h32-signature-required.xml", import.meta.url);
  await desk.add((await readFile(file, "utf8")).replaceAll("UPSN_CG", "FDXG_CG"), "orders.xml");
  expect((await desk.ship("H3201", [CARTON], { service: "12" })).status).toBe(200);
  const [label] = (await desk.history()).labels;
  const named = { params: { filename: label?.packing_slip_file ?? "" } };
  for (const query of [{}, { id: label?.id ?? "" }]) {
    const [slip] = await readTexts(await desk.browser.download(downloadPackingSlip, { ...named, query }));
    expect(slip).toContain("Ship method UPS 3 Day Select");
  }
});

test("TD-03 more than is left, a line that isn't there, an empty carton, and a page that is out of date buy nothing", async () => {
  const desk = await openDesk();
  const key = crypto.randomUUID();
  for (const [cartons, sentence] of [
    [[hold(["1", "4"]), hold(["1", "3"])], "The cartons hold 7 of line 1, but only 6 are left to ship."],
    [[hold(["9", "1"])], "Carton 1 holds line 9, which the order doesn't have."],
    [[hold(["1", "1"]), CARTON], "Carton 2 is empty. Enter what is in it, or delete it."],
  ] as const) {
    const refused = await desk.ship(cartons);
    expect([refused.status, detail(refused)]).toEqual([400, sentence]);
  }
  expect((await desk.ship([hold(["1", "-1"])])).status).toBe(400);
  expect(await desk.shipCalls()).toBe(0);

  const half = [hold(["1", "3"])];
  const at = { key, shipment_number: 1 };
  const answers = await Promise.all([desk.ship(half, at), desk.ship(half, at), desk.ship(half, at)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  // Another page that shows the order as it was; the same call without a key; and the key once more.
  const late = await desk.ship(half, { key: crypto.randomUUID(), shipment_number: 1 });
  expect([late.status, detail(late)]).toEqual([
    409,
    `Other labels of PO # ${PO} were made in the meantime. Reload the page to see what is left to ship.`,
  ]);
  expect((await desk.ship(half, {})).status).toBe(200);
  expect((await desk.ship(half, at)).status).toBe(200);
  expect(await desk.shipCalls()).toBe(1);
  for (const [lines, sentence] of [
    [[["1", "4"]], "Line 1 has 3 left to ship, so 4 can't be canceled."],
    [[["9", "1"]], "The order has no line 9."],
  ] as const) {
    const refused = await desk.cancel(lines.map(([line, quantity]) => [line, quantity]));
    expect([refused.status, detail(refused)]).toEqual([400, sentence]);
  }
  expect(await desk.readOpen()).toEqual({ lines: ["3", "2", "4"], next: 2 });
  expect((await desk.listAll()).map(({ kind }) => kind)).toEqual(["ship"]);

  // Voided, the first part is left to ship again, and the next one takes its number.
  const [label] = (await desk.history()).labels;
  expect((await desk.ship([hold(["2", "2"])], { key: crypto.randomUUID(), shipment_number: 2 })).status).toBe(
    200,
  );
  const query = { po_number: PO, shipment: label?.shipment ?? "" };
  expect((await desk.browser.call(voidLabels, { query })).status).toBe(200);
  expect(await desk.readOpen()).toEqual({ lines: ["6", "0", "4"], next: 1 });
  expect(
    (
      await desk.cancel([
        ["1", "6"],
        ["3", "4"],
      ])
    ).status,
  ).toBe(200);
  expect([await desk.open(), (await desk.orders()).cancelled]).toEqual([[], []]);
});

test("TD-01 a notice doesn't leave while no one said what is in which carton", async () => {
  const desk = await openDesk();
  expect((await desk.ship([CARTON, CARTON])).status).toBe(200);
  const [label] = (await desk.history()).labels;
  await desk.pass();
  const [notice] = await desk.listAll();
  expect(notice).toMatchObject({ kind: "ship", state: "pending", is_due: false });
  const early = await desk.download(notice);
  expect([early.status, detail(early)]).toEqual([
    409,
    `The notice about PO # ${PO} can't be sent until you say what is in each carton.`,
  ]);
  const say = (...cartons: [string, string][][]) =>
    desk.browser.call(setContents, {
      json: { id: label?.id, cartons: cartons.map((pieces) => ({ contents: hold(...pieces).contents })) },
    });
  const unknown = { id: crypto.randomUUID(), cartons: [{ contents: hold(["1", "6"]).contents }] };
  expect((await desk.browser.call(setContents, { json: unknown })).status).toBe(404);
  const wrong = await say([["1", "6"]], [["2", "2"]]);
  expect([wrong.status, detail(wrong)]).toEqual([
    400,
    "The labels are for 2 cartons with 6 of line 1, 2 of line 2, 4 of line 3. You entered 2 with 6 of line 1, 2 of line 2.",
  ]);
  expect(
    (
      await say(
        [["1", "6"]],
        [
          ["2", "2"],
          ["3", "4"],
        ],
      )
    ).status,
  ).toBe(200);
  expect(
    (
      await say(
        [["1", "6"]],
        [
          ["2", "2"],
          ["3", "4"],
        ],
      )
    ).status,
  ).toBe(409);
  const { shipment } = await desk.read856(notice);
  expect(shipment.orders[0]?.cartons.map(({ items }) => items.map(({ number }) => number))).toEqual([
    ["1"],
    ["2", "3"],
  ]);
});

const leave = (...pieces: [string, string][]) => hold(...pieces).contents;
const key = () => crypto.randomUUID();

test("TD-03 TD-04 what a purchase leaves behind is canceled once, with its labels, and stays canceled when they're voided", async () => {
  const desk = await openDesk();
  const first = { key: key(), cancels: leave(["1", "1"], ["3", "4"], ["1", "1"]) };
  const cartons = [hold(["1", "4"], ["2", "1"])];
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await desk.ship(cartons, first)).status).toBe(200);
    expect(await desk.readOpen()).toEqual({ lines: ["0", "1", "0"], next: 2 });
  }
  expect(await desk.shipCalls()).toBe(1);
  expect((await desk.listAll()).map(({ kind }) => kind).toSorted()).toEqual(["cancel", "ship"]);
  const trail = { realmId: ACME, search: "of line", actions: [], before: null, limit: 10 };
  const entries = (await findEntries(desk.app.db, trail)).toSorted((a, b) => (a.action < b.action ? 1 : -1));
  expect(entries.map(({ action, email, after }) => [action, email, after])).toEqual([
    [
      "orders.cancel_lines",
      null,
      { po_number: PO, lines: "2 of line 1, 4 of line 3", reason: "out_of_stock" },
    ],
    [
      "labels.ship",
      "owner@acme.example",
      {
        po_number: PO,
        cartons: 1,
        shipment_id: expect.any(String),
        cancels: "2 of line 1, 4 of line 3",
      },
    ],
  ]);
  const [label] = (await desk.history()).labels;
  const query = { po_number: PO, shipment: label?.shipment ?? "" };
  expect((await desk.browser.call(voidLabels, { query })).status).toBe(200);
  expect(await desk.readOpen()).toEqual({ lines: ["4", "2", "0"], next: 1 });

  // Nothing is left of the order: it leaves the list.
  const last = { key: key(), cancels: leave(["2", "2"]) };
  expect((await desk.ship([hold(["1", "4"])], last)).status).toBe(200);
  expect([await desk.open(), (await desk.orders()).cancelled]).toEqual([[], []]);
  await desk.pass();
  const left = (await desk.listAll()).filter(({ state }) => state !== "withdrawn");
  expect(left.map(({ kind }) => kind).toSorted()).toEqual(["cancel", "cancel", "ship"]);
});

test("TD-03 a purchase that would cancel more than it leaves behind buys nothing", async () => {
  const desk = await openDesk();
  for (const [cancels, sentence] of [
    [leave(["1", "3"]), "Line 1 has 2 left to ship, so 3 can't be canceled."],
    [leave(["1", "2"], ["1", "1"]), "Line 1 has 2 left to ship, so 3 can't be canceled."],
    [leave(["2", "1"]), "Line 2 has 0 left to ship, so 1 can't be canceled."],
    [leave(["9", "1"]), "The order has no line 9."],
  ] as const) {
    const refused = await desk.ship([hold(["1", "4"], ["2", "2"])], { key: key(), cancels });
    expect([refused.status, detail(refused)]).toEqual([400, sentence]);
  }
  const many = leave(...Array.from({ length: 201 }, (): [string, string] => ["3", "0.02"]));
  expect((await desk.ship([hold(["1", "4"])], { key: key(), cancels: many })).status).toBe(400);
  expect(await desk.shipCalls()).toBe(0);
  expect(await desk.readOpen()).toEqual({ lines: ["6", "2", "4"], next: 1 });
  const most = { key: key(), cancels: many.slice(0, 200) };
  expect((await desk.ship([hold(["1", "4"])], most)).status).toBe(200);
  expect(await desk.readOpen()).toEqual({ lines: ["2", "2", "0"], next: 2 });
});

test("TD-03 TD-04 of a purchase that came to nothing, nothing is canceled; one whose labels come late cancels then", async () => {
  const desk = await openDesk({ SHIP_WAITS_MS: "300,1000,2000,4000" });
  const [order] = await desk.open();
  const buy = () => {
    const purchase = {
      order_id: order?.id,
      key: key(),
      cartons: [hold(["1", "4"], ["2", "2"])],
      cancels: leave(["1", "2"], ["3", "4"]),
    };
    return desk.browser.call(createShipments, { json: { orders: [purchase] } });
  };
  const readLabels = async () => (await desk.open())[0]?.labels;
  await desk.app.ups.control("faults", { fault: "drop", operation: "ship", times: 1 });
  expect((await buy()).status).toBe(200);
  await desk.app.settle(10_000);
  expect(await readLabels()).toMatchObject({ state: "asked" });
  expect(await desk.listAll()).toEqual([]);
  const json = { id: (await readLabels())?.id, answer: "create_again" };
  expect((await desk.browser.call(answerShipment, { json })).status).toBe(200);
  expect(await desk.readOpen()).toEqual({ lines: ["6", "2", "4"], next: 1 });
  expect(await desk.listAll()).toEqual([]);

  await desk.app.ups.control("settings", { recoveryDelayMs: 1_500 }, "PATCH");
  await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
  expect((await buy()).status).toBe(200);
  expect(await desk.listAll()).toEqual([]);
  await desk.app.settle(10_000);
  expect(await desk.open()).toEqual([]);
  expect((await desk.history()).labels).toMatchObject([{ state: "live", carton_count: 1 }]);
  expect((await desk.listAll()).map(({ kind }) => kind).toSorted()).toEqual(["cancel", "ship"]);
});

test("TD-04 while labels of one part are being made, a void of another part opens nothing that is being bought", async () => {
  const desk = await openDesk({ SHIP_WAITS_MS: "300,1000,2000,4000" });
  expect((await desk.ship([hold(["1", "4"], ["2", "2"])])).status).toBe(200);
  const [{ shipment } = { shipment: "" }] = (await desk.history()).labels;
  await desk.app.ups.control("settings", { recoveryDelayMs: 1_500 }, "PATCH");
  await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
  const [first] = await desk.open();
  const buy = () => {
    const purchase = { order_id: first?.id, key: key(), cartons: [hold(["1", "2"], ["3", "4"])] };
    return desk.browser.call(createShipments, { json: { orders: [purchase] } });
  };
  expect((await buy()).status).toBe(200);
  expect((await desk.browser.call(voidLabels, { query: { po_number: PO, shipment } })).status).toBe(200);
  // The same cartons again are the purchase that is under way.
  expect((await buy()).status).toBe(200);
  await desk.app.settle(10_000);
  expect(await desk.shipCalls()).toBe(2);
  expect((await desk.readOpen())?.lines).toEqual(["4", "2", "0"]);
});

const CANCELLATION = order.map((segment) => segment.replace("BEG*00", "BEG*01"));

test("OI-08 TD-04 a retailer's cancellation that comes while a part's labels are being made asks for their void until none is left", async () => {
  const desk = await openDesk({ SHIP_WAITS_MS: "300,1000,2000,4000" });
  await desk.app.ups.control("settings", { recoveryDelayMs: 1_500 }, "PATCH");
  await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
  const [first] = await desk.open();
  const purchase = { order_id: first?.id, key: key(), cartons: [hold(["1", "6"]), hold(["2", "2"])] };
  expect((await desk.browser.call(createShipments, { json: { orders: [purchase] } })).status).toBe(200);
  const { documents } = await desk.add(sampleFile({ sets: [CANCELLATION] }));
  expect(documents).toMatchObject([{ result: "void_first" }]);
  await desk.app.settle(10_000);
  const [label] = (await desk.history()).labels;
  expect(label).toMatchObject({ state: "live", cancellation_asked_at: expect.any(String) });
  expect(await desk.open()).toEqual([]);
  // Line 3 is canceled; so is what each void brings back.
  const { shipment = "", tracking_numbers: [tracking_number] = [] } = label ?? {};
  const isVoided = async (query: object) =>
    (await desk.browser.call(voidLabels, { query: { po_number: PO, shipment, ...query } })).status;
  expect(await isVoided({ tracking_number })).toBe(200);
  expect((await desk.history()).labels).toMatchObject([
    { state: "partly_voided", cancellation_asked_at: expect.any(String) },
  ]);
  expect((await desk.orders()).cancelled).toEqual([]);
  expect(await isVoided({})).toBe(200);
  expect((await desk.orders()).cancelled).toMatchObject([{ po_number: PO, cancelled_by: "retailer" }]);
  expect(await desk.open()).toEqual([]);
});
