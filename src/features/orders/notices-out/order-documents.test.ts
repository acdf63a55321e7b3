import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  addNotice,
  findOrdersByNumber,
  lockOrders,
  planInvoiceDocument,
  withdrawInvoiceDocument,
  type BookedInvoice,
} from "#features/orders/index.ts";
import {
  downloadNotices,
  listNotices,
  listOrderDocuments,
  listRetailerMessages,
  rejectInvoice,
  sendInvoiceAgain,
  type Notice,
  type OrderDocument,
  type RetailerMessageView,
} from "#features/orders/notices-out/contract.ts";
import { readThread, type ThreadView } from "#features/order-invoices/contract.ts";
import { readPromised } from "#features/orders/promises.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { openShippingDesk } from "../../../../test/support/shipping.ts";
import { openThreadDesk, prepareShipped, say810s, shipHalves } from "../../../../test/support/thread.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";

/** The invoice of sample order 1: 2 × 12.50 + 10 × .75, and the freight that the order allows. */
const BOOKED: BookedInvoice = {
  id: "145",
  number: "100451",
  date: "2026-11-27",
  dueDate: "2026-12-27",
  total: "45.00",
  lines: [
    { line: "1", quantity: "2", unitPrice: "12.50", amount: "25.00" },
    { line: "2", quantity: "10", unitPrice: ".75", amount: "7.50" },
  ],
  freight: "12.50",
  allowance: "0.00",
  tax: "0.00",
  currency: "USD",
};

/** A desk with one labeled order, and calls about its documents. */
async function openInvoiceDesk() {
  const clock = steppedClock();
  const desk = await openShippingDesk({ clock, mail: true, worker: true }, { vendor_number: "47110" });
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  const { orders } = desk.app.application;
  const plan = (invoice: BookedInvoice, poNumber = "80001") =>
    desk.app.db.transaction().execute(async (tx) => {
      const [order] = await findOrdersByNumber(tx, ACME, { partner: "retailer", poNumber });
      if (!order) throw new Error("no order");
      return planInvoiceDocument(orders, tx, order, { shipmentId: null, invoice });
    });
  const list = async (show: "all" | "due" = "all") =>
    ((await desk.browser.call(listNotices, { query: { show } })).json() as { notices: Notice[] }).notices;
  const find = async (kind: Notice["kind"]) => (await list()).find((notice) => notice.kind === kind);
  const download = (...ids: (string | undefined)[]) => desk.browser.call(downloadNotices, { json: { ids } });
  /** Moves the clock past the cutoff, downloads the ship notice and takes the retailer's answer to it in. */
  const shipAndAccept = async () => {
    clock.advance(24 * 3_600_000);
    await desk.browser.signIn("owner@acme.example");
    const notice = await find("ship");
    expect((await download(notice?.id)).status).toBe(200);
    const { control_number: number } = (await find("ship")) ?? {};
    return desk.add(acknowledge(`SH*${number}`, "856", "A"));
  };
  /** The invoice's document, sent to the retailer; its control number. */
  const sendInvoice = async (invoice: BookedInvoice = BOOKED) => {
    const planned = await plan(invoice);
    if ((await find("ship"))?.state !== "accepted") await shipAndAccept();
    expect((await download(planned?.id)).status).toBe(200);
    return (await list()).find(({ id }) => id === planned?.id)?.control_number ?? 0;
  };
  const documents = async (of = "") => {
    const order_id = of || ((await find("ship"))?.order_id ?? "");
    const reply = await desk.browser.call(listOrderDocuments, { query: { order_id } });
    return reply.json() as { documents: OrderDocument[]; messages: RetailerMessageView[] };
  };
  return { ...desk, clock, plan, list, find, download, shipAndAccept, sendInvoice, documents };
}

