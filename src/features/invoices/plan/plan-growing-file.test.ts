import { expect, test } from "vitest";
import { chooseName } from "#features/books/names/contract.ts";
import { chooseColumns } from "#features/invoices/workbook/contract.ts";
import { openDesk } from "../../../../test/support/plan-desk.ts";
import { dayLine, type InvoiceRow } from "../../../../test/support/workbooks.ts";

test("UP-42 a growing workbook posts only its new rows, whatever has changed in QuickBooks or in the company's choices since", async () => {
  const desk = await openDesk();
  const realmId = desk.query.realm_id;
  const books = (path: string, fields: object) =>
    desk.app.intuit.control<{ Id: string }>(`books/${realmId}/${path}`, fields);
  const prefer = (fields: object) =>
    desk.app.intuit.control(`companies/${realmId}`, { preferences: { SalesFormsPrefs: fields } }, "PATCH");
  const choose = async (kind: string, text: string, target_id: string) => {
    const json = { kind, text, target_id };
    expect((await desk.browser.call(chooseName, { query: desk.query, json })).status).toBe(200);
  };
  for (const Name of ["Discount", "Shipping"]) await books("item", { Name, Type: "Service", UnitPrice: 1 });
  const findId = async (kind: string, name: string) => {
    const all = await desk.app.intuit.control<{ Id: string; Name?: string; DisplayName?: string }[]>(
      `books/${realmId}/${kind}`,
    );
    return all.find(({ Name, DisplayName }) => name === (Name ?? DisplayName))?.Id ?? "";
  };
  const [hammer, other, cars, terms] = [
    await findId("item", "Claw Hammer"),
    await findId("item", "Gift Wrap"),
    await findId("customer", "Cool Cars"),
    await findId("term", "Net 30"),
  ];
  const changes: Record<string, () => Promise<unknown>> = {
    "is uploaded first": async () => null,
    "meets a new field for the PO number": () => prefer({ CustomFieldNames: ["PO #"] }),
    "meets a field of another name": () => prefer({ CustomFieldNames: ["PO Number"] }),
    "meets another list price and a field at another place": async () => {
      await books(`item/${hammer}`, { UnitPrice: 12 });
      await prefer({ CustomFieldNames: ["Crew #", "PO Number"] });
    },
    "meets lines and numbers switched over, and terms made again": async () => {
      await prefer({ AllowDiscount: false, AllowShipping: false, CustomTxnNumbers: true });
      await books(`term/${terms}`, { Name: "Thirty", Active: false });
      await books("term", { Name: "Net 30", Type: "STANDARD", DueDays: 30 });
    },
    "meets a renamed customer and another item for the same name": async () => {
      await books(`customer/${cars}`, { DisplayName: "Cooler Cars" });
      await choose("customer", "Cool Cars", cars);
      await books(`item/${hammer}`, { Name: "Big Hammer" });
      await choose("item", "Claw Hammer", other);
    },
  };
  const columns = [
    { header: "Discount", field: "discount" },
    { header: "Shipping", field: "shipping" },
  ];
  const matched = await desk.browser.call(chooseColumns, { query: desk.query, json: { columns } });
  expect(matched.status).toBe(200);
  const lines = ["Customer,Invoice Date,Item,Qty,Rate,PO Number,Discount,Shipping,Terms,Class,Location"];
  const counts: Record<string, number> = {};
  for (const [what, change] of Object.entries(changes)) {
    const day = String(lines.length).padStart(2, "0");
    lines.push(`Cool Cars,2026-11-${day},Claw Hammer,1,,PO-${day},10%,5,Net 30,Retail,North store`);
    await change();
    const known = (await desk.made()).length;
    await desk.post(new TextEncoder().encode(lines.join("\n")), "growing.csv");
    counts[what] = (await desk.made()).length - known;
  }
  expect(counts).toEqual(Object.fromEntries(Object.keys(changes).map((what) => [what, 1])));
});

