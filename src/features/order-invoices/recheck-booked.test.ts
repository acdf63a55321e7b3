import { expect, test } from "vitest";
import { ACME } from "../../../test/support/intuit.ts";
import { billUnscanned, openThreadDesk, prepareSample, refuseLate } from "../../../test/support/thread.ts";
import { hearOfChanges } from "../../../test/support/tracking.ts";

/** An order whose 810 has left, and the place of its invoice in the books. */
async function openSent() {
  const desk = await openThreadDesk();
  await hearOfChanges(desk.app);
  const orderId = await prepareSample(desk);
  await desk.post(orderId);
  await desk.app.settle(120_000);
  await desk.leave();
  const made = (await desk.app.intuit.invoices(ACME)).find(({ DocNumber: number }) => number === "80001");
  return { desk, orderId, inBooks: `books/${ACME}/invoice/${made?.Id}` };
}

type Edited = { Line: { Amount: number; SalesItemLineDetail: object }[] };
type Stored = { TxnDate: string; Line: { SalesItemLineDetail: { Qty: number; UnitPrice: number } }[] };

test("TD-16 TD-17 an invoice that is edited, restored or voided in QuickBooks after its 810 was sent changes its order in the list, which no one has opened", async () => {
  const { desk, orderId, inBooks } = await openSent();
  const { intuit, settle } = desk.app;
  const { Line: lines } = await intuit.control<Edited>(inBooks);
  const standing = async () => {
    await settle(300_000);
    const { threads, shares } = await desk.list();
    return [threads[0]?.standing, threads[0]?.words, threads[0]?.marks[4], shares.differs.orders];
  };
  const differs = ["differs", "Invoice changed", "differs", 1];
  expect((await standing())[0]).toBe("retailer");
  await intuit.control(inBooks, { DocNumber: "80001-B" });
  expect(await standing()).toEqual(differs);
  await intuit.control(inBooks, { DocNumber: "80001" });
  expect((await standing())[0]).toBe("retailer");
  const [first, ...others] = lines;
  const detail = { ...first?.SalesItemLineDetail, UnitPrice: 500 };
  await intuit.control(inBooks, {
    Line: [{ ...first, Amount: 1_000, SalesItemLineDetail: detail }, ...others],
  });
  expect(await standing()).toEqual(differs);
  await intuit.control(`${inBooks}/void`, {});
  await settle(300_000);
  // While QuickBooks can't be read, the order says what is known.
  await intuit.control("faults", { fault: "gateway", status: 503, match: { operation: "query" } });
  expect((await desk.view(orderId)).invoices.map(({ problem }) => problem)).toEqual([
    expect.stringMatching(/voided or deleted.*Restore it there/),
  ]);
});

test("TD-16 an edit in QuickBooks after the 810 that keeps number and total says which lines, dates and charges it changed, once for each edit", async () => {
  const { desk, orderId, inBooks } = await openSent();
  const { intuit, settle } = desk.app;
  const before = await intuit.control<Stored>(inBooks);
  const [first, ...others] = before.Line;
  if (!first) throw new Error("The invoice has no line.");
  const { Qty: quantity, UnitPrice: price } = first.SalesItemLineDetail;
  const bill = (pieces: number, each: number) => {
    const detail = { ...first.SalesItemLineDetail, Qty: pieces, UnitPrice: each };
    return { Line: [{ ...first, SalesItemLineDetail: detail }, ...others] };
  };
  const read = async () => {
    await settle(300_000);
    const { invoices } = await desk.view(orderId);
    return [(await desk.list()).threads[0]?.standing, invoices[0]?.problem];
  };
  const edits = [
    [bill(quantity * 2, price / 2), `line 1 from ${quantity} at .* to ${quantity * 2} at `],
    [bill(quantity * 4, price / 4), `line 1 from ${quantity} at .* to ${quantity * 4} at `],
    [{ Line: before.Line, TxnDate: "2026-11-30" }, "the date from .* to November 30, 2026"],
  ] as const;
  for (const [edit, change] of edits) {
    await intuit.control(inBooks, edit);
    expect(await read()).toEqual(["differs", expect.stringMatching(change)]);
    expect((await desk.say((await desk.view(orderId)).invoices[0], "handled")).status).toBe(200);
  }
  await intuit.control(inBooks, { TxnDate: before.TxnDate, PrivateNote: "Called them" });
  expect(await read()).toEqual(["retailer", ""]);
});

test("TD-16 TD-17 an invoice that was changed in QuickBooks after its 810 stops standing out once a user has handled it, until it is changed again", async () => {
  const { desk, orderId, inBooks } = await openSent();
  const { intuit, settle } = desk.app;
  const standing = async () => {
    await settle(300_000);
    return (await desk.list()).threads[0]?.standing;
  };
  const rename = async (number: string) => {
    await intuit.control(inBooks, { DocNumber: number });
    return standing();
  };
  const read = async () => (await desk.view(orderId)).invoices[0];
  const handle = async () => (await desk.say(await read(), "handled")).status;
  expect(await handle()).toBe(409);
  for (const number of ["80001-B", "80001-C"]) {
    expect(await rename(number)).toBe("differs");
    const changed = expect.stringContaining(`changed to invoice ${number}`);
    expect((await desk.view(orderId)).invoices).toMatchObject([{ asks_handled: true, problem: changed }]);
    expect(await handle()).toBe(200);
    expect(await standing()).toBe("retailer");
    expect((await desk.view(orderId)).invoices).toMatchObject([{ asks_handled: false, problem: changed }]);
    expect(await handle()).toBe(409);
  }
  // Once it was as the 810 says, the same change is a new one.
  expect(await rename("80001")).toBe("retailer");
  expect(await rename("80001-C")).toBe("differs");
  // A user who saw that one ends no other.
  const seen = await read();
  expect(await rename("80001-D")).toBe("differs");
  expect(await refuseLate(desk, seen, "handled")).toBe("changed_since");
  expect(await standing()).toBe("differs");
  expect(await handle()).toBe(200);
});

test("TD-16 an invoice whose change in QuickBooks was handled still says that it is to be credited once its labels are voided", async () => {
  const desk = await openThreadDesk();
  const { orderId, voidLabels } = await billUnscanned(desk);
  await desk.leave();
  const made = (await desk.app.intuit.invoices(ACME)).find(({ DocNumber: number }) => number === "80001");
  await desk.app.intuit.control(`books/${ACME}/invoice/${made?.Id}`, { DocNumber: "80001-B" });
  const [changed] = (await desk.view(orderId)).invoices;
  expect((await desk.say(changed, "handled")).status).toBe(200);
  await voidLabels();
  expect((await desk.view(orderId)).invoices).toMatchObject([
    {
      asks_handled: false,
      problem: expect.stringMatching(/changed to invoice 80001-B.*The labels of this invoice were voided/),
    },
  ]);
});
