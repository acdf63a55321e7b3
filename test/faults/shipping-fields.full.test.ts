import { expect, onTestFinished, test } from "vitest";
import type { ShippingFields } from "#features/books/index.ts";
import { updateFreight, type FreightUpdate } from "#features/books/shipping/update-freight.ts";
import type { ShippingDone } from "#features/books/shipping/update-shipping.ts";
import { ACME } from "#integrations/intuit/fixtures/open-books.ts";
import { openShipping, settle, writeMissing, type ShippingBooks } from "../support/settle-shipping.ts";
import { battery, printCounts, seededRandom } from "./support/battery.ts";

const run = battery({ short: 500, long: 2_000 });

type Json = Record<string, unknown>;
type Stored = Json & { Id: string; SyncToken: string };

/** Fields that tracking writes, and those that move with every change. */
const OURS = ["ShipDate", "ShipMethodRef", "TrackingNum", "SyncToken", "MetaData"];
/** All else of an invoice, byte for byte as the books have it. */
const rest = (invoice: Json) =>
  JSON.stringify(Object.fromEntries(Object.entries(invoice).filter(([name]) => !OURS.includes(name))));

const ACTIONS = ["nothing", "edited", "paid", "voided", "deleted"] as const;
type Action = (typeof ACTIONS)[number];
const WHEN = ["before", "during"] as const;

/** Failures of the vendor, none of which is worth reporting: each write must survive them. */
const FAULTS = [
  { fault: "committed_answer_lost", operation: "invoice.update", probability: 0.06 },
  { fault: "committed_500", operation: "invoice.update", probability: 0.03 },
  { fault: "half_body", operation: "invoice.update", probability: 0.03 },
  { fault: "500", operation: "invoice.update", probability: 0.03 },
  { fault: "reset", operation: "invoice.update", probability: 0.03 },
  { fault: "503", operation: "invoice.read", probability: 0.05 },
];