test("an invoice with another PO number is a new one even where QuickBooks has no field for it; one without it, or with the list price filled in, is not", async () => {
  const desk = await openDesk();
  const post = async (rows: readonly InvoiceRow[]) => {
    const { completed, skipped } = (await desk.upload(rows)).counts;
    return { completed, skipped };
  };
  const blank = { Rate: "", Amount: "" };
  const first = await post([dayLine(2, { "PO Number": "A-1" }), dayLine(3, blank), dayLine(3, blank)]);
  expect(first).toEqual({ completed: 3, skipped: undefined });
  const [, made] = await desk.made();
  const price = { Rate: (made?.TotalAmt ?? 0) / 2, Amount: "" };
  const rows = [dayLine(2), dayLine(2, { Customer: "Red Rock Diner" }), dayLine(3, price), dayLine(3, price)];
  expect(await post(rows)).toEqual({ completed: 1, skipped: 3 });
  const others = ["A-1", "A-2", "A-3"].map((number) => dayLine(2, { "PO Number": number }));
  expect(await post(others.flatMap((line, at) => [line, dayLine(20 + at)]))).toEqual({
    completed: 5,
    skipped: 1,
  });
});

/** A desk for invoices of one customer and day, with a column that separates them. */
async function openGroups() {
  const desk = await openDesk();
  return {
    desk,
    /** @returns how many were completed, and how many skipped */
    post: async (name: string, lines: readonly string[]) => {
      const header = "Invoice Group,Customer,Invoice Date,Item,Qty,Rate,PO Number";
      const { counts } = await desk.post(new TextEncoder().encode([header, ...lines].join("\n")), name);
      return [counts.completed ?? 0, counts.skipped ?? 0];
    },
    line: (group: number, { rate = "", po = "P-1", customer = "Cool Cars" } = {}) =>
      `${group},${customer},2026-11-02,Claw Hammer,1,${rate},${po}`,
    /** The list price, which QuickBooks gave. */
    price: async () => String((await desk.made())[0]?.TotalAmt),
  };
}

test("a row left out since QuickBooks got a PO field is left out after a correction too, and covers only itself", async () => {
  const { desk, post, line, price } = await openGroups();
  const same = [line(1), line(2), line(3, { po: "P-3" })];
  expect(await post("january.csv", same)).toEqual([3, 0]);
  const rate = await price();
  await desk.app.intuit.control(
    `companies/${desk.query.realm_id}`,
    { preferences: { SalesFormsPrefs: { CustomFieldNames: ["PO #"] } } },
    "PATCH",
  );
  expect(await post("february.csv", [...same, line(4, { po: "P-4" })])).toEqual([1, 3]);
  expect(await post("february again.csv", [...same, line(5, { po: "P-5" })])).toEqual([1, 3]);
  const corrected = [line(1, { rate }), line(2, { customer: "cool cars" }), line(3, { po: "P-3", rate })];
  expect(await post("march.csv", corrected)).toEqual([0, 3]);
  expect(await post("april.csv", [...corrected, ...[6, 7].map((group) => line(group, { rate }))])).toEqual([
    2, 3,
  ]);
});

test("names that differ only in case are two items where the list has both", async () => {
  const desk = await openDesk();
  const books = `books/${desk.query.realm_id}/item`;
  for (const fields of [{ Name: "Bolt" }, { Name: "Long screw", Sku: "BOLT" }])
    await desk.app.intuit.control(books, { Type: "Service", UnitPrice: 1, ...fields });
  await desk.upload([dayLine(2, { Item: "Bolt" })]);
  const { counts } = await desk.upload([dayLine(2, { Item: "BOLT" }), dayLine(3)]);
  expect([counts.completed, counts.skipped]).toEqual([2, undefined]);
});

test("an invoice covers the row with its number, and no equal one without a number next to it", async () => {
  const desk = await openDesk();
  await desk.upload([dayLine(2)]);
  const [made] = await desk.made();
  const numbered = { "Invoice No": made?.DocNumber };
  const { counts } = await desk.upload([dayLine(2), dayLine(2, numbered)]);
  expect([counts.completed, counts.skipped]).toEqual([1, 1]);
});

test("a row that lost its PO number doesn't take the invoice of the one that has it", async () => {
  const { post, line, price } = await openGroups();
  expect(await post("november.csv", [line(1), line(2, { po: "P-2" })])).toEqual([2, 0]);
  const rate = await price();
  const edited = [line(1, { po: "", rate }), line(2, { rate })];
  expect(await post("edited.csv", edited)).toEqual([0, 2]);
});
