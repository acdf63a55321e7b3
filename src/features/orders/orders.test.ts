import { expect, test } from "vitest";
import { cancelOrder, downloadPackingSlip, listOpenOrders } from "#features/shipping/contract.ts";
import { addOrders, correctAddress, decideOrder, restoreOrder } from "#features/orders/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { decide } from "../../../test/support/orders.ts";
import { openShippingDesk } from "../../../test/support/shipping.ts";

const changed = (number: number, from: string, to: string) =>
  sampleOrder(number).map((segment) => segment.replace(from, to));

test("OI-03 OI-04 the same order received again changes nothing; a different one with its number waits for a user", async () => {
  const desk = await openShippingDesk({ worker: false });
  expect((await desk.addSamples(1, 2, 3)).documents.map(({ result }) => result)).toEqual([
    "added",
    "added",
    "added",
  ]);
  expect((await desk.addSamples(2)).documents).toEqual([
    { po_number: "80002", result: "same", problems: [] },
  ]);
  const other = sampleFile({
    sets: [changed(2, "PO1*1*2*", "PO1*1*4*").map((s) => s.replace("CTT*2*12", "CTT*2*14"))],
  });
  expect((await desk.add(other)).documents).toMatchObject([{ po_number: "80002", result: "waiting" }]);
  const [first, second, third] = await desk.open();
  expect([first, third].map((order) => order?.waiting)).toEqual([null, null]);
  expect(second?.waiting?.differences).toEqual([{ what: "Quantity of line 1", now: "2", new: "4" }]);
  const id = second?.id ?? "";
  expect((await decide(desk.browser, id, "use_new")).status).toBe(200);
  expect((await desk.open())[1]).toMatchObject({ po_number: "80002", waiting: null });
  expect((await desk.add(other)).documents).toMatchObject([{ result: "same" }]);
  expect((await desk.addSamples(2)).documents).toMatchObject([{ result: "waiting" }]);
  expect((await decide(desk.browser, id, "keep")).status).toBe(200);
  expect((await desk.open())[1]?.waiting).toBeNull();
  expect((await decide(desk.browser, id, "use_new")).status).toBe(409);
});

test("OI-04 a choice between an order and a different one counts only for the one that the user saw", async () => {
  const desk = await openShippingDesk({ worker: false });
  await desk.addSamples(1);
  const file = (quantity: number) =>
    sampleFile({
      sets: [
        changed(1, "PO1*1*2*", `PO1*1*${quantity}*`).map((s) =>
          s.replace("CTT*2*12", `CTT*2*${quantity + 10}`),
        ),
      ],
    });
  await desk.add(file(4));
  const [seen] = await desk.open();
  desk.app.clock.advance(1_000);
  await desk.add(file(6));
  const choose = (choice: string, order = seen) =>
    desk.browser.call(decideOrder, {
      json: { order_id: order?.id, choice, received_at: order?.waiting?.received_at },
    });
  for (const choice of ["use_new", "keep"]) {
    const late = await choose(choice);
    expect([late.status, late.text]).toEqual([409, expect.stringContaining("What this is about changed")]);
  }
  const [now] = await desk.open();
  expect(now).toMatchObject({
    waiting: { differences: [{ now: "2", new: "6" }] },
    lines: [{ open: "2" }, {}],
  });
  expect((await choose("use_new", now)).status).toBe(200);
  expect((await desk.open())[0]).toMatchObject({ waiting: null, lines: [{ open: "6" }, {}] });
});