/** The retailer's 997 about a group with one set. */
const acknowledge = (group: string, set: string, status: string, errors: readonly string[] = []) => {
  const document = set.includes("*") ? set : `${set}*0001`;
  const segments = ["ST*997*0001", `AK1*${group}`, `AK2*${document}`, ...errors, `AK5*${status}`];
  const counts = `AK9*${status}*1*1*${status === "A" ? 1 : 0}`;
  return sampleFile({
    sets: [[...segments, counts, `SE*${segments.length + 2}*0001`]],
    group: "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
  });
};

test("TD-13 an 810 leaves once, after its ship notice is accepted, with a control number of its own", async () => {
  const desk = await openInvoiceDesk();
  const planned = await desk.plan(BOOKED);
  expect(await desk.find("invoice")).toMatchObject({
    id: planned?.id,
    state: "pending",
    is_due: false,
    problems: [],
  });
  const early = await desk.download(planned?.id);
  expect([early.status, early.text]).toEqual([
    409,
    expect.stringContaining("is waiting for its ship notice"),
  ]);
  await desk.shipAndAccept();
  expect((await desk.list("due")).map(({ id }) => id)).toEqual([planned?.id]);
  // The same invoice again is the same document.
  expect(await desk.plan(BOOKED)).toEqual(planned);
  const file = await desk.download(planned?.id);
  const sent = await desk.find("invoice");
  expect(sent).toMatchObject({ state: "sent", control_number: expect.any(Number) as number });
  expect(file.text).toContain(`\nGS*IN*SUPPLIER*RETAILER*`);
  for (const segment of [
    "BIG*20261127*100451*20261126*80001***PR~",
    "REF*IA*47110~",
    "N1*RE*Acme Tools*92*47110~",
    "IT1*2*10*EA*.75**SK*1001235*VN*W-3~",
    "TDS*4500~",
    "SAC*C*D240***1250*******06***Freight~",
    "CTT*2*12~",
    `GE*1*${sent?.control_number}~`,
  ])
    expect(file.text).toContain(`${segment}\n`);
  expect((await desk.download(planned?.id)).text).toBe(file.text);
  const { journal } = desk.app.application.orders;
  expect((await readPromised(journal)).notices).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        about: "invoice",
        po: "80001",
        shipment: "145 1",
        control_number: sent?.control_number,
      }),
    ]),
  );
  const isKnown = await withdrawInvoiceDocument(
    desk.app.db,
    { realmId: ACME, invoiceId: "145" },
    desk.clock.now(),
  );
  expect([isKnown, (await desk.find("invoice"))?.state]).toEqual([true, "sent"]);
});

test("TD-14 an 810 that differs from its order or ship notice stays here with the reason, until the invoice is corrected", async () => {
  const desk = await openInvoiceDesk();
  const wrong = {
    ...BOOKED,
    total: "44.00",
    lines: [{ ...BOOKED.lines[0]!, quantity: "3" }, BOOKED.lines[1]!],
  };
  const planned = await desk.plan(wrong);
  await desk.shipAndAccept();
  const waiting = await desk.find("invoice");
  expect(waiting).toMatchObject({ id: planned?.id, state: "pending", is_due: false, control_number: null });
  expect(waiting?.problems).toEqual([
    "Invoice 100451: line 1 bills 3, but 2 were shipped. Correct the invoice in QuickBooks.",
    "Invoice 100451: line 1 would bill 3 in total, but 2 were ordered.",
    "Invoice 100451: line 1 has the amount 25.00, but 3 × 12.50 is 37.50.",
    "Invoice 100451: its total is 44.00, but its lines, freight, tax, and allowance add up to 45.00.",
  ]);
  expect((await desk.download(planned?.id)).status).toBe(409);
  expect(await desk.plan(BOOKED)).toEqual(planned);
  expect(await desk.find("invoice")).toMatchObject({ is_due: true, problems: [] });
});