test(
  `${run.times} invoices of many shapes, changed by others before and during updates: only shipping fields change`,
  { timeout: run.timeout },
  async () => {
    const opened = await openShipping();
    onTestFinished(opened.close);
    const { intuit } = opened;
    const random = seededRandom(run.seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const books = driveBooks(opened);
    const shapes = createShapes(await books.lists(), { random, pick });
    const ids: string[] = [];
    for (let index = 0; index < run.times; index += 1) ids.push(await books.make(shapes.invoice()));
    const made = await books.readAll();
    const trials = ids.map((id) => {
      const before = made.get(id);
      if (!before) throw new Error("It was just made.");
      const fields = missingOn(before, shapes.fields());
      return { id, before, action: pick(ACTIONS), when: pick(WHEN), edit: shapes.edit(), fields };
    });
    for (const trial of trials.filter(({ when }) => when === "before")) await books.act(trial);
    const last: Map<string, Stored | null> = new Map(await books.readAll());
    await intuit.control(
      "POST",
      "/faults",
      FAULTS.map(({ operation, ...rule }, at) => ({ ...rule, match: { operation }, seed: run.seed + at })),
    );
    const writing = writeMissing(
      opened,
      trials.map(({ id, before, fields }) => ({ qboId: id, syncToken: before.SyncToken, fields })),
      6,
    );
    for (const trial of trials.filter(({ when }) => when === "during")) {
      await books.act(trial);
      last.set(trial.id, await books.read(trial.id));
    }
    const { outcomes, done } = await writing;
    await intuit.control("DELETE", "/faults");

    const counts = { done: 0, refused: 0, unresolved: 0 };
    const touched: string[] = [];
    const unexpected: object[] = [];
    const byPart = new Map(outcomes.map((outcome) => [outcome.part, outcome]));
    const after = await books.readAll();
    for (const [index, { id, before, action, when, edit, fields }] of trials.entries()) {
      const part = String(index);
      const { state, cause } = byPart.get(part) ?? { state: "unresolved", cause: null };
      counts[state as keyof typeof counts] += 1;
      const [left, now] = [last.get(id) ?? null, after.get(id) ?? null];
      if ((now && rest(now)) !== (left && rest(left))) touched.push(`${part} ${action} ${when}`);
      const isGone = action === "voided" || action === "deleted";
      // A void that came after the write leaves it done.
      const mayBe = isGone ? (when === "before" ? ["refused"] : ["refused", "done"]) : ["done"];
      const wanted = expectedFields(before, { edit: action === "edited" ? edit : {}, fields });
      const isRight = isGone || JSON.stringify(now && shippingOn(now)) === JSON.stringify(wanted);
      if (!mayBe.includes(state) || !isRight || (state === "done" && !done.has(part)))
        unexpected.push({ part, action, when, state, cause, now: now && shippingOn(now), wanted });
    }
    printCounts(run, "shipping-fields", { invoices: run.times, ...counts, touched: touched.length });
    expect(touched).toEqual([]);
    expect(unexpected).toEqual([]);
    expect(counts.unresolved).toBe(0);
    expect(counts.done).toBeGreaterThan(run.times / 2);
  },
);

/** All else of an invoice than its shipping amount, byte for byte as the books have it. */
const restOfFreight = (invoice: Json) => {
  const kept = Object.entries(invoice).filter(([name]) => !SUMS.includes(name));
  const lines = (invoice["Line"] as Json[]).filter(
    (line) => !isShipping(line) && line["DetailType"] !== "SubTotalLineDetail",
  );
  return JSON.stringify([Object.fromEntries(kept), lines]);
};
const SUMS = ["Line", "TotalAmt", "Balance", "SyncToken", "MetaData"];
const isShipping = (line: Json) => JSON.stringify(line).includes("SHIPPING_ITEM_ID");
const centsOn = (invoice: Json) =>
  (invoice["Line"] as Json[])
    .filter(isShipping)
    .reduce((sum, line) => sum + Math.round(Number(line["Amount"] ?? 0) * 100), 0);
const shippingLine = (cents: number) => ({
  DetailType: "SalesItemLineDetail",
  Amount: cents / 100,
  SalesItemLineDetail: { ItemRef: { value: "SHIPPING_ITEM_ID" } },
});

test(
  `TK-04 TK-05 ${run.times} invoices of many shapes, changed by others before and while freight is written: only the shipping amount changes, and only an amount that is ours`,
  { timeout: run.timeout },
  async () => {
    const opened = await openShipping();
    onTestFinished(opened.close);
    const { intuit } = opened;
    const random = seededRandom(run.seed + 1);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const books = driveBooks(opened);
    const shapes = createShapes(await books.lists(), { random, pick });
    const trials = [];
    for (let index = 0; index < run.times; index += 1) {
      // Ours of a label that was bought before; a void takes some of it, or all, from the invoice.
      const oursCents = pick([0, 0, 1_850]);
      const cents = oursCents === 0 ? pick([905, 1_850]) : pick([0, 905]);
      const own = oursCents === 0 ? [] : [shippingLine(oursCents)];
      const qboId = await books.make({ ...shapes.invoice(), Line: [...shapes.lines(), ...own] });
      const edit = {
        ...shapes.edit(),
        ...(random() < 0.2 && { Line: [...shapes.lines(), shippingLine(300)] }),
      };
      const body: FreightUpdate = { qboId, cents, oursCents, currency: "USD" };
      trials.push({ id: qboId, body, action: pick(ACTIONS), when: pick(WHEN), edit });
    }
    for (const trial of trials.filter(({ when }) => when === "before")) await books.act(trial);
    const last: Map<string, Stored | null> = new Map(await books.readAll());
    await intuit.control(
      "POST",
      "/faults",
      FAULTS.map(({ operation, ...rule }, at) => ({ ...rule, match: { operation }, seed: run.seed + at })),
    );
    const done = new Map<string, ShippingDone>();
    const writing = settle(opened, {
      bodies: trials.map(({ body }) => body),
      callsAlone: 6,
      vendorKey: () => null,
      operation: (loadBodies) => updateFreight(opened.books, { loadBodies, done }),
    });
    for (const trial of trials.filter(({ when }) => when === "during")) {
      await books.act(trial);
      last.set(trial.id, await books.read(trial.id));
    }
    const byPart = new Map((await writing).map((line) => [line.part, line]));
    await intuit.control("DELETE", "/faults");

    const counts = { done: 0, refused: 0, unresolved: 0 };
    const touched: string[] = [];
    const unexpected: object[] = [];
    const after = await books.readAll();
    for (const [index, { id, body, action, when }] of trials.entries()) {
      const { state, cause } = byPart.get(String(index)) ?? { state: "unresolved", cause: null };
      counts[state as keyof typeof counts] += 1;
      const left = last.get(id) ?? null;
      const now = action === "deleted" ? null : (after.get(id) ?? null);
      const has = { left: left && centsOn(left), now: now && centsOn(now) };
      if ((now && restOfFreight(now)) !== (left && restOfFreight(left)))
        touched.push(`${index} ${action} ${when}`);
      const isRight = isFreightRight({ body, action, when, state, ...has });
      if (!isRight) unexpected.push({ index, body, action, when, state, cause, ...has });
    }
    printCounts(run, "freight-fields", { invoices: run.times, ...counts, touched: touched.length });
    expect(touched).toEqual([]);
    expect(unexpected).toEqual([]);
    expect(counts.unresolved).toBe(0);
    expect(counts.done).toBeGreaterThan(run.times / 4);
    expect(counts.refused).toBeGreaterThan(run.times / 4);
  },
);

type FreightTrial = {
  body: FreightUpdate;
  action: Action;
  when: (typeof WHEN)[number];
  state: string;
  /** Cents after the others' change, and in the end. */
  left: number | null;
  now: number | null;
};

function isFreightRight({ body, action, when, state, left, now }: FreightTrial): boolean {
  const { cents, oursCents } = body;
  const isClosed = action === "paid" || action === "voided" || action === "deleted";
  if (state === "refused") {
    // A user's amount, or a closed invoice: in both nothing is changed.
    const mayRefuse = isClosed || (action === "edited" && left !== oursCents);
    return mayRefuse && now === left;
  }
  // If a change came after the write, the user's lines stay; after a change of the amount, or a closing, nothing is written.
  const isKept = when === "during" && action !== "nothing" && now === left;
  return state === "done" && (isKept || (!isClosed && left === oursCents && now === cents));
}

/** The company's books without the API, as another user edits them. */
function driveBooks({ intuit, books }: ShippingBooks) {
  const at = (path: string) => `/books/${ACME}/${path}`;
  const list = async (kind: string) => (await intuit.control("GET", at(kind))) as unknown as Stored[];
  const read = async (id: string): Promise<Stored | null> => {
    const found = (await intuit.control("GET", at(`invoice/${id}`)).catch(() => null)) as Stored | null;
    return found?.["status"] === "Deleted" ? null : found;
  };
  return {
    read,
    readAll: async () => new Map((await list("invoice")).map((line) => [line.Id, line])),
    make: async (body: Json) => ((await intuit.control("POST", at("invoice"), body)) as { Id: string }).Id,
    act: async ({ id, action, edit }: { id: string; action: Action; edit: Json }) => {
      if (action === "edited") await intuit.control("POST", at(`invoice/${id}`), edit);
      if (action === "paid") await intuit.control("POST", at(`invoice/${id}/pay`), {});
      if (action === "voided") await intuit.control("POST", at(`invoice/${id}/void`), {});
      if (action === "deleted") await intuit.control("POST", at(`invoice/${id}/delete`), {});
    },
    lists: async () => ({
      customers: (await books.customers()).data.filter(({ Active }) => Active).map(({ Id }) => Id),
      items: (await books.items()).data
        .filter(({ Active, Type }) => Active && Type === "Service")
        .map(({ Id }) => Id),
      terms: (await list("term")).map(({ Id }) => Id),
    }),
  };
}

type Lists = Awaited<ReturnType<ReturnType<typeof driveBooks>["lists"]>>;
type Chance = { random(): number; pick<T>(list: readonly T[]): T };

/** Invoices of every shape that a bookkeeper makes, and what others do to them. */
function createShapes({ customers, items, terms }: Lists, { random, pick }: Chance) {
  let numbers = 0;
  const some = (chance: number, body: Json): Json => (random() < chance ? body : {});
  const texts = [
    "",
    "plain",
    "two\nlines",
    "Zoë & Söhne <b>",
    "'; drop table",
    "a".repeat(900),
    " spaces  inside ",
  ];
  const ship = (chance: number): Json => ({
    ...some(chance, { ShipDate: pick(["2026-11-18", "2026-12-01"]) }),
    ...some(chance, { ShipMethodRef: { value: pick(["FedEx", "UPS", "own truck"]) } }),
    ...some(chance, { TrackingNum: pick(["1Z999AA10123456784", "see note", "7489 1122"]) }),
  });
  const line = () => {
    const [qty, cents] = [1 + Math.floor(random() * 9), Math.floor(random() * 100_000)];
    const price = cents / 100;
    return {
      DetailType: "SalesItemLineDetail",
      Amount: Math.round(cents * qty) / 100,
      ...some(0.6, { Description: pick(texts) }),
      SalesItemLineDetail: { ItemRef: { value: pick(items) }, Qty: qty, UnitPrice: price },
    };
  };
  const textLine = {
    DetailType: "DescriptionOnly",
    Description: "Deliver to the back door",
    DescriptionLineDetail: {},
  };
  const lines = () => [
    ...Array.from({ length: 1 + Math.floor(random() * 4) }, line),
    ...(random() < 0.2 ? [textLine] : []),
  ];
  const address = () => ({ Line1: "1 Main St", City: pick(["Sedona", "Flagstaff"]), PostalCode: "86336" });
  const other = (chance: number): Json => ({
    ...some(chance, { PrivateNote: pick(texts) }),
    ...some(chance, { CustomerMemo: { value: pick(texts) } }),
    ...some(chance, { DueDate: pick(["2026-12-20", "2027-01-31"]) }),
    ...some(chance, { SalesTermRef: { value: pick(terms) } }),
    ...some(chance, { BillEmail: { Address: "ap@buyer.example" } }),
    ...some(chance, { ShipAddr: address() }),
    ...some(chance, { BillAddr: address() }),
    ...some(chance, {
      CustomField: [{ DefinitionId: "1", Type: "StringType", StringValue: pick(["PO-1", "é"]) }],
    }),
  });
  return {
    lines,
    invoice: (): Json => ({
      CustomerRef: { value: pick(customers) },
      TxnDate: pick(["2026-11-01", "2026-11-19"]),
      DocNumber: `P-${++numbers}`,
      Line: lines(),
      ...other(0.4),
      ...ship(0.25),
    }),
    /** Never empty: an edit that changes nothing does not count. */
    edit: (): Json => ({
      PrivateNote: `edited ${++numbers}`,
      ...other(0.2),
      ...some(0.3, { Line: lines() }),
      ...ship(0.3),
    }),
    fields: (): ShippingFields => ({
      shipDate: "2026-11-20",
      shipVia: pick(["UPS Ground", "UPS Next Day Air"]),
      ...(random() < 0.5 ? { trackingNumber: "1Z12345E0205271688" } : {}),
    }),
  };
}

type Shipping = { shipDate: string; shipVia: string; trackingNumber: string };

const shippingOn = (invoice: Json): Shipping => {
  const method = invoice["ShipMethodRef"] as { value?: string; name?: string } | undefined;
  return {
    shipDate: String(invoice["ShipDate"] ?? ""),
    shipVia: method?.name ?? method?.value ?? "",
    trackingNumber: String(invoice["TrackingNum"] ?? ""),
  };
};

/** As tracking plans it: only what the invoice did not have when it was read. */
function missingOn(invoice: Json, fields: ShippingFields): ShippingFields {
  const there = shippingOn(invoice);
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => there[name as keyof ShippingFields] === ""),
  );
}

/** Other users' values are kept, whether they came before ours or after. */
function expectedFields(made: Json, { edit, fields }: { edit: Json; fields: ShippingFields }): Shipping {
  return { ...shippingOn(made), ...fields, ...nonEmpty(shippingOn(edit)) };
}

const nonEmpty = (fields: Shipping): Partial<Shipping> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