test("OI-05 OI-06 OI-07 a bad document is refused as a whole with the place of its fault, and nothing of a truncated file is taken", async () => {
  const desk = await openShippingDesk({ worker: false });
  const bad = changed(2, "**20261126", "**2026113");
  const mixed = await desk.add(sampleFile({ sets: [sampleOrder(1), bad, sampleOrder(3)] }));
  expect(mixed.documents.map(({ po_number, result }) => [po_number, result])).toEqual([
    ["80001", "added"],
    ["80002", "refused"],
    ["80003", "added"],
  ]);
  expect(mixed.documents[1]?.problems).toEqual(['Document 0002, segment 2: BEG05 is "2026113", not a date.']);
  const cut = await desk.add(sampleFile({ sets: [sampleOrder(4), sampleOrder(5)], end: "" }));
  expect(cut.documents.map(({ result }) => result)).toEqual(["refused", "refused"]);
  expect(cut.documents[0]?.problems).toEqual([
    "The file ends without an IEA segment, so a part may be missing.",
  ]);
  const counted = await desk.add(sampleFile({ sets: [sampleOrder(4)], groupEnd: "GE*2*5" }));
  expect(counted.documents).toMatchObject([{ result: "refused" }]);
  expect((await desk.open()).map(({ po_number }) => po_number)).toEqual(["80001", "80003"]);
  const reply = await desk.app.db
    .selectFrom("order_document" as never)
    .selectAll()
    .orderBy("received_at" as never)
    .execute();
  const replies = (reply as { reply: Buffer | null; content: Buffer; results: unknown[] }[]).map((text) =>
    text.reply?.toString(),
  );
  expect(replies).toHaveLength(3);
  expect(replies[0]).toMatch(
    /AK1\*PO\*5~[\s\S]*AK2\*850\*0001~\nAK5\*A~\nAK2\*850\*0002~\nAK3\*BEG\*2\*\*8~\nAK4\*5\*\d*\*8\*2026113~\nAK5\*R\*5~[\s\S]*AK9\*P\*3\*3\*2~/,
  );
  expect(replies[1]).toContain("AK9*R*2*2*0");
  // Its own numbers, which notices for the same retailer share.
  expect(
    replies.map((answer997) =>
      /\*(\d{9})\*0\*[PT]\*.~\nGS\*FA\*.*?\*(\d+)\*X\*/.exec(answer997 ?? "")?.slice(1),
    ),
  ).toEqual([
    ["000000001", "1"],
    ["000000002", "2"],
    ["000000003", "3"],
  ]);
  const advice = ["ST*824*0001", "BGN*00*1*20261126", "SE*3*0001"];
  for (const [name, text] of [
    ["photo.edi", "hello"],
    ["half.xml", "<OrderMessageBatch><hubOrder>"],
    ["advice.edi", sampleFile({ sets: [advice] })],
  ] as const) {
    const none = await desk.browser.call(addOrders, { file: { name, bytes: Buffer.from(text) } });
    expect(none.status, name).toBe(200);
    expect(none.json(), name).toMatchObject({ documents: [{ po_number: "", result: "refused" }] });
  }
});

test("OI-08 CR-24 CR-25 CR-26 CR-27 CR-28 AP-26 AP-28 AP-40 orders are canceled by users and by the retailer, and restored", async () => {
  const desk = await openShippingDesk({ worker: false });
  await desk.addSamples(1, 2, 3, 4);
  const query = { customer: "retailer", po_number: "80001" };
  expect((await desk.browser.call(cancelOrder, { json: query })).status).toBe(200);
  expect((await desk.browser.call(cancelOrder, { query })).status).toBe(200);
  const other = await desk.browser.call(cancelOrder, { query: { ...query, po_number: "1" }, json: query });
  expect(other.status).toBe(404);
  const orders = await desk.orders();
  expect(orders.open.map(({ po_number }) => po_number)).toEqual(["80002", "80003", "80004"]);
  expect(orders.cancelled).toMatchObject([
    { po_number: "80001", customer_name: "Jane Doe", can_restore: true },
  ]);
  const { id } = orders.cancelled[0] ?? { id: "" };
  expect((await desk.browser.call(restoreOrder, { json: { order_id: id } })).status).toBe(200);
  expect((await desk.orders()).cancelled).toEqual([]);
  const wrong = await desk.browser.call(cancelOrder, { query: { ...query, reason: "mood" } });
  expect([wrong.status, (wrong.json() as { code: string }).code]).toEqual([400, "reason_unknown"]);
  expect((await desk.browser.call(cancelOrder, { query: { ...query, customer: "other" } })).status).toBe(404);
  const purpose01 = changed(2, "BEG*00", "BEG*01");
  expect((await desk.add(sampleFile({ sets: [purpose01] }))).documents).toMatchObject([
    { result: "cancelled" },
  ]);
  const change = ["ST*860*0001", "BCH*01*DS*80003***20261126", "SE*3*0001"];
  const changeGroup = "GS*PC*RETAILER*SUPPLIER*20261126*0915*5*X*004060";
  expect((await desk.add(sampleFile({ sets: [change], group: changeGroup }))).documents).toMatchObject([
    { result: "cancelled" },
  ]);
  expect(
    (await desk.orders()).cancelled.map(({ po_number, cancelled_by }) => [po_number, cancelled_by]),
  ).toEqual(
    expect.arrayContaining([
      ["80002", "retailer"],
      ["80003", "retailer"],
    ]),
  );
});

