import { expect, test } from "vitest";
import type { Invoice } from "#integrations/intuit/wire.ts";
import {
  matchEqual,
  matchNumbered,
  matchRenumbered,
  matchSimilar,
  matchUnnumbered,
} from "#features/books/rules-match.ts";
import type { InvoiceToMake } from "#features/books/rules.ts";
import type { Item } from "#platform/writes/operation.ts";

const SENT_AT = new Date("2026-11-02T09:00:00Z");
const minutesLater = (minutes: number) => new Date(SENT_AT.getTime() + minutes * 60_000).toISOString();
const conflict = (kind: "first" | "later") => ({
  code: "duplicate_number",
  params: {},
  tid: null,
  conflict: kind,
});

type Change = Partial<Item<InvoiceToMake>["write"]> & { note?: string };

const line = {
  DetailType: "SalesItemLineDetail" as const,
  Amount: 40,
  SalesItemLineDetail: { ItemRef: { value: "3" }, Qty: 2, UnitPrice: 20 },
};

function item({ note = "PO 1", ...change }: Change = {}): Item<InvoiceToMake> {
  const draft = {
    CustomerRef: { value: "1" },
    TxnDate: "2026-11-02",
    PrivateNote: note,
    Line: [line],
  };
  return {
    write: {
      part: "a",
      seq: 0,
      operation: "create",
      requestId: "r-1",
      fingerprint: note,
      vendorKey: "T-1",
      state: "sent",
      firstSentAt: SENT_AT,
      lastSentAt: SENT_AT,
      madeFrom: null,
      madeUntil: null,
      dueAt: null,
      rounds: 0,
      refusal: null,
      lastTid: null,
      ...change,
    },
    body: { draft, amountCents: 4_000 },
  };
}

const inBooks = (change: Partial<Invoice> = {}): Invoice => ({
  Id: "7",
  SyncToken: "0",
  DocNumber: "T-1",
  CustomerRef: { value: "1" },
  TxnDate: "2026-11-02",
  PrivateNote: "PO 1",
  TotalAmt: 40,
  Line: [line],
  MetaData: { CreateTime: minutesLater(1) },
  ...change,
});

test.each([
  { what: "nothing", free: [], kind: "absent" },
  { what: "its equal", free: [inBooks()], kind: "found" },
  { what: "its equal in all but its note", free: [inBooks({ PrivateNote: "PO 2" })], kind: "found" },
  { what: "one with other money", free: [inBooks({ TotalAmt: 41 })], kind: "similar" },
  { what: "two", free: [inBooks(), inBooks({ Id: "8" })], kind: "similar" },
  { what: "another customer's", free: [inBooks({ CustomerRef: { value: "2" } })], kind: "excluded" },
  {
    what: "one with another note that was made much later",
    free: [inBooks({ PrivateNote: "PO 2", MetaData: { CreateTime: minutesLater(60) } })],
    kind: "excluded",
  },
  {
    what: "its equal that was made much later, maybe by the holder of a copied ledger",
    free: [inBooks({ MetaData: { CreateTime: minutesLater(60) } })],
    kind: "found",
  },
  {
    what: "its equal that was made long before, maybe while our clock was ahead",
    free: [inBooks({ MetaData: { CreateTime: minutesLater(-60) } })],
    kind: "found",
  },
])("a numbered invoice in doubt whose number is on $what is $kind", ({ free, kind }) => {
  expect(matchNumbered(item(), free)).toMatchObject({ kind });
});

test.each([
  { what: "within the window", seconds: 30, kind: "found" },
  { what: "a second before it", seconds: -1, kind: "similar" },
  { what: "minutes after it", seconds: 600, kind: "similar" },
])(
  "where Intuit's clock is known, an invoice equal to a numbered one and made $what is $kind",
  ({ seconds, kind }) => {
    const window = { madeFrom: SENT_AT, madeUntil: new Date(SENT_AT.getTime() + 2_000) };
    const MetaData = { CreateTime: minutesLater(seconds / 60) };
    const free = [inBooks({ MetaData })];
    const found = matchNumbered(item({ ...window, firstSentAt: new Date(0), lastSentAt: new Date(0) }), free);
    expect(found).toMatchObject({ kind });
  },
);