test("TD-10 a number that another order's invoice has isn't sent to the retailer twice, until one of both is changed", async () => {
  const desk = await openInvoiceDesk();
  await desk.sendInvoice();
  await desk.addSamples(2, 3);
  expect((await desk.ship("80002")).status).toBe(200);
  expect((await desk.ship("80003")).status).toBe(200);
  const listProblems = async (po: string) =>
    (await desk.list()).find(({ kind, po_number }) => kind === "invoice" && po_number === po)?.problems;
  const taken = (po: string) => [
    `Invoice 100451: its number is also the number of the invoice for PO # ${po}. Change one of them in QuickBooks.`,
  ];
  const second = await desk.plan({ ...BOOKED, id: "146" }, "80002");
  expect(await listProblems("80002")).toEqual(taken("80001"));
  expect((await desk.download(second?.id)).status).toBe(409);
  await desk.plan({ ...BOOKED, id: "146", number: "100452" }, "80002");
  expect(await listProblems("80002")).toEqual([]);
  // If two are waiting, the one planned first keeps the number.
  await desk.plan({ ...BOOKED, id: "147", number: "100452" }, "80003");
  expect(await listProblems("80003")).toEqual(taken("80002").map((text) => text.replace("100451", "100452")));
  expect(await listProblems("80002")).toEqual([]);
});

/** A file of the retailer with one set. */
const fromRetailer = (group: string, type: string, segments: readonly string[], number = "5") =>
  sampleFile({
    sets: [[`ST*${type}*0001`, ...segments, `SE*${segments.length + 2}*0001`]],
    group: `GS*${group}*RETAILER*SUPPLIER*20261126*0915*${number}*X*004060`,
    groupEnd: `GE*1*${number}`,
  });