/** An 860 of the retailer with its segments between ST and SE. */
const changeFile = (...segments: string[]) =>
  sampleFile({
    sets: [["ST*860*0001", ...segments, `SE*${segments.length + 2}*0001`]],
    group: "GS*PC*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
  });

test("OI-04 OI-08 a second change doesn't replace the first one, which still waits, and one that takes it back ends the question", async () => {
  const desk = await openShippingDesk({ worker: false });
  await desk.addSamples(2);
  const change = async (line: string) =>
    (await desk.add(changeFile("BCH*04*DS*80002***20261126", line))).documents.map(({ result }) => result);
  const waiting = async () => (await desk.open())[0]?.waiting?.differences ?? null;
  const less = { what: "Quantity of line 1", now: "2", new: "1" };
  expect(await change("POC*1*QD*1*0*EA*12.50")).toEqual(["waiting"]);
  expect(await waiting()).toEqual([less]);
  expect(await change("POC*2*PC*10*0*EA*.80")).toEqual(["waiting"]);
  expect(await waiting()).toEqual([less, { what: "Unit cost of line 2", now: ".75", new: ".80" }]);
  // The same change again, of a repeated delivery, changes nothing.
  expect(await change("POC*2*PC*10*0*EA*.80")).toEqual(["waiting"]);
  // Both in one file, as the retailer had it first.
  const back = ["POC*1*QI*2*0*EA*12.50", "POC*2*PC*10*0*EA*.75"];
  const { documents } = await desk.add(
    sampleFile({
      sets: back.map((line, at) => [
        `ST*860*000${at + 1}`,
        "BCH*04*DS*80002***20261126",
        line,
        `SE*4*000${at + 1}`,
      ]),
      group: "GS*PC*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
      groupEnd: "GE*2*5",
    }),
  );
  expect(documents.map(({ result }) => result)).toEqual(["waiting", "same"]);
  expect(await waiting()).toBeNull();
  expect(await change("POC*1*DI*0*0*EA*12.50")).toEqual(["waiting"]);
  // The other line is deleted as well: the order is canceled.
  expect(await change("POC*2*DI*0*0*EA*.75")).toEqual(["cancelled"]);
});