test.each([
  { what: "its equal", free: inBooks(), kind: "found" },
  { what: "one with another note", free: inBooks({ PrivateNote: "PO 2" }), kind: "excluded" },
  {
    what: "its equal that was made long before",
    free: inBooks({ MetaData: { CreateTime: minutesLater(-60) } }),
    kind: "excluded",
  },
  { what: "one with other money", free: inBooks({ TotalAmt: 41 }), kind: "excluded" },
])("a numbered invoice whose first call found its number on $what is $kind", ({ free, kind }) => {
  expect(matchNumbered(item({ refusal: conflict("first") }), [free])).toMatchObject({ kind });
});

test("what is found keeps the version that QuickBooks gives a new invoice, since users may have edited it", () => {
  expect(matchNumbered(item(), [inBooks({ SyncToken: "3" })])).toMatchObject({
    kind: "found",
    answer: { facts: { qboSyncToken: "0" } },
  });
});

const NO_RIVALS = { own: [], foreign: [] };
const UNNUMBERED = { vendorKey: null, madeFrom: SENT_AT, madeUntil: SENT_AT };
test.each([
  { what: "as it was sent", seconds: 0, kind: "found" },
  { what: "at the longest end of a call's usual time", seconds: 10, kind: "found" },
  { what: "later", seconds: 11, kind: "similar" },
  { what: "at the longest end of Intuit's own limit", seconds: 180, kind: "similar" },
  { what: "after that", seconds: 181, kind: "absent" },
  { what: "before it was sent", seconds: -1, kind: "absent" },
])("an invoice equal to one without a number, made $what, is $kind", ({ seconds, kind }) => {
  const made = inBooks({ DocNumber: "9", MetaData: { CreateTime: minutesLater(seconds / 60) } });
  expect(matchUnnumbered([item(UNNUMBERED)], [made], NO_RIVALS).get("a")).toMatchObject({ kind });
  const unknown = item({ vendorKey: null });
  const later = inBooks({ DocNumber: "9", MetaData: { CreateTime: minutesLater(5 + seconds / 60) } });
  const isLate = seconds >= 0;
  expect(matchUnnumbered([unknown], [later], NO_RIVALS).get("a")).toMatchObject(isLate ? { kind } : {});
});

test.each([
  { what: "under another number since", change: { SyncToken: "1" }, seconds: 5, kind: "found" },
  { what: "later and edited", change: { SyncToken: "1" }, seconds: 60, kind: "similar" },
  { what: "with another number", change: { SyncToken: "0" }, seconds: 5, kind: "absent" },
  { what: "with other money", change: { SyncToken: "1", TotalAmt: 41 }, seconds: 5, kind: "absent" },
])(
  "a numbered invoice whose number is missing, with one like it $what, is $kind",
  ({ change, seconds, kind }) => {
    const MetaData = { CreateTime: minutesLater(seconds / 60) };
    const write = item({ madeFrom: SENT_AT, madeUntil: SENT_AT });
    expect(
      matchRenumbered(write, [inBooks({ DocNumber: "N-9", MetaData, ...change })], NO_RIVALS),
    ).toMatchObject({
      kind,
    });
  },
);

/** Equal invoices of a company whose numbers QuickBooks gives, each with a number of its own or without one. */
const numbered = (numbers: readonly (string | undefined)[], change: Change = {}) =>
  numbers.map((DocNumber, at) => {
    const { write, body } = item({ ...UNNUMBERED, ...change, part: String(at) });
    return { write, body: { ...body, draft: { ...body.draft, ...(DocNumber && { DocNumber }) } } };
  });
