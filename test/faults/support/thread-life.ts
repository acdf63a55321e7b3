import { expect } from "vitest";
import type * as contract from "#features/order-invoices/contract.ts";
import {
  downloadNotices,
  listNotices,
  sendInvoiceAgain,
  type Notice,
} from "#features/orders/notices-out/contract.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import {
  answerShipment,
  cancelLines,
  createShipment,
  voidShipment,
  type MadeLabels,
} from "#features/shipping/contract.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { createRandom, type Random } from "../../corpus/random.ts";
import { makeRandomOrder } from "../../corpus/random-order.ts";
import { decide } from "../../support/orders.ts";
import { backUpApp } from "../../support/older-backup.ts";
import { startDyingProcess } from "../../support/dying-process.ts";
import type { Reply } from "../../support/browser.ts";
import { ACME } from "../../support/intuit.ts";
import { SHORT_WRITE_WAITS } from "../../support/run-product.ts";
import { CARTON, linkUps } from "../../support/shipping.ts";
import { confirmPrices, matchAll, openThreadDesk, type ThreadDesk } from "../../support/thread.ts";

type Pieces = { line: string; quantity: string };
export type Line = { line: string; quantity: string; price: string };
/** A carton as it was packed, and the number on its label. */
export type Carton = { contents: Pieces[]; number: string };
type Shipped = { id: string; shipment: string; cartons: Carton[]; isVoided: boolean };

/** An order as the retailer and the people in the warehouse know it, whatever the product does. */
export type Life = {
  po: string;
  id: string;
  segments: string[];
  lines: Line[];
  shipped: Shipped[];
  cancelled: Pieces[];
};

/** A desk whose orders go through their days; files that left for the retailer are kept. */
export type World = {
  desk: ThreadDesk;
  random: Random;
  lives: Life[];
  files: Buffer[];
  /** Control numbers of documents that the retailer refuses. */
  refused: Set<number>;
  asked: number;
};

/** Answers of UPS that get lost, or never come. */
const UPS_FAULTS = [
  { fault: "drop_after" },
  { fault: "server_error_after" },
  { fault: "html_page_after", status: 502 },
  { fault: "half_body" },
  { fault: "drop" },
] as const;

const poSet = (segments: readonly string[], set = "850", group = "PO"): string =>
  sampleFile({
    sets: [[`ST*${set}*0001`, ...segments, `SE*${segments.length + 2}*0001`]],
    group: `GS*${group}*RETAILER*SUPPLIER*20261126*0915*5*X*004060`,
  });

/** Waits of writes and purchases in doubt, in milliseconds. */
const WAITS = { ...SHORT_WRITE_WAITS, SHIP_WAITS_MS: "150,400,800", INTUIT_WRITE_TIMEOUT_MS: "2000" };

/** Opens a desk with some random orders, whose names are matched. */
export async function openWorld(seed: number, orders: number): Promise<World> {
  const desk = await openThreadDesk({ env: WAITS });
  // A scan would let a ship notice leave before the day ends.
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  const random = createRandom(seed);
  const lives: Life[] = [];
  for (let at = 0; at < orders; at += 1) {
    const { poNumber, segments } = makeRandomOrder(random, retailer, seed * 1_000 + at);
    const lines = segments.flatMap((segment) => {
      const [name, line = "", quantity = "", , price = ""] = segment.split("*");
      return name === "PO1" ? [{ line, quantity, price }] : [];
    });
    await desk.add(poSet(segments), `${poNumber}.edi`);
    lives.push({ po: poNumber, id: "", segments, lines, shipped: [], cancelled: [] });
  }
  const world = { desk, random, lives, files: [], refused: new Set<number>(), asked: 0 };
  await findIds(world);
  return world;
}

async function findIds({ desk, lives }: World): Promise<void> {
  for (const order of await desk.open()) {
    const life = lives.find(({ po }) => po === order.po_number);
    if (life) life.id = order.id;
  }
}

const findOpen = async ({ desk }: World, { po }: Life) =>
  (await desk.open()).find((order) => order.po_number === po);

const listLive = ({ shipped }: Life): Shipped[] => shipped.filter(({ isVoided }) => !isVoided);

/** Some of what is open, in whole pieces where there are such. */
async function takeSome(world: World, life: Life, { isAll }: { isAll: boolean }): Promise<Pieces[]> {
  const order = await findOpen(world, life);
  return (order?.lines ?? []).flatMap(({ line, open }) => {
    if (Number(open) === 0) return [];
    if (isAll || !/^\d+$/.test(open))
      return isAll || world.random.chance(0.5) ? [{ line, quantity: open }] : [];
    const quantity = world.random.upTo(Number(open));
    return quantity === 0 ? [] : [{ line, quantity: String(quantity) }];
  });
}