test("OI-08 changes of one file count by their numbers, after their order; one that comes in after a newer one isn't used, and says so", async () => {
  const desk = await openShippingDesk({ worker: false });
  const numbered = (number: string, day: string, price: string) => [
    `BCH*04*DS*80001**${number}*20261126*****202611${day}`,
    `POC*1*PC*2*0*EA*${price}`,
  ];
  const set = (control: string, segments: string[]) => [
    `ST*860*${control}`,
    ...segments,
    `SE*${segments.length + 2}*${control}`,
  ];
  const before850 = sampleFile({
    sets: [
      set("0001", numbered("12", "28", "11.00")),
      set("0002", numbered("9", "27", "12.00")),
      ["GE*2*5", "GS*PO*RETAILER*SUPPLIER*20261126*0915*6*X*004060"],
      sampleOrder(1),
    ],
    group: "GS*PC*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
    groupEnd: "GE*1*6",
    end: "IEA*2*000000017",
  });
  const { documents } = await desk.add(before850);
  expect(documents.map(({ result }) => result)).toEqual(["waiting", "waiting", "added"]);
  const price = async () =>
    (await desk.open())[0]?.waiting?.differences.map((each) => [each.what, each.now, each.new]) ?? null;
  expect(await price()).toEqual([["Unit cost of line 1", "12.50", "11.00"]]);
  const choose = async (choice: "use_new" | "keep") =>
    expect((await decide(desk.browser, (await desk.open())[0]?.id ?? "", choice)).status).toBe(200);
  const add = async (...change: Parameters<typeof numbered>) =>
    (await desk.add(changeFile(...numbered(...change)))).documents[0];
  const older = (said: string, what = "change") => ({
    result: "refused",
    problems: [
      `This ${what} of PO # 80001 (${said}) is older than one that came in before it (number 12 of 2026-11-28), so it isn't used. Ask the retailer whether it counts.`,
    ],
  });
  // Before a user answers, and after.
  for (const end of [() => choose("use_new"), () => Promise.resolve()]) {
    expect(await add("9", "27", "12.00")).toMatchObject(older("number 9 of 2026-11-27"));
    await end();
  }
  expect(await add("", "27", "12.00")).toMatchObject(older("of 2026-11-27"));
  expect((await desk.add(changeFile("BCH*01*DS*80001**11*20261126"))).documents).toMatchObject([
    older("number 11", "cancellation"),
  ]);
  expect(await price()).toBeNull();
  // The same one again changes nothing. A lower number of a later day isn't surely older.
  expect(await add("12", "28", "11.00")).toMatchObject({ result: "same" });
  expect(await add("3", "29", "10.00")).toMatchObject({ result: "waiting" });
  await choose("keep");
  expect(await add("2", "29", "9.00")).toMatchObject({ result: "refused" });
  // One that can't be is not the newest.
  const wrong = await desk.add(changeFile(numbered("8", "30", "9.00")[0] ?? "", "POC*1*QD*0*0*EA*9.00"));
  expect(wrong.documents).toMatchObject([{ result: "refused" }]);
  expect(await add("4", "29", "9.00")).toMatchObject({ result: "waiting" });
  expect(await price()).toEqual([["Unit cost of line 1", "11.00", "9.00"]]);
});

test("OI-05 OI-08 our 997 rejects changes of an order that isn't here and changes that are older, and accepts those that wait", async () => {
  const desk = await openShippingDesk({ worker: false });
  const changes = (at: number, ...lines: string[]) => [
    `ST*860*000${at}`,
    ...lines,
    `SE*${lines.length + 2}*000${at}`,
  ];
  const { documents } = await desk.add(
    sampleFile({
      sets: [
        sampleOrder(1),
        ["GE*1*5", "GS*PC*RETAILER*SUPPLIER*20261126*0915*5*X*004060"],
        changes(2, "BCH*04*DS*80009***20261126", "POC*1*QD*1*0*EA*12.50"),
        changes(3, "BCH*01*DS*80009***20261126"),
        changes(4, "BCH*04*DS*80001**7*20261126*****20261128", "POC*1*QD*1*0*EA*12.50"),
        changes(5, "BCH*04*DS*80001**7*20261126*****20261128", "POC*1*QI*2*0*EA*12.50"),
      ],
      groupEnd: "GE*4*5",
      end: "IEA*2*000000017",
    }),
  );
  expect(documents.map(({ result }) => result)).toEqual(["added", "refused", "refused", "waiting", "same"]);
  const older = changeFile("BCH*01*DS*80001**6*20261126*****20261127");
  expect((await desk.add(older)).documents).toMatchObject([{ result: "refused" }]);
  const stored = desk.app.db
    .selectFrom("order_document" as never)
    .select("reply" as never)
    .orderBy("received_at" as never);
  const replies = (await stored.execute()) as { reply: Buffer }[];
  const answers = replies.flatMap(({ reply }) => reply.toString().split("ST*997*").slice(1));
  expect(answers.map((answer) => answer.match(/AK[1259]\*[^~]*/g)?.join(" "))).toEqual([
    "AK1*PO*5 AK2*850*0001 AK5*A AK9*A*1*1*1",
    "AK1*PC*5 AK2*860*0002 AK5*R*5 AK2*860*0003 AK5*R*5 AK2*860*0004 AK5*A AK2*860*0005 AK5*A AK9*P*4*4*2",
    "AK1*PC*5 AK2*860*0001 AK5*R*5 AK9*R*1*1*0",
  ]);
});