const toRival = ({ write, body }: Item<InvoiceToMake>) => ({ ...body, fingerprint: write.fingerprint });
const madeAs = (numbers: readonly string[]) =>
  numbers.map((DocNumber) =>
    inBooks({ Id: DocNumber, DocNumber, MetaData: { CreateTime: SENT_AT.toISOString() } }),
  );

test.each([
  { sent: ["77", "78", "79"], made: ["79", "77"], found: ["77", undefined, "79"] },
  { sent: [undefined, "78", "AUTO_GENERATE"], made: ["78", "5", "6"], found: ["5", "78", "6"] },
  { sent: ["77"], made: ["78"], found: [undefined] },
])("of equal invoices sent as $sent, $made are found as $found by their numbers", ({ sent, made, found }) => {
  const items = numbered(sent);
  const own = items.map(toRival);
  const idsIn = (matched: ReturnType<typeof matchEqual>) =>
    items.map(({ write }) => {
      const evidence = matched.get(write.part);
      return evidence?.kind === "found" ? evidence.answer.id : undefined;
    });
  const doubtful = matchUnnumbered(items, madeAs(made), { own, foreign: [] });
  expect(idsIn(doubtful)).toEqual(found);
  expect(idsIn(matchEqual(items, new Set(madeAs(made)), { foreign: [] }))).toEqual(found);
});

test("an equal invoice under another number than was given may be ours, renumbered since, unless another open write sent it", () => {
  const [first, second] = numbered(["77", "78"]);
  if (!first || !second) throw new Error("Two are made.");
  const match = (rivals: Parameters<typeof matchUnnumbered>[2]) =>
    matchUnnumbered([first], madeAs(["78"]), rivals).get("0")?.kind;
  expect(match({ own: [toRival(first)], foreign: [] })).toBe("similar");
  expect(match({ own: [toRival(first), toRival(second)], foreign: [] })).toBe("absent");
  expect(match({ own: [toRival(first)], foreign: [toRival(second)] })).toBe("absent");
  const contested = { own: [toRival(first)], foreign: [toRival(first)] };
  expect(matchUnnumbered([first], madeAs(["77"]), contested).get("0")?.kind).toBe("similar");
});

test("a planned invoice is not mistaken for one that equals a row on a later page", () => {
  const rivals = { own: [], foreign: [] };
  const planned = { vendorKey: null, state: "planned", firstSentAt: null, lastSentAt: null } as const;
  const first = item({ ...planned, note: "PO 1" });
  const later = item({ ...planned, note: "PO 2", part: "b" });
  const left = new Set([inBooks({ PrivateNote: "PO 2" })]);
  expect(matchEqual([first], left, rivals).size).toBe(0);
  expect(matchEqual([later], left, rivals).get("b")).toMatchObject({ kind: "found" });
  expect(matchSimilar([first], left, rivals).size).toBe(0);
});

test("a planned invoice is never sent if something similar to it was made", () => {
  const similar = item({ vendorKey: null, state: "planned", firstSentAt: null, lastSentAt: null });
  const matched = matchSimilar([similar], [inBooks({ PrivateNote: "PO 2" })], { own: [], foreign: [] });
  expect(matched.get("a")).toMatchObject({ kind: "similar" });
});

test.each([
  { state: "planned", vendorKey: "T-1", minutes: -60, kind: "found" },
  { state: "planned", vendorKey: null, minutes: 600, kind: "found" },
  { state: "sent", vendorKey: "T-1", minutes: 600, kind: "found" },
  { state: "sent", vendorKey: null, minutes: 600, kind: "found" },
  { state: "sent", vendorKey: "T-1", minutes: -60, kind: undefined },
  { state: "sent", vendorKey: null, minutes: -60, kind: undefined },
] as const)(
  "when a new holder starts, the equal of a $state invoice (number $vendorKey), made $minutes minutes after the first send, is $kind",
  ({ state, vendorKey, minutes, kind }) => {
    const times = state === "planned" ? { firstSentAt: null, lastSentAt: null } : {};
    const write = item({ state, vendorKey, ...times });
    const left = new Set([inBooks({ MetaData: { CreateTime: minutesLater(minutes) } })]);
    expect(matchEqual([write], left, NO_RIVALS).get("a")?.kind).toBe(kind);
  },
);