function fillCartons(random: Random, pieces: readonly Pieces[]): Pieces[][] {
  const cartons = Array.from({ length: 1 + random.upTo(3) }, () => new Map<string, number>());
  for (const { line, quantity } of pieces)
    for (let left = Number(quantity); left > 0;) {
      const some = Number.isInteger(left) ? 1 + random.upTo(left - 1) : left;
      const carton = random.pick(cartons);
      carton.set(line, (carton.get(line) ?? 0) + some);
      left -= some;
    }
  return cartons.flatMap((carton) =>
    carton.size === 0 ? [] : [[...carton].map(([line, quantity]) => ({ line, quantity: String(quantity) }))],
  );
}

const findLabels = async ({ desk }: World, { po, id }: Life): Promise<MadeLabels[]> =>
  (await desk.history({ q: po, limit: "200" })).labels.filter((labels) => labels.order_id === id);

/** Packs pieces, and clicks until they have labels, like a user who answers questions and sees errors. */
export async function ship(world: World, life: Life, packed: readonly Pieces[][]): Promise<void> {
  const { desk, random } = world;
  const known = new Set((await findLabels(world, life)).map(({ id }) => id));
  if (random.chance(0.4))
    await desk.app.ups.control("faults", { operation: "ship", times: 1, ...random.pick(UPS_FAULTS) });
  const cartons = packed.map((contents) => ({ ...CARTON, contents }));
  const number = (await findOpen(world, life))?.next_shipment;
  const json = { po_number: life.po, cartons, key: crypto.randomUUID(), shipment_number: number };
  let said = "";
  for (let click = 0; click < 6; click += 1) {
    const reply = await desk.browser.call(createShipment, {
      json: click < 3 ? json : { ...json, key: crypto.randomUUID() },
    });
    said = reply.status === 200 ? "" : reply.text;
    // A renewed login that a process took with it is lost for good: a user connects the account again.
    if (said.includes("ups_not_connected")) await linkUps(desk.app, desk.browser);
    const labels = await untilSettled(world, life);
    if (labels?.state === "asked") {
      world.asked += 1;
      const answer = { id: labels.id, answer: "create_again" as const };
      const answered = await desk.browser.call(answerShipment, { json: answer });
      expect(answered.status, answered.text).toBeLessThan(300);
      await untilSettled(world, life);
    }
    const made = (await findLabels(world, life)).find(({ id }) => !known.has(id));
    if (!made) continue;
    await desk.app.ups.control("faults", undefined, "DELETE");
    life.shipped.push({
      id: made.id,
      shipment: made.shipment,
      isVoided: false,
      cartons: packed.map((contents, at) => ({
        contents: [...contents],
        number: made.tracking_numbers[at] ?? "",
      })),
    });
    return;
  }
  throw new Error(`PO # ${life.po} got no labels. ${said}`);
}

async function untilSettled(world: World, life: Life) {
  for (let time = 0; ; time += 1) {
    expect(time, `PO # ${life.po}`).toBeLessThan(100);
    await world.desk.app.settle();
    const labels = (await findOpen(world, life))?.labels;
    if (!["making", "checking"].includes(labels?.state ?? "")) return labels;
  }
}

export async function shipSome(world: World, life: Life, isAll = false): Promise<void> {
  const pieces = await takeSome(world, life, { isAll });
  if (pieces.length > 0) await ship(world, life, fillCartons(world.random, pieces));
}

export async function cancelSome(world: World, life: Life, isAll = false): Promise<void> {
  const lines = await takeSome(world, life, { isAll });
  if (lines.length === 0) return;
  const json = { order_id: life.id, lines, cancel_reason: "out_of_stock" };
  const reply = await world.desk.browser.call(cancelLines, { json });
  if (reply.status === 200) life.cancelled.push(...lines);
}

/** The retailer orders more or less of a line in an 860, which a user accepts if that is still possible. */
async function change(world: World, life: Life): Promise<void> {
  const { desk, random } = world;
  const order = await findOpen(world, life);
  const line =
    order && random.pick(life.lines.filter((ordered) => /^\d+$/.test(ordered.quantity)).concat(life.lines));
  const open = Number(order?.lines.find((current) => current.line === line?.line)?.open ?? 0);
  if (!line || open < 2 || !/^\d+$/.test(line.quantity)) return;
  const quantity = String(Number(line.quantity) - open + 1 + random.upTo(open + 3));
  const segments = [
    `BCH*04*DS*${life.po}**1*20261201*****20261202`,
    `POC*${line.line}*CA*${quantity}**EA*${line.price}`,
    "CTT*1",
  ];
  const { documents } = await desk.add(poSet(segments, "860", "PC"), `860-${life.po}.edi`);
  if (documents[0]?.result !== "waiting") return;
  if ((await decide(desk.browser, life.id, "use_new")).status === 200) line.quantity = quantity;
}