test("TD-15 TD-21 UO-11 a 997 settles an 810 only by group, set and document; its refusal is mailed in words, and the invoice is sent again under its own number", async () => {
  const desk = await openInvoiceDesk();
  const number = await desk.sendInvoice();
  for (const [group, set] of [
    [`SH*${number}`, "810"],
    [`IN*${number}`, "856"],
    [`IN*${number}`, "810*0002"],
    [`IN*${number + 90}`, "810"],
  ] as const)
    expect((await desk.add(acknowledge(group, set, "A"))).documents).toMatchObject([{ result: "refused" }]);
  expect((await desk.find("invoice"))?.state).toBe("sent");
  const errors = ["AK3*TDS*19**8", "AK4*1*610*6*41.50"];
  await desk.add(acknowledge(`IN*${number}`, "810", "R", errors));
  const problem = 'Segment 19, TDS01, the total, ("41.50") has a character that isn\'t allowed (error 6).';
  const rejected = await desk.find("invoice");
  expect(rejected).toMatchObject({ state: "rejected", problems: [problem] });
  await desk.app.settle(0);
  const [mail, ...more] = desk.app.mailbox().messages();
  expect([mail?.subject, more]).toEqual([
    expect.stringMatching(/ rejected the invoice for PO # 80001$/) as unknown,
    [],
  ]);
  expect(mail?.text).toContain(problem);
  expect(mail?.text).toContain("under the same number");
  const again = await desk.browser.call(sendInvoiceAgain, { json: { id: rejected?.id } });
  expect(again.status).toBe(200);
  const { id } = again.json() as { id: string };
  const file = (await desk.download(id)).text;
  expect(file).toContain("BIG*20261127*100451*");
  const second = (await desk.list()).find((notice) => notice.id === id)?.control_number ?? 0;
  expect(second).toBeGreaterThan(number);
  await desk.add(acknowledge(`IN*${second}`, "810", "A"));
  const twice = await desk.browser.call(sendInvoiceAgain, { json: { id } });
  expect(twice.status).toBe(409);
  expect(
    (await desk.documents()).documents.map(({ document, state, invoice_number }) => [
      document,
      state,
      invoice_number,
    ]),
  ).toEqual([
    ["856", "accepted", null],
    ["810", "rejected", "100451"],
    ["810", "accepted", "100451"],
  ]);
});

test("TD-15 TD-21 an 824, 864, 820, 812 and TA1 are shown with the invoice that they name, once, and what a user must read is mailed", async () => {
  const desk = await openInvoiceDesk();
  const number = await desk.sendInvoice();
  const files = {
    "824": fromRetailer("AG", "824", [
      "BGN*00*824-1*20261205",
      `OTI*TE*IV*100451*****${number}*0001*810`,
      "REF*PO*80001",
      "TED*ZZZ*Invoiced quantity is more than was received",
      "NTE*ERR*Line 2, 10 invoiced, 9 received",
    ]),
    "864": fromRetailer(
      "TX",
      "864",
      ["BMG*00**03", "MIT*1*INVOICE ERROR", "MSG*INVOICE 100451: NO RECEIPT"],
      "6",
    ),
    "820": fromRetailer(
      "RA",
      "820",
      ["BPR*I*44.00*C*ACH", "TRN*1*EFT-55120", "ENT*1", "RMR*IV*100451**44.00*45*", "ADX*-1*06"],
      "7",
    ),
    "812": fromRetailer(
      "CD",
      "812",
      ["BCD*20261220*CB-9*M*100*D*20261127*100451*****", "CDD*06*D*1*100"],
      "8",
    ),
    TA1: sampleFile({
      sets: [],
      group: `TA1*${String(number).padStart(9, "0")}*261204*1700*A*000`,
      groupEnd: "",
      end: "IEA*0*000000017",
    }),
  };
  for (const [set, file] of Object.entries(files)) {
    const { documents } = await desk.add(file);
    expect([set, documents]).toEqual([
      set,
      [expect.objectContaining({ po_number: "80001", result: "answered" })],
    ]);
    expect((await desk.add(file)).documents).toMatchObject([{ result: "same" }]);
  }
  const { documents } = await desk.documents();
  const invoice = documents.find(({ document }) => document === "810");
  expect(invoice?.state).toBe("sent");
  expect(
    invoice?.messages.map(({ document, meaning, sentences }) => [document, meaning, ...sentences]),
  ).toEqual(
    expect.arrayContaining([
      [
        "824",
        "attention",
        "The retailer's system accepted it, with errors.",
        "Invoiced quantity is more than was received",
        "Line 2, 10 invoiced, 9 received",
      ],
      [
        "864",
        "attention",
        "The retailer wrote: INVOICE ERROR",
        "The retailer wrote: INVOICE 100451: NO RECEIPT",
      ],
      [
        "820",
        "attention",
        "The retailer paid 44.00 of 45, in payment EFT-55120.",
        "Adjusted by -1: quantity (06).",
      ],
      ["812", "attention", "The retailer issued a debit of 1.00, number CB-9. Reason: quantity (06)."],
      ["TA1", "note", "The retailer's system received the transmission."],
    ]),
  );
  const { order_id = "" } = (await desk.find("invoice")) ?? {};
  const { steps } = (await desk.browser.call(readThread, { query: { order_id } })).json() as ThreadView;
  const accepted = steps.find(({ name }) => name === "Accepted")?.facts.map(({ text }) => text);
  expect(accepted).toEqual(
    expect.arrayContaining(invoice?.messages.flatMap(({ sentences }) => sentences) ?? [""]),
  );
  await desk.app.settle(0);
  const subjects = desk.app
    .mailbox()
    .messages()
    .map(({ subject }) => subject);
  expect(subjects).toEqual(
    Array.from({ length: 4 }, () => expect.stringMatching(/ wrote about PO # 80001$/) as unknown),
  );
  // An 824 that refuses it rejects it, even behind the 997 that took its envelope.
  await desk.add(acknowledge(`IN*${number}`, "810", "A"));
  await desk.add(
    fromRetailer("AG", "824", ["BGN*00*824-2*20261206", "OTI*TR*IV*100451", "TED*006*Duplicate"], "9"),
  );
  expect(await desk.find("invoice")).toMatchObject({
    state: "rejected",
    problems: ["The retailer's system rejected it.", "Duplicate"],
  });
  // A text that names nothing of ours is kept and listed.
  await desk.add(fromRetailer("TX", "864", ["BMG*00**03", "MIT*1*NEWS", "MSG*Closed on Friday"], "10"));
  const listed = (await desk.browser.call(listRetailerMessages)).json() as {
    messages: RetailerMessageView[];
  };
  expect(listed.messages).toContainEqual(
    expect.objectContaining({
      order_id: null,
      sentences: ["The retailer wrote: NEWS", "The retailer wrote: Closed on Friday"],
    }),
  );
});

test("TD-15 TD-21 an invoice that a text (864) of the retailer objects to, at the end of a sentence too, is marked as rejected by a user, then resent", async () => {
  const desk = await openInvoiceDesk();
  const number = await desk.sendInvoice();
  const { id = "" } = (await desk.find("invoice")) ?? {};
  const reject = (document: string) => desk.browser.call(rejectInvoice, { json: { id: document } });
  // Nothing was said about it yet.
  expect([(await reject(id)).status, (await reject(crypto.randomUUID())).status]).toEqual([409, 404]);
  await desk.add(acknowledge(`IN*${number}`, "810", "A"));
  const texts = ["BMG*00**03", "MIT*1*INVOICE ERROR", "MSG*NO RECEIPT FOUND ON INVOICE 100451."];
  expect((await desk.add(fromRetailer("TX", "864", texts))).documents).toMatchObject([
    { po_number: "80001", result: "answered" },
  ]);
  expect(await desk.find("invoice")).toMatchObject({ id, state: "accepted" });
  expect((await reject(id)).status).toBe(200);
  expect(await desk.find("invoice")).toMatchObject({
    state: "rejected",
    problems: [
      "The retailer wrote: INVOICE ERROR",
      "The retailer wrote: NO RECEIPT FOUND ON INVOICE 100451.",
    ],
  });
  expect((await reject(id)).status).toBe(409);
  const again = await desk.browser.call(sendInvoiceAgain, { json: { id } });
  const next = (again.json() as { id: string }).id;
  expect((await desk.download(next)).text).toContain("BIG*20261127*100451*");
  // The text was about the first one.
  expect((await reject(next)).status).toBe(409);
});

test("TD-15 TD-21 a text (864) with a PO number alone objects to no invoice of two, though the first has that number, and a user marks the one that it means", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipHalves(desk);
  const orderId = await prepareShipped(desk);
  await desk.accept();
  await desk.post(orderId);
  await desk.app.settle(120_000);
  await desk.leave();
  const doubted = async () =>
    (await desk.view(orderId)).invoices.map(({ number, doubted_document: id }) => [number, id !== null]);
  const tell = (text: string, number: string) =>
    desk.add(fromRetailer("TX", "864", ["BMG*00**03", "MIT*1*ERROR", `MSG*${text}`], number));
  expect(await doubted()).toEqual([
    ["80001", false],
    ["80001-2", false],
  ]);
  expect((await tell("PO 80001: STORE MISSING", "6")).documents).toMatchObject([
    {
      po_number: "80001",
      problems: expect.arrayContaining([
        "PO # 80001 has 2 invoices, and the message doesn't say which one it means. Find it in the retailer's portal.",
      ]) as unknown,
    },
  ]);
  const both = [
    ["80001", true],
    ["80001-2", true],
  ];
  expect(await doubted()).toEqual(both);
  const [, second] = (await desk.view(orderId)).invoices;
  const id = second?.doubted_document ?? "";
  expect((await desk.browser.call(rejectInvoice, { json: { id } })).status).toBe(200);
  expect((await desk.browser.call(sendInvoiceAgain, { json: { id } })).status).toBe(200);
  desk.app.clock.advance(1000);
  await desk.leave();
  const states = (await say810s(desk)).map(([state]) => String(state));
  expect(states.toSorted()).toEqual(["overdue", "rejected", "sent"]);
  expect(await doubted()).toEqual([
    ["80001", true],
    ["80001-2", false],
  ]);
  await tell("PO 80001 INVOICE 80001-2: STORE MISSING", "7");
  expect(await doubted()).toEqual(both);
});

const advise = (desk: Awaited<ReturnType<typeof openInvoiceDesk>>, group: string, ...segments: string[]) =>
  desk.add(fromRetailer("AG", "824", [`BGN*00*${group}*20261206`, ...segments], group));

test("TD-15 an 824 rejects the invoice that it names among many of its order; one with the PO number alone rejects no invoice unless it can mean no other", async () => {
  const desk = await openInvoiceDesk();
  const number = await desk.sendInvoice();
  await desk.add(acknowledge(`IN*${number}`, "810", "A"));
  const [order] = await findOrdersByNumber(desk.app.db, ACME, { partner: "retailer", poNumber: "80001" });
  const addOthers = (count: number) =>
    desk.app.db.transaction().execute(async (tx) => {
      for (let at = 1; at <= count; at += 1)
        await addNotice(tx, {
          realm_id: ACME,
          id: desk.app.application.orders.ids.uuid(),
          order_id: order?.id ?? "",
          kind: "invoice",
          shipment_id: null,
          partner: "retailer",
          document: "810",
          po_number: "80001",
          facts: { invoice: { ...BOOKED, id: `9${at}`, number: `2004${at}` }, attempt: 1 },
          created_at: new Date(desk.clock.now().getTime() + at),
          due_at: desk.clock.now(),
          is_held: true,
        });
    });
  const states = async () => {
    const { documents } = await desk.documents(order?.id);
    const ended = documents.filter(({ document, state }) => document === "810" && state === "rejected");
    return ended.map(({ invoice_number: of }) => of);
  };
  // The only one, also after it was sent again.
  await advise(desk, "11", "OTI*TR*PO*80001*******810", "TED*024*Vendor number isn't known");
  expect(await states()).toEqual(["100451"]);
  const rejected = await desk.find("invoice");
  expect((await desk.browser.call(sendInvoiceAgain, { json: { id: rejected?.id } })).status).toBe(200);
  // About the first one: the second has not left.
  await advise(desk, "17", "OTI*TR*IV*100451*******810", "REF*PO*80001", "TED*024*Not known");
  expect(await states()).toEqual(["100451"]);
  const second = (await desk.list()).find(({ kind, state }) => kind === "invoice" && state === "pending");
  expect((await desk.download(second?.id)).status).toBe(200);
  await advise(desk, "12", "OTI*GR*PO*80001*******810", "TED*024*Vendor number isn't known");
  expect(await states()).toEqual(["100451", "100451"]);
  const again = (await desk.list()).find(({ kind, state }) => kind === "invoice" && state === "rejected");
  expect((await desk.browser.call(sendInvoiceAgain, { json: { id: again?.id } })).status).toBe(200);
  const third = (await desk.list()).find(({ kind, state }) => kind === "invoice" && state === "pending");
  expect((await desk.download(third?.id)).status).toBe(200);
  await addOthers(51);
  await advise(desk, "13", "OTI*TR*IV*100451*******810", "REF*PO*80001", "TED*006*Duplicate");
  expect(await states()).toEqual(["100451", "100451", "100451"]);
  const { documents } = await advise(desk, "14", "OTI*TR*PO*80001*******810", "TED*006*Duplicate");
  expect(documents).toMatchObject([{ po_number: "80001", result: "answered" }]);
  // One of another number, or of another kind, isn't here.
  await advise(desk, "15", "OTI*TR*IV*777*******810", "REF*PO*80001", "TED*006*Duplicate");
  await advise(desk, "16", "OTI*TR*PO*80001*******855", "TED*006*Duplicate");
  expect(await states()).toEqual(["100451", "100451", "100451"]);
  const { messages } = await desk.documents(order?.id);
  expect(messages.map(({ meaning, sentences }) => [meaning, ...sentences])).toEqual([
    [
      "refused",
      "The retailer's system rejected it.",
      "Duplicate",
      "PO # 80001 has 52 documents (810), and the message doesn't say which one it means. Find it in the retailer's portal.",
    ],
    ["refused", "The retailer's system rejected it.", "Duplicate"],
    ["refused", "The retailer's system rejected it.", "Duplicate"],
  ]);
  await desk.app.settle(0);
  const subjects = desk.app
    .mailbox()
    .messages()
    .map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.endsWith("wrote about PO # 80001"))).toHaveLength(4);
});

