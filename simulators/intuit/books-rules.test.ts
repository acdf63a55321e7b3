import fc from "fast-check";
import { expect, test } from "vitest";
import { KINDS } from "./books.ts";
import { checkProperties } from "./check-properties.ts";
import { ACME, BAY, MAPLE, openTestBooks } from "./test-kit.ts";

const { intuit, acme } = await openTestBooks();

type Stored = {
  Id: string;
  SyncToken: string;
  Balance: number;
  TotalAmt: number;
  CustomerRef: { value: string };
};
const listStored = async (kind: string) =>
  (await intuit.control("GET", `books/${ACME}/${kind}`)) as unknown as Stored[];
const cents = (amount: number) => Math.round(amount * 100);

const line = fc.record({ qty: fc.integer({ min: 1, max: 99 }), cents: fc.integer({ min: 1, max: 99_999 }) });
const step = fc.oneof(
  fc.record({
    kind: fc.constant("create" as const),
    customer: fc.integer({ min: 1, max: 5 }),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant("move" as const), pick: fc.nat(), customer: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constantFrom("pay" as const, "void" as const, "delete" as const), pick: fc.nat() }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function buildLines(lines: { qty: number; cents: number }[]) {
  return lines.map(({ qty, cents: unit }) => ({
    Amount: (qty * unit) / 100,
    DetailType: "SalesItemLineDetail",
    SalesItemLineDetail: { ItemRef: { value: "19" }, Qty: qty, UnitPrice: unit / 100 },
  }));
}

async function take(taken: Step): Promise<void> {
  if (taken.kind === "create") {
    const body = { CustomerRef: { value: String(taken.customer) }, Line: buildLines(taken.lines) };
    const { body: answer, status } = await acme.api("POST", "invoice", { body });
    expect(status).toBe(200);
    const total = taken.lines.reduce((sum, { qty, cents: unit }) => sum + qty * unit, 0);
    expect(cents(Number(answer["Invoice"]?.["TotalAmt"]))).toBe(total);
    return;
  }
  const all = await listStored("invoice");
  const action = all[taken.pick % all.length];
  if (!action) return;
  if (taken.kind === "pay") {
    await intuit.control("POST", `books/${ACME}/invoice/${action.Id}/pay`, { amount: 1.23 });
    return;
  }
  const { Id, SyncToken } = action;
  const path = taken.kind === "move" ? "invoice" : `invoice?operation=${taken.kind}`;
  const body = {
    Id,
    SyncToken,
    ...(taken.kind === "move" && { sparse: true, CustomerRef: { value: String(taken.customer) } }),
  };
  const { status, body: answer } = await acme.api("POST", path, { body });
  expect(status).toBe(200);
  if (taken.kind === "void") expect(answer["Invoice"]?.["SyncToken"]).toBe(String(Number(SyncToken) + 1));
}

test("after any changes to invoices, each customer's balance is the sum of their open invoices", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const next of steps) await take(next);
      const owed = new Map<string, number>();
      for (const { CustomerRef: ref, Balance: open } of await listStored("invoice")) {
        owed.set(ref.value, (owed.get(ref.value) ?? 0) + cents(open));
      }
      for (const { Id, Balance: balance } of await listStored("customer"))
        expect([Id, cents(balance)]).toEqual([Id, owed.get(Id) ?? 0]);
    }),
    { numRuns: 25 },
  );
});

test("every object the simulator shows has only known properties", async () => {
  for (const realmId of [ACME, BAY, MAPLE]) {
    for (const kind of KINDS) {
      const entities = (await intuit.control("GET", `books/${realmId}/${kind}`)) as unknown as Record<
        string,
        unknown
      >[];
      if (kind !== "Attachable") expect(entities.length).toBeGreaterThan(0);
      const { Id: _id, ...rest } = entities[0] ?? {};
      for (const entity of kind === "TaxCode" ? [rest] : entities)
        checkProperties(kind, entity, { latin1Only: true });
    }
  }
});