test("OI-08 a cancellation ends the question about a change that came in before it, whatever the order's state", async () => {
  const desk = await openShippingDesk({ worker: "labels" });
  await desk.addSamples(1, 2, 3);
  const ids = Object.fromEntries((await desk.open()).map(({ id, po_number: po }) => [po, id]));
  expect((await desk.ship("80002")).status).toBe(200);
  expect(
    (await desk.browser.call(cancelOrder, { query: { customer: "retailer", po_number: "80003" } })).status,
  ).toBe(200);
  const cancelled = { 80001: "cancelled", 80002: "void_first", 80003: "same" };
  for (const [po, result] of Object.entries(cancelled)) {
    const changes = [
      await desk.add(changeFile(`BCH*04*DS*${po}***20261126`, "POC*1*QD*1*0*EA*12.50")),
      await desk.add(changeFile(`BCH*01*DS*${po}***20261126`)),
    ];
    expect(changes.map(({ documents }) => documents[0]?.result)).toEqual(["waiting", result]);
    const decided = await decide(desk.browser, ids[po] ?? "", "use_new");
    expect([decided.status, (decided.json() as { code: string }).code]).toEqual([409, "nothing_waits"]);
  }
  expect(await desk.open()).toEqual([]);
});

/** A sample order with more pieces of its first line. */
const replaced = (number: number) =>
  changed(number, "PO1*1*2*", "PO1*1*4*").map((segment) => segment.replace("CTT*2*12", "CTT*2*14"));

test("OI-04 OI-08 an order that replaces a canceled one waits, also if it stands behind the cancellation in one file, or the cancellation comes again", async () => {
  const desk = await openShippingDesk({ worker: false });
  await desk.addSamples(1, 2, 3);
  const cancellation = (po: number, number = "") =>
    number ? `BCH*01*DS*8000${po}**${number}*20261126*****20261128` : `BCH*01*DS*8000${po}***20261126`;
  // Nothing of the fourth is here before.
  const both = sampleFile({
    sets: [
      ...[1, 4].map((po, at) => [`ST*860*000${at + 1}`, cancellation(po, "1"), `SE*3*000${at + 1}`]),
      ["GE*2*5", "GS*PO*RETAILER*SUPPLIER*20261126*0915*6*X*004060"],
      replaced(1),
      sampleOrder(4),
    ],
    group: "GS*PC*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
    groupEnd: "GE*2*6",
    end: "IEA*2*000000017",
  });
  const results = async (file: string) => (await desk.add(file)).documents.map(({ result }) => result);
  expect(await results(both)).toEqual(["cancelled", "cancelled", "waiting", "added"]);
  const again = { 2: "1", 3: "" };
  for (const [po, number] of Object.entries(again)) {
    const file = changeFile(cancellation(Number(po), number));
    expect(await results(file)).toEqual(["cancelled"]);
    expect(await results(file)).toEqual(["same"]);
    expect(await results(sampleFile({ sets: [replaced(Number(po))] }))).toEqual(["waiting"]);
    expect(await results(file)).toEqual(["waiting"]);
  }
  const ids = Object.fromEntries((await desk.orders()).cancelled.map(({ id, po_number: po }) => [po, id]));
  for (const po of ["80001", "80002", "80003"])
    expect((await decide(desk.browser, ids[po] ?? "", "use_new")).status).toBe(200);
  // A newer one is about what replaced it, too.
  expect(await results(sampleFile({ sets: [sampleOrder(2)] }))).toEqual(["waiting"]);
  expect(await results(changeFile(cancellation(2, "2")))).toEqual(["cancelled"]);
  expect((await desk.open()).map(({ po_number: po, waiting }) => [po, waiting])).toEqual([
    ["80001", null],
    ["80003", null],
  ]);
});

