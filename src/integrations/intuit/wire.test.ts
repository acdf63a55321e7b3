import { expect, test } from "vitest";
import * as wire from "#integrations/intuit/wire.ts";

const nulls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));

test("an optional value may be null, and means the same as absent", () => {
  const names = ["MetaData", "DocNumber", "TxnDate", "DueDate", "CustomerRef", "TotalAmt", "Balance"];
  const bare = { Id: "1", SyncToken: "0" };
  const optional = [...names, "PrivateNote", "LinkedTxn", "TxnTaxDetail", "Line", "ShipMethodRef"];
  expect(wire.invoice.parse({ ...bare, ...nulls(...optional) })).toEqual(wire.invoice.parse(bare));
  expect(wire.invoice.parse(bare)).toEqual({ ...bare, TotalAmt: 0, Line: [] });
  const line = {
    ...nulls("Amount", "DetailType"),
    SalesItemLineDetail: nulls("Qty", "UnitPrice", "ClassRef"),
  };
  expect(wire.invoice.parse({ ...bare, Line: [line] }).Line).toEqual([{ SalesItemLineDetail: {} }]);
});

test("lists, the company and its preferences are read with nulls in them", () => {
  const named = { Id: "1", Active: null, FullyQualifiedName: null };
  expect(wire.customer.parse({ ...named, DisplayName: "Cool Cars", CurrencyRef: null })).toEqual({
    Id: "1",
    Active: true,
    DisplayName: "Cool Cars",
  });
  expect(wire.item.parse({ ...named, Name: "Saw", UnitPrice: null })).toMatchObject({
    Active: true,
  });
  expect(wire.term.parse({ ...named, Name: "Net 30", DueDays: null })).toMatchObject({ Name: "Net 30" });
  expect(wire.companyInfo.parse({ CompanyName: "Acme", Country: null })).toEqual({
    CompanyName: "Acme",
  });
  const empty = { SalesFormsPrefs: {}, AccountingInfoPrefs: {}, CurrencyPrefs: {}, TaxPrefs: {} };
  expect(wire.preferences.parse(nulls(...Object.keys(empty)))).toEqual(empty);
  expect(wire.preferences.parse({})).toEqual(empty);
  const flags = nulls("CustomTxnNumbers", "AllowShipping");
  expect(wire.preferences.parse({ SalesFormsPrefs: flags }).SalesFormsPrefs).toEqual({});
});