test("TD-14 TD-15 an 810 that may leave stays here if its ship notice is rejected before it does", async () => {
  const desk = await openInvoiceDesk();
  const planned = await desk.plan(BOOKED);
  await desk.shipAndAccept();
  expect((await desk.list("due")).map(({ id }) => id)).toEqual([planned?.id]);
  await advise(desk, "11", "OTI*TR*PO*80001*******856", "TED*024*Vendor number isn't known");
  expect((await desk.download(planned?.id)).status).toBe(409);
  expect(await desk.find("invoice")).toMatchObject({
    state: "pending",
    is_due: false,
    problems: [expect.stringContaining("The retailer rejected the ship notice")],
  });
});

test("TD-21 a TA1 that finds a control number twice, and one about an accepted document, reject nothing; an 824 about an item says so", async () => {
  const desk = await openInvoiceDesk();
  const number = await desk.sendInvoice();
  const answer = (status: string, of: number) =>
    desk.add(
      sampleFile({
        sets: [],
        group: `TA1*${String(number).padStart(9, "0")}*261204*1700*${status}`,
        groupEnd: "",
        end: "IEA*0*000000017",
      }).replaceAll("000000017", `0000000${of}`),
    );
  const state = async () => (await desk.find("invoice"))?.state;
  await answer("R*025", 31);
  expect(await state()).toBe("sent");
  await desk.add(acknowledge(`IN*${number}`, "810", "A"));
  await answer("R*006", 32);
  expect(await state()).toBe("accepted");
  await advise(desk, "33", "OTI*IR*IV*100451*******810", "TED*848*Line 2 isn't known");
  expect(await state()).toBe("accepted");
  const { documents } = await desk.documents();
  const said = documents.find(({ document }) => document === "810")?.messages;
  expect(said?.map(({ meaning, sentences }) => [meaning, ...sentences])).toEqual(
    expect.arrayContaining([
      ["attention", "The retailer's system rejected the transmission: its control number was used before."],
      ["refused", "The retailer's system rejected the transmission: the sender's id isn't known."],
      ["attention", "The retailer's system rejected a part of it.", "Line 2 isn't known"],
    ]),
  );
  await desk.app.settle(0);
  expect(desk.app.mailbox().messages()).toHaveLength(3);
});