test("OI-04 OI-08 a change of an order's heading alone waits for a user, and one without a known fact says so", async () => {
  const desk = await openShippingDesk({ worker: false });
  await desk.addSamples(1);
  const heading = [
    "BCH*04*DS*80001***20261126",
    "REF*DP*26",
    "DTM*001*20261211",
    "N1*ST*Jane Doe",
    "N3*14 Main Street",
    "N4*Reno*NV*89501*US",
  ];
  expect((await desk.add(changeFile(...heading))).documents).toMatchObject([
    { po_number: "80001", result: "waiting" },
  ]);
  const [order] = await desk.open();
  expect(order?.waiting?.differences.map(({ what, new: next }) => [what, next])).toEqual([
    ["Cancel after", "2026-12-11"],
    ["Address", "14 Main Street"],
    ["City", "Reno, NV 89501 US"],
    ["References", expect.stringContaining("DP 26") as unknown],
  ]);
  expect((await decide(desk.browser, order?.id ?? "", "use_new")).status).toBe(200);
  expect((await desk.open())[0]).toMatchObject({ place: "Reno, NV 89501", waiting: null });
  expect((await desk.add(changeFile(...heading))).documents).toMatchObject([{ result: "same" }]);
  const nothing = await desk.add(changeFile("BCH*04*DS*80001***20261126", "N9*ZZ*NOTE", "MSG*Call us"));
  expect(nothing.documents).toMatchObject([
    {
      po_number: "80001",
      result: "refused",
      problems: [
        "This change of PO # 80001 has no line, address, date, or other fact that we keep. Ask the retailer what it changes.",
      ],
    },
  ]);
});

test("OI-08 UO-15 a change or cancellation of an order that isn't here is refused, and so is a change to an order that can't be", async () => {
  const desk = await openShippingDesk({ worker: false });
  await desk.addSamples(1);
  const changes = (...segments: string[]) =>
    desk.add(
      sampleFile({
        sets: [["ST*860*0001", ...segments, `SE*${segments.length + 2}*0001`]],
        group: "GS*PC*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
      }),
    );
  const unknown =
    "There is no order with the PO number 80009 here. If it comes in later, add this file again after it.";
  expect([
    (await changes("BCH*01*DS*80009***20261126")).documents,
    (await changes("BCH*04*DS*80009***20261126", "POC*1*QD*1*0*EA*12.50**SK*1001234")).documents,
    (await changes("BCH*04*DS*80001***20261126", "POC*1*QD*0*0*EA*12.50**SK*1001234*VN*F-77")).documents,
  ]).toMatchObject([
    [{ po_number: "80009", result: "refused", problems: [unknown] }],
    [{ po_number: "80009", result: "refused", problems: [unknown] }],
    [
      {
        po_number: "80001",
        result: "refused",
        problems: ['The quantity of line 1 is "0". A quantity is a number above 0.'],
      },
    ],
  ]);
  expect((await desk.open())[0]).toMatchObject({ po_number: "80001", waiting: null });
});

test("CR-04 DL-05 AP-22 DL-07 a packing slip shows the order without prices, and only its own company can get it", async () => {
  const desk = await openShippingDesk({ worker: false });
  await desk.addSamples(1, 2, 3);
  const [order] = await desk.open();
  const params = { filename: order?.packing_slip_file ?? "" };
  const slip = await desk.browser.call(downloadPackingSlip, { params });
  expect([slip.status, slip.headers.get("content-type"), slip.headers.get("content-disposition")]).toEqual([
    200,
    "application/pdf",
    "attachment; filename=\"packing-slip.pdf\"; filename*=UTF-8''80001-packing-slip.pdf",
  ]);
  expect((await desk.browser.call(downloadPackingSlip, { params })).text).toBe(slip.text);
  for (const filename of ["80009-packing-slip.pdf", "..%2F..%2Fetc%2Fpasswd", "80001-packing-slip.PDF"])
    expect((await desk.browser.call(downloadPackingSlip, { params: { filename } })).status).toBe(404);
});

test("CR-30 a corrected address becomes the order's, and the order as received still counts as the same one", async () => {
  const desk = await openShippingDesk({ worker: false });
  await desk.addSamples(1);
  const [order] = await desk.open();
  const ship_to = { ...order?.ship_to, lines: ["14 Main Street"], zip: "89501" };
  const correct = (json: object) =>
    desk.browser.call(correctAddress, { json: { order_id: order?.id, ...json } });
  expect((await correct({ ship_to: { ...ship_to, zip: "895" } })).json()).toMatchObject({
    detail: 'The ship-to ZIP code is "895". A ZIP code has 5 or 9 digits.',
  });
  expect((await correct({ ship_to })).status).toBe(200);
  expect((await desk.open())[0]).toMatchObject({ place: "Reno, NV 89501" });
  expect((await desk.addSamples(1)).documents).toMatchObject([{ result: "same" }]);
  expect((await desk.browser.call(listOpenOrders)).json()).toMatchObject({
    blocked: null,
    account_ending: "2B3C",
  });
});