test("of two equal invoices, the sent one adopts the one made while its call was in progress", () => {
  const later = inBooks({ Id: "8", MetaData: { CreateTime: minutesLater(60) } });
  const matched = matchEqual([item()], new Set([later, inBooks()]), NO_RIVALS);
  expect(matched.get("a")).toMatchObject({ kind: "found", answer: { id: "7" } });
});

test.each(["planned", "sent"] as const)(
  "a null where QuickBooks has no memo and no custom field is not a difference to a %s invoice",
  (state) => {
    const times = state === "planned" ? { firstSentAt: null, lastSentAt: null } : {};
    const nothing = { CustomerMemo: null, CustomField: [{ DefinitionId: "1", StringValue: null }] };
    const left = new Set([inBooks({ ...nothing, DocNumber: "9" } as Partial<Invoice>)]);
    const matched = matchEqual([item({ state, vendorKey: null, ...times })], left, NO_RIVALS);
    expect(matched.get("a")).toMatchObject({ kind: "found", answer: { id: "7" } });
  },
);

/** Invoices of the books, and how often their day was read: once for each comparison at least. */
function countedBooks(count: number, change: (n: number) => Partial<Invoice>) {
  const counter = { reads: 0 };
  const invoices = Array.from({ length: count }, (_, n) => {
    const invoice = inBooks({ Id: String(n), DocNumber: undefined, ...change(n) });
    return Object.defineProperty(invoice, "TxnDate", {
      get: () => {
        counter.reads += 1;
        return "2026-11-02";
      },
    });
  });
  return { counter, invoices };
}

test.each([
  { what: "equal", note: () => "PO 1" },
  { what: "different", note: (n: number) => `PO ${n}` },
])("2,000 $what invoices without numbers are found with few comparisons of each", ({ note }) => {
  const items = Array.from({ length: 2_000 }, (_, n) => {
    const one = item({ note: note(n), vendorKey: null });
    return { ...one, write: { ...one.write, part: `part ${n}` } };
  });
  const rivals = {
    own: items.map(({ write, body }) => ({ ...body, fingerprint: write.fingerprint })),
    foreign: [],
  };
  const afterBackup = countedBooks(2_000, (n) => ({ PrivateNote: note(1_999 - n) }));
  const left = new Set(afterBackup.invoices);
  const found = matchEqual(items, left, rivals);
  expect([found.size, left.size]).toEqual([2_000, 0]);
  expect(afterBackup.counter.reads).toBeLessThan(20_000);
  const afterOutage = countedBooks(2_000, (n) => ({ PrivateNote: note(1_999 - n) }));
  const settled = [...matchUnnumbered(items, afterOutage.invoices, rivals).values()];
  expect(settled.filter(({ kind }) => kind === "found")).toHaveLength(2_000);
  expect(new Set(settled.map((each) => each.kind === "found" && each.answer.id)).size).toBe(2_000);
  expect(afterOutage.counter.reads).toBeLessThan(20_000);
});

test("an invoice whose description QuickBooks filled in is found among others of its day and amount", () => {
  const described = (text: string) => [{ ...line, Description: text }];
  const strangers = ["Bolt", "Nut"].map((text, n) =>
    inBooks({ Id: `8${n}`, DocNumber: undefined, Line: described(text), PrivateNote: "PO 2" }),
  );
  const own = inBooks({ DocNumber: undefined, Line: described("Widget, blue") });
  const [found] = matchEqual([item({ vendorKey: null })], new Set([...strangers, own]), {
    foreign: [],
  }).values();
  expect(found).toMatchObject({ kind: "found", answer: { id: "7" } });
});