/** Voids labels whose ship notice has not left. */
async function voidSome(world: World, life: Life): Promise<void> {
  const { desk, random } = world;
  const waiting = (await findLabels(world, life)).filter(
    ({ state, is_notified, notice }) => state === "live" && !is_notified && notice?.state === "pending",
  );
  if (waiting.length === 0) return;
  const { shipment } = random.pick(waiting);
  if (random.chance(0.3))
    await desk.app.ups.control("faults", { operation: "void", times: 1, fault: "drop_after" });
  const query = { po_number: life.po, shipment };
  await desk.browser.call(voidShipment, { query });
  await desk.app.settle(600_000);
  await desk.app.ups.control("faults", undefined, "DELETE");
  const voided = (await findLabels(world, life)).some(
    (labels) => labels.shipment === shipment && labels.state === "voided",
  );
  for (const packed of life.shipped) if (packed.shipment === shipment) packed.isVoided = voided;
}

const EVENTS: readonly ((world: World, life: Life) => Promise<void>)[] = [
  (world, life) => shipSome(world, life),
  (world, life) => shipSome(world, life, true),
  (world, life) => cancelSome(world, life),
  change,
  voidSome,
];

/** A day: something happens to some orders, at its end notices leave, and invoices are posted with answers that get lost. */
export async function passDay(world: World): Promise<void> {
  for (const life of world.lives) if (world.random.chance(0.6)) await world.random.pick(EVENTS)(world, life);
  await passNight(world);
}

/** The same while a second worker dies at some statement, again and again. */
export async function passDayWithDeaths(world: World): Promise<void> {
  for (const life of world.lives) {
    if (!world.random.chance(0.6)) continue;
    await startDyingProcess(world.desk.app, { dies: 5 + world.random.upTo(60) });
    await world.random.pick(EVENTS)(world, life);
  }
  await startDyingProcess(world.desk.app, { dies: 5 + world.random.upTo(120) });
  await passNight(world);
}

export async function passNight(world: World): Promise<void> {
  await leave(world);
  await answer(world);
  await post(world);
  await leave(world);
  await answer(world);
}

const listAll = async ({ desk }: World, show: "all" | "due"): Promise<Notice[]> =>
  ((await desk.browser.call(listNotices, { query: { show, limit: "200" } })).json() as { notices: Notice[] })
    .notices;

/** Notices leave after the day's cutoff; each file is taken twice, since a browser may lose one. */
export async function leave(world: World): Promise<void> {
  const { desk } = world;
  desk.app.clock.advance(24 * 3_600_000);
  await desk.app.settle(0);
  await desk.browser.signIn("owner@acme.example");
  const ids = (await listAll(world, "due")).map(({ id }) => id);
  if (ids.length === 0) return;
  const files = [];
  for (const _time of [1, 2])
    files.push(Buffer.from(await desk.browser.download(downloadNotices, { json: { ids } })));
  expect(files[1]).toEqual(files[0]);
  world.files.push(...files.slice(0, 1));
}

/** The retailer's 997s: it refuses a tenth of the invoices once, which are sent again. */
export async function answer(world: World): Promise<void> {
  const { desk, random, refused } = world;
  for (const notice of await listAll(world, "all")) {
    const { control_number: number, state, kind, id } = notice;
    if (number === null || !["sent", "overdue"].includes(state)) continue;
    if (kind === "invoice" && !refused.has(number) && random.chance(0.1)) refused.add(number);
    const [group, set] = kind === "invoice" ? ["IN", "810"] : ["SH", "856"];
    const isTaken = !refused.has(number);
    const body = [`AK1*${group}*${number}`, `AK2*${set}*0001`];
    const end = isTaken ? ["AK5*A", "AK9*A*1*1*1"] : ["AK5*R*5", "AK9*R*1*1*0"];
    await desk.add(poSet([...body, ...end], "997", "FA"), `997-${number}.edi`);
    if (!isTaken) {
      const again = await desk.browser.call(sendInvoiceAgain, { json: { id } });
      expect(again.status, again.text).toBe(200);
    }
  }
}

/**
 * Clicks until the answer is yes, like a user: one who reads that QuickBooks must be connected again connects it (a renewed login
 * that a process took with it is lost for good), and one who reads that it doesn't answer tries later.
 */
async function click({ desk }: World, call: () => Promise<Reply>): Promise<Reply> {
  for (let time = 0; ; time += 1) {
    const reply = await call();
    if (reply.status === 200) return reply;
    expect(time, reply.text).toBeLessThan(10);
    if (/Reconnect this company to QuickBooks/.test(reply.text))
      await desk.browser.connect("owner@acme.example", ACME);
    else {
      expect(reply.status, reply.text).toBe(503);
      await desk.app.settle(60_000);
    }
  }
}