test("TD-21 a TA1 that refuses a transmission rejects its document", async () => {
  const desk = await openInvoiceDesk();
  const number = await desk.sendInvoice();
  await desk.add(
    sampleFile({
      sets: [],
      group: `TA1*${String(number).padStart(9, "0")}*261204*1700*R*006`,
      groupEnd: "",
      end: "IEA*0*000000017",
    }),
  );
  expect(await desk.find("invoice")).toMatchObject({
    state: "rejected",
    problems: ["The retailer's system rejected the transmission: the sender's id isn't known."],
  });
});

test("TD-21 a message that names only the number of an invoice locks its order before its document, as everything does", async () => {
  const desk = await openInvoiceDesk();
  await desk.sendInvoice();
  const [order] = await findOrdersByNumber(desk.app.db, ACME, { partner: "retailer", poNumber: "80001" });
  const invoice = await desk.find("invoice");
  const [locked, waits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = desk.app.db.transaction().execute(async (tx) => {
    await lockOrders(tx, ACME, [order?.id ?? ""]);
    locked.resolve();
    await waits.promise;
    await sql`select from order_notice where id = ${invoice?.id ?? ""}::uuid for update nowait`.execute(tx);
  });
  await locked.promise;
  const adding = advise(desk, "31", "OTI*TR*IV*100451*******810", "TED*024*Not known");
  await desk.app.settle(0);
  waits.resolve();
  await holding;
  expect((await adding).documents).toMatchObject([{ po_number: "80001", result: "answered" }]);
  expect(await desk.find("invoice")).toMatchObject({ state: "rejected" });
});

test("TD-21 a retailer's errors in what it accepts, a document that it takes in part, a payment that is less, and a text about two invoices are shown and mailed", async () => {
  const desk = await openInvoiceDesk();
  const number = await desk.sendInvoice();
  // Two more invoices, of orders that have not shipped yet.
  await desk.addSamples(2, 3);
  const others = { "80002": "100452", "80003": "100453" };
  for (const [po, invoice] of Object.entries(others))
    await desk.plan({ ...BOOKED, id: invoice, number: invoice }, po);
  const errors = ["AK3*REF*3**8", "AK4*2**7*47110"];
  await desk.add(acknowledge(`IN*${number}`, "810", "E", errors), "997.edi");
  const said = "The retailer accepted it with errors.";
  const problems = [said, expect.stringContaining("Segment 3, REF02")];
  expect(await desk.find("invoice")).toBeDefined();
  const find = async () =>
    (await desk.list()).find(({ po_number, kind }) => kind === "invoice" && po_number === "80001");
  expect(await find()).toMatchObject({ state: "accepted", problems });
  const answer = (set: string[], group: string, name: string) => {
    const segments = [...set, `SE*${set.length + 1}*0001`];
    const file = sampleFile({
      sets: [segments],
      group: `GS*${group}*RETAILER*SUPPLIER*20261126*0915*5*X*004060`,
    });
    return desk.add(file.replaceAll("000000017", name), `${name}.edi`);
  };
  await answer(["ST*824*0001", "BGN*00*1*20261205", "OTI*TP*IV*100451"], "AG", "000000021");
  await answer(
    [
      "ST*820*0001",
      "BPR*I*87.5*C*ACH*CCP***********20261214",
      "TRN*1*EFT-1",
      "ENT*1",
      "RMR*IV*100451**42.5*45",
      "RMR*IV*100452**44*45*1",
    ],
    "RA",
    "000000022",
  );
  await answer(
    ["ST*864*0001", "BMG*00**03", "MIT*1*INVOICES", "MSG*INVOICE 100452 AND 100453 HAVE NO RECEIPT"],
    "TX",
    "000000023",
  );
  const { documents } = await desk.documents();
  const messages = documents.find(({ kind }) => kind === "invoice")?.messages ?? [];
  expect(messages.map(({ document, meaning, sentences }) => [document, meaning, sentences[0]])).toEqual([
    ["824", "attention", "The retailer's system accepted a part of it."],
    ["820", "attention", "The retailer paid 42.5 of 45, in payment EFT-1."],
  ]);
  const orders = (await desk.open()).map(({ id }) => id);
  for (const id of orders) {
    const [own] = (await desk.documents(id)).documents;
    const texts = own?.messages.filter(({ document }) => document === "864") ?? [];
    expect(texts.map(({ sentences }) => sentences.at(-1))).toEqual([
      "The retailer wrote: INVOICE 100452 AND 100453 HAVE NO RECEIPT",
    ]);
  }
  const paid = (await desk.documents(orders[0])).documents[0]?.messages.find(
    ({ document }) => document === "820",
  );
  expect(paid?.meaning).toBe("note");
  await desk.app.settle(60_000);
  const subjects = desk.app
    .mailbox()
    .messages()
    .map(({ subject }) => subject);
  expect(subjects).toHaveLength(4);
});