/** Answers every question, and posts all that is ready while QuickBooks' answers get lost. */
export async function post(world: World): Promise<void> {
  const { desk, random, lives } = world;
  await matchAll(desk);
  await desk.app.intuit.control("faults", [
    { fault: "committed_answer_lost", probability: 0.2, seed: random.upTo(9_999), match: { method: "POST" } },
    { fault: "committed_500", probability: 0.1, seed: random.upTo(9_999), match: { method: "POST" } },
    { fault: "reset", probability: 0.1, seed: random.upTo(9_999), match: { method: "POST" } },
  ]);
  const due = lives.filter((life) => listLive(life).length > 0);
  for (let time = 0; time < 3; time += 1) {
    for (const { id } of due) {
      await confirmPrices(desk, id);
      await nameTheirs(world, id);
    }
    if (due.length > 0) await click(world, () => desk.post(...due.map(({ id }) => id)));
    await desk.app.settle(15_000);
    // The last time nothing is lost any more.
    if (time === 1) await desk.app.intuit.control("faults", undefined, "DELETE");
  }
  for (let minute = 0; (await desk.list()).posting > 0; minute += 1) {
    expect(minute).toBeLessThan(60);
    await desk.app.settle(60_000);
  }
}

/** An invoice in the books is this one if it has its tracking number and its total: the user sees both. */
async function nameTheirs(world: World, orderId: string): Promise<void> {
  const isIt = ({ theirs, total }: contract.OrderInvoice) =>
    theirs?.total === total && theirs.has_tracking_number;
  const findAsked = async () => (await world.desk.view(orderId)).invoices.find(({ theirs }) => theirs);
  for (let invoice = await findAsked(); invoice; invoice = await findAsked()) {
    const read = invoice;
    await click(world, () => world.desk.say(read, isIt(read) ? "link" : "other"));
  }
}

/** Ships or cancels what is left, until every invoice is posted and every document accepted. */
export async function finish(world: World): Promise<void> {
  for (const life of world.lives)
    await (world.random.chance(0.8) ? shipSome(world, life, true) : cancelSome(world, life, true));
  for (let night = 0; night < 4; night += 1) await passNight(world);
}

/** Takes a backup now. @returns puts it back, and does again what people did since then */
export async function backUp(world: World): Promise<() => Promise<void>> {
  const before = structuredClone(world.lives);
  const putBack = await backUpApp(world.desk.app);
  return async () => {
    await putBack();
    await world.desk.browser.signIn("owner@acme.example");
    // UPS and Intuit have renewed the logins since the backup, and accept old ones no more.
    await world.desk.browser.connect("owner@acme.example", ACME);
    await linkUps(world.desk.app, world.desk.browser);
    await world.desk.app.settle(600_000);
    for (const [at, life] of world.lives.entries()) {
      const then = before[at];
      if (then) await repeat(world, life, then);
    }
  };
}

/** The warehouse has packed and the buyer has canceled what the restored product doesn't know: they enter it again. */
async function repeat(world: World, life: Life, then: Life): Promise<void> {
  const { desk } = world;
  for (const { line, quantity, price } of life.lines) {
    if (then.lines.find((changed) => changed.line === line)?.quantity === quantity) continue;
    const segments = [
      `BCH*04*DS*${life.po}**1*20261201*****20261202`,
      `POC*${line}*CA*${quantity}**EA*${price}`,
      "CTT*1",
    ];
    await desk.add(poSet(segments, "860", "PC"), `860-again-${life.po}.edi`);
    const reply = await decide(desk.browser, life.id, "use_new");
    expect(reply.status, reply.text).toBe(200);
  }
  const fresh = listLive(life).filter(
    ({ shipment }) => !then.shipped.some((packed) => packed.shipment === shipment),
  );
  life.shipped = life.shipped.filter((packed) => !fresh.includes(packed));
  for (const { cartons, shipment } of fresh) {
    await ship(
      world,
      life,
      cartons.map(({ contents }) => contents),
    );
    expect(life.shipped.at(-1)?.shipment).toBe(shipment);
  }
  const lines = life.cancelled.slice(then.cancelled.length);
  if (lines.length === 0) return;
  const json = { order_id: life.id, lines, cancel_reason: "out_of_stock" };
  const reply = await desk.browser.call(cancelLines, { json });
  // They can't where pieces of a line are left that were voided after it was canceled: those are open again.
  if (reply.status === 400) life.cancelled = life.cancelled.slice(0, then.cancelled.length);
  else expect(reply.status, reply.text).toBe(200);
}
