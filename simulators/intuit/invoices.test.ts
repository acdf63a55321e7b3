import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../kit/test-call.ts";
import { ACME, BAY, readFault, invoiceBody, MAPLE, startTestIntuit } from "./test-kit.ts";

const intuit = await startTestIntuit();
let acme: Awaited<ReturnType<typeof intuit.connect>>;
let bay: Awaited<ReturnType<typeof intuit.connect>>;
beforeAll(async () => {
  for (const realmId of [ACME, BAY, MAPLE]) await intuit.unlimited(realmId);
  [acme, bay] = [await intuit.connect(ACME), await intuit.connect(BAY)];
});
afterAll(() => intuit.close());

const create = (extra: Record<string, unknown> = {}) =>
  acme.api("POST", "invoice", { body: invoiceBody(extra) });
const line = (detail: Record<string, unknown>, extra: Record<string, unknown> = {}) => ({
  DetailType: "SalesItemLineDetail",
  SalesItemLineDetail: { ItemRef: { value: "19" }, ...detail },
  ...extra,
});
const readInvoice = (answer: Answer) => answer.body["Invoice"] ?? {};
const refusal = async (extra: Record<string, unknown>) => {
  const { status, code, element } = readFault(await create(extra));
  return { status, code, element };
};

const RECORDED_KEYS = (
  "AllowIPNPayment AllowOnlinePayment AllowOnlineCreditCardPayment AllowOnlineACHPayment domain sparse Id SyncToken MetaData " +
  "CustomField DocNumber TxnDate CurrencyRef LinkedTxn Line TxnTaxDetail CustomerRef BillAddr ShipAddr DueDate TotalAmt " +
  "ApplyTaxAfterDiscount PrintStatus EmailStatus Balance"
).split(" ");

test("the answer to a minimal invoice has the keys recorded from the real service", async () => {
  const answer = await create({ DocNumber: "K-1" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json;charset=utf-8");
  expect(answer.headers.get("intuit_tid")).toMatch(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/);
  expect(answer.body["time"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-0[78]:00$/);
  expect(Object.keys(readInvoice(answer))).toEqual(RECORDED_KEYS);
  expect(readInvoice(answer)).toMatchObject({
    domain: "QBO",
    sparse: false,
    SyncToken: "0",
    CustomField: [{ DefinitionId: "1", Name: "Crew #", Type: "StringType" }],
    LinkedTxn: [],
    Line: [
      {
        Id: "1",
        LineNum: 1,
        Amount: 100,
        SalesItemLineDetail: { ItemRef: { name: "Installation" }, TaxCodeRef: { value: "NON" } },
      },
      { Amount: 100, DetailType: "SubTotalLineDetail", SubTotalLineDetail: {} },
    ],
    CustomerRef: { value: "1", name: "Ace Hardware Supply" },
    TotalAmt: 100,
    Balance: 100,
  });
  expect(answer.text).not.toMatch(/:null|:""/);
});

test("with custom numbers a missing number stays missing and AUTO_GENERATE takes the next one", async () => {
  expect(readInvoice(await create())).not.toHaveProperty("DocNumber");
  const first = Number(readInvoice(await create({ DocNumber: "AUTO_GENERATE" }))["DocNumber"]);
  const second = Number(readInvoice(await create({ AutoDocNumber: true }))["DocNumber"]);
  expect(second).toBe(first + 1);
});

test("without custom numbers the next number is assigned, and a supplied one counts for that invoice only", async () => {
  const send = async (extra = {}) =>
    readInvoice(await bay.api("POST", "invoice", { body: invoiceBody(extra) }))["DocNumber"];
  const first = Number(await send());
  expect(await send({ DocNumber: "B-77" })).toBe("B-77");
  expect(Number(await send())).toBe(first + 1);
});

test("a used number is refused with 6140, which names the number and the transaction", async () => {
  const { Id } = readInvoice(await create({ DocNumber: "D-1" })) as unknown as { Id: string };
  const answer = await create({ DocNumber: "D-1" });
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.body["Fault"]?.["Error"]?.[0]).toEqual({
    Message: "Duplicate Document Number Error",
    Detail:
      "Duplicate Document Number Error : You must specify a different number. This number has already been used. " +
      `DocNumber=D-1 is assigned to TxnType=Invoice with TxnId=${Id}`,
    code: "6140",
    element: "",
  });
  expect(
    (
      await acme.api("POST", "invoice?include=allowduplicatedocnum", {
        body: invoiceBody({ DocNumber: "D-1" }),
      })
    ).status,
  ).toBe(200);
});

test("a sparse update keeps omitted fields, a full one clears them", async () => {
  const { Id } = readInvoice(
    await create({ DocNumber: "S-1", PrivateNote: "keep", CustomerMemo: { value: "hello" } }),
  );
  const sparse = await acme.api("POST", "invoice", {
    body: {
      Id,
      SyncToken: "0",
      sparse: true,
      ShipDate: "2026-11-20",
      TrackingNum: "1Z999",
      ShipMethodRef: { value: "UPS", name: "UPS" },
    },
  });
  expect(readInvoice(sparse)).toMatchObject({
    SyncToken: "1",
    DocNumber: "S-1",
    PrivateNote: "keep",
    TrackingNum: "1Z999",
    ShipMethodRef: { value: "UPS", name: "UPS" },
    Line: [{ Id: "1" }, {}],
  });
  const full = readInvoice(
    await acme.api("POST", "invoice", { body: { ...invoiceBody(), Id, SyncToken: "1" } }),
  );
  expect(full["SyncToken"]).toBe("2");
  for (const cleared of ["CustomerMemo", "PrivateNote", "TrackingNum", "DocNumber"])
    expect(full).not.toHaveProperty(cleared);
  expect(full["Line"]?.[0]).toMatchObject({ Id: "2" });
});

test("an update without changes leaves SyncToken and time unchanged", async () => {
  const before = readInvoice(await create({ PrivateNote: "same" }));
  await intuit.control("POST", "clock", { advanceMs: 5000 });
  const after = readInvoice(
    await acme.api("POST", "invoice", {
      body: { Id: before["Id"], SyncToken: "0", sparse: true, PrivateNote: "same" },
    }),
  );
  expect(after).toEqual(before);
});

test("an old SyncToken is refused with 5010, a missing one with 2020", async () => {
  const { Id } = readInvoice(await create());
  await intuit.control("POST", `books/${ACME}/invoice/${String(Id)}`, { PrivateNote: "mine", who: "Betty" });
  const stale = readFault(
    await acme.api("POST", "invoice", { body: { Id, SyncToken: "0", sparse: true, PrivateNote: "yours" } }),
  );
  expect(stale).toMatchObject({ status: 400, code: "5010", element: "" });
  expect(stale.detail).toMatch(/^Stale Object Error : You and Betty were working on this at the same time\./);
  const missing = readFault(
    await acme.api("POST", "invoice?operation=update", { body: { Id, sparse: true } }),
  );
  expect(missing).toMatchObject({ code: "2020", element: "SyncToken" });
});

test("an unknown property is refused with 2010, which names it and the known ones", async () => {
  const top = readFault(await create({ Color: "red" }));
  expect(top).toMatchObject({ status: 400, code: "2010", element: undefined });
  expect(top.detail).toMatch(/"Color".*known properties: .*"DocNumber"/);
  const nested = readFault(await create({ Line: [line({ Price: 1 }, { Amount: 1 })] }));
  expect(nested.detail).toContain('Invoice["Line"]["SalesItemLineDetail"]["Price"]');
});

test("field faults name their element, object and business faults have an empty one", async () => {
  expect(await refusal({ CustomerRef: undefined })).toEqual({
    status: 400,
    code: "2020",
    element: "CustomerRef",
  });
  expect(await refusal({ Line: [line({})] })).toEqual({ status: 400, code: "2020", element: "Amount" });
  expect(await refusal({ DocNumber: "x".repeat(22) })).toEqual({
    status: 400,
    code: "2050",
    element: "DocNumber",
  });
  expect(await refusal({ TxnDate: "2026-02-30" })).toEqual({ status: 400, code: "2060", element: "TxnDate" });
  expect(await refusal({ EmailStatus: "Maybe" })).toEqual({
    status: 400,
    code: "2170",
    element: "EmailStatus",
  });
  expect(await refusal({ BillEmail: { Address: "nobody" } })).toEqual({
    status: 400,
    code: "2210",
    element: "Address",
  });
  expect(await refusal({ PrivateNote: "quote \u201cx\u201d" })).toMatchObject({ code: "2040" });
  expect(await refusal({ CustomerRef: { value: "9999" } })).toEqual({
    status: 400,
    code: "2500",
    element: "",
  });
  expect(await refusal({ SalesTermRef: { value: "99" } })).toEqual({
    status: 400,
    code: "2500",
    element: "",
  });
  expect(await refusal({ Line: [line({ Qty: 3, UnitPrice: 0.1 }, { Amount: 0.31 })] })).toEqual({
    status: 400,
    code: "6070",
    element: "",
  });
  expect(await refusal({ EmailStatus: "NeedToSend" })).toEqual({ status: 400, code: "6420", element: "" });
  expect(await refusal({ Line: [line({ TaxCodeRef: { value: "7" } }, { Amount: 1 })] })).toEqual({
    status: 400,
    code: "6100",
    element: "",
  });
});

test("a bad id gets 2030 without a time, a missing invoice 610 with status 400", async () => {
  const bad = await acme.api("POST", "invoice?operation=delete", { body: { Id: "1.5", SyncToken: "0" } });
  expect(readFault(bad)).toMatchObject({
    code: "2030",
    element: "Id",
    detail: "Id should be a valid number. Supplied value:1.5",
  });
  expect(bad.body).not.toHaveProperty("time");
  expect(readFault(await acme.api("GET", "invoice/424242"))).toMatchObject({
    status: 400,
    code: "610",
    element: "",
  });
});

test("an inactive customer or item is refused with 610, a category with 6000", async () => {
  const inactive = async (kind: string) =>
    (await intuit.control("GET", `books/${ACME}/${kind}`)) as unknown as {
      Id: string;
      Active: boolean;
      Type?: string;
    }[];
  const customer = (await inactive("customer")).find((entry) => !entry.Active);
  const items = await inactive("item");
  const useItem = (id: string | undefined) =>
    refusal({ Line: [line({ ItemRef: { value: id } }, { Amount: 1 })] });
  expect(await refusal({ CustomerRef: { value: customer?.Id } })).toMatchObject({ code: "610" });
  expect(await useItem(items.find((item) => !item.Active)?.Id)).toMatchObject({ code: "610" });
  expect(await useItem(items.find((item) => item.Type === "Category")?.Id)).toMatchObject({ code: "6000" });
});

test("dates before the inventory start are refused with 6270, dates in closed books with 6210", async () => {
  const { QueryResponse } = (await acme.query("select * from Item where Sku = 'CD-18'")).body;
  const drill = QueryResponse?.["Item"]?.[0]?.["Id"];
  const old = { TxnDate: "2023-12-31", Line: [line({ ItemRef: { value: drill } }, { Amount: 1 })] };
  expect(await refusal(old)).toMatchObject({ code: "6270" });
  await intuit.control("PATCH", `companies/${ACME}`, {
    preferences: { AccountingInfoPrefs: { BookCloseDate: "2025-12-31" } },
  });
  expect(await refusal({ TxnDate: "2025-12-31" })).toMatchObject({ code: "6210" });
  expect((await create({ TxnDate: "2026-01-01" })).status).toBe(200);
  await intuit.control("PATCH", `companies/${ACME}`, {
    preferences: { AccountingInfoPrefs: { BookCloseDate: null } },
  });
});

test("an ended subscription gets 6190, a removed admin 120, another company 3100", async () => {
  const status = (value: string) => intuit.control("PATCH", `companies/${BAY}`, { status: value });
  await status("subscription_expired");
  expect(readFault(await bay.api("POST", "invoice", { body: invoiceBody() }))).toMatchObject({
    status: 400,
    code: "6190",
  });
  await status("active");
  const { admins } = (await intuit.control("GET", `companies/${BAY}`)) as unknown as { admins: string[] };
  await intuit.control("PATCH", `companies/${BAY}`, { admins: [] });
  expect(readFault(await bay.api("GET", "preferences"))).toMatchObject({ status: 403, code: "120" });
  await intuit.control("PATCH", `companies/${BAY}`, { admins });
  const foreign = await fetch(`${intuit.url}/v3/company/${ACME}/preferences`, {
    headers: { authorization: `Bearer ${bay.tokens.access}`, accept: "application/json" },
  });
  expect(foreign.status).toBe(403);
  expect(await foreign.json()).toMatchObject({
    fault: { error: [{ code: "3100", detail: null }], type: "SERVICE" },
  });
});

test("a deposited invoice cannot be changed", async () => {
  const { Id } = readInvoice(await create());
  const paid = await intuit.control("POST", `books/${ACME}/invoice/${String(Id)}/pay`, { deposited: true });
  expect(paid).toMatchObject({ Balance: 0, SyncToken: "1", LinkedTxn: [{ TxnType: "Payment" }] });
  const change = await acme.api("POST", "invoice", {
    body: { Id, SyncToken: "1", sparse: true, PrivateNote: "x" },
  });
  expect(readFault(change)).toMatchObject({ code: "6540" });
});

test("a payment changes the invoice's SyncToken, unless the request keeps it", async () => {
  const { Id } = readInvoice(await create());
  const pay = (fields: object) => intuit.control("POST", `books/${ACME}/invoice/${String(Id)}/pay`, fields);
  expect(await pay({ amount: 1, keepToken: true })).toMatchObject({ SyncToken: "0" });
  expect(await pay({ amount: 1 })).toMatchObject({ SyncToken: "1" });
});

test("an invoice changes its customer's balance and time, not the SyncToken", async () => {
  const customer = async () =>
    (await acme.api("GET", "customer/2")).body["Customer"] as unknown as {
      Balance: number;
      SyncToken: string;
    };
  const before = await customer();
  const { Id } = readInvoice(await create({ CustomerRef: { value: "2" } }));
  expect(await customer()).toMatchObject({ Balance: before.Balance + 100, SyncToken: before.SyncToken });
  const deleted = await acme.api("POST", "invoice?operation=delete", { body: { Id, SyncToken: "0" } });
  expect(deleted.body["Invoice"]).toEqual({ domain: "QBO", status: "Deleted", Id });
  expect((await customer()).Balance).toBe(before.Balance);
});

test("a void zeroes every amount and notes it in the memo", async () => {
  const { Id } = readInvoice(await create());
  const voided = readInvoice(
    await acme.api("POST", "invoice?operation=void", { body: { Id, SyncToken: "0" } }),
  );
  expect(voided).toMatchObject({
    SyncToken: "1",
    TotalAmt: 0,
    Balance: 0,
    PrivateNote: "Voided",
    Line: [{ Amount: 0 }, { Amount: 0 }],
  });
});

test("due dates follow the term, or 30 days without one", async () => {
  const { QueryResponse } = (await acme.query("select * from Term")).body;
  const terms = QueryResponse?.["Term"] as unknown as { Id: string; Name: string }[];
  const due = async (name: string | null) => {
    const term = terms.find((candidate) => candidate.Name === name);
    return readInvoice(
      await create({ TxnDate: "2026-01-28", ...(term && { SalesTermRef: { value: term.Id } }) }),
    )["DueDate"];
  };
  expect(await due("Net 15")).toBe("2026-02-12");
  expect(await due("Due on receipt")).toBe("2026-01-28");
  expect(await due("End of month")).toBe("2026-02-28");
  expect(await due(null)).toBe("2026-02-27");
});

test("a discount and a line without an item add up exactly", async () => {
  const invoice = readInvoice(
    await create({
      Line: [
        line({ Qty: 3, UnitPrice: 0.1 }, { Amount: 0.3 }),
        line({ Qty: 1.5, UnitPrice: 19.99 }, { Amount: 29.99 }),
        { Amount: 50, Description: "only text", DetailType: "SalesItemLineDetail", SalesItemLineDetail: {} },
        { DetailType: "DiscountLineDetail", DiscountLineDetail: { PercentBased: true, DiscountPercent: 10 } },
      ],
    }),
  );
  expect(invoice).toMatchObject({
    TotalAmt: 27.26,
    Line: [{}, {}, { DetailType: "DescriptionOnly" }, { Amount: 30.29 }, { Amount: 3.03 }],
  });
});

test("a shipping amount is part of the total, is kept while no lines are sent, and goes with the lines that are", async () => {
  const shipping = {
    Amount: 7.5,
    DetailType: "SalesItemLineDetail",
    SalesItemLineDetail: { ItemRef: { value: "SHIPPING_ITEM_ID" } },
  };
  const made = readInvoice(
    await create({ Line: [line({ Qty: 1, UnitPrice: 20 }, { Amount: 20 }), shipping] }),
  );
  expect(made).toMatchObject({ TotalAmt: 27.5, Balance: 27.5, Line: [{ Amount: 20 }, shipping, {}] });
  const { Id } = made;
  const change = async (body: object) =>
    readInvoice(await acme.api("POST", "invoice", { body: { Id, sparse: true, ...body } }));
  expect(await change({ SyncToken: "0", PrivateNote: "kept" })).toMatchObject({ TotalAmt: 27.5 });
  expect(await change({ SyncToken: "1", Line: [made["Line"]?.[0]] })).toMatchObject({
    TotalAmt: 20,
    Balance: 20,
  });
});

test("shipping fields and amounts are silently dropped while the company has shipping off", async () => {
  await intuit.control("PATCH", `companies/${ACME}`, {
    preferences: { SalesFormsPrefs: { AllowShipping: false } },
  });
  expect(readInvoice(await create({ TrackingNum: "1Z1" }))).not.toHaveProperty("TrackingNum");
  const shipping = {
    Amount: 7.5,
    DetailType: "SalesItemLineDetail",
    SalesItemLineDetail: { ItemRef: { value: "SHIPPING_ITEM_ID" } },
  };
  expect(
    readInvoice(await create({ Line: [line({ Qty: 1, UnitPrice: 20 }, { Amount: 20 }), shipping] })),
  ).toMatchObject({ TotalAmt: 20 });
  await intuit.control("PATCH", `companies/${ACME}`, {
    preferences: { SalesFormsPrefs: { AllowShipping: true } },
  });
});

test("a company outside the US requires a tax code id on every line", async () => {
  const maple = await intuit.connect(MAPLE);
  const send = (detail: Record<string, unknown>) =>
    maple.api("POST", "invoice", { body: invoiceBody({ Line: [line(detail, { Amount: 5 })] }) });
  expect(readFault(await send({}))).toMatchObject({ code: "6000" });
  expect(readFault(await send({ TaxCodeRef: { value: "TAX" } }))).toMatchObject({ code: "2500" });
  expect(readInvoice(await send({ TaxCodeRef: { value: "3" } }))).toMatchObject({
    CurrencyRef: { value: "CAD" },
  });
});

test("automated sales tax is added to taxable lines only", async () => {
  await intuit.control("PATCH", `companies/${BAY}`, {
    preferences: { TaxPrefs: { PartnerTaxEnabled: true, UsingSalesTax: true } },
  });
  const lines = [line({ TaxCodeRef: { value: "TAX" } }, { Amount: 19.99 }), line({}, { Amount: 10 })];
  const invoice = readInvoice(await bay.api("POST", "invoice", { body: invoiceBody({ Line: lines }) }));
  expect(invoice).toMatchObject({ TxnTaxDetail: { TotalTax: 1.65 }, TotalAmt: 31.64 });
});

test("a wrong path gets 400 with code 500, and without Accept the service speaks XML", async () => {
  expect(readFault(await acme.api("GET", "invoices/1"))).toMatchObject({
    status: 400,
    code: "500",
    element: undefined,
  });
  const xml = await acme.api("GET", `companyinfo/${ACME}`, { headers: { accept: "*/*" } });
  expect(xml.headers.get("content-type")).toBe("application/xml");
  expect(xml.text).toMatch(
    /<IntuitResponse xmlns="http:\/\/schema\.intuit\.com\/finance\/v3".*<CompanyName>Acme Tools<\/CompanyName>/,
  );
});

test("a customer's name is unique, gets a suffix when inactive, and keeps its token on an update without changes", async () => {
  const send = (body: Record<string, unknown>) => acme.api("POST", "customer", { body });
  expect(readFault(await send({ DisplayName: "cool cars" }))).toMatchObject({
    status: 400,
    code: "6240",
    element: "",
  });
  expect(readFault(await send({ DisplayName: "a:b" }))).toMatchObject({ code: "2040" });
  const made = (await send({ DisplayName: "Fresh & Sons" })).body["Customer"];
  const same = (await send({ Id: made?.["Id"], SyncToken: "0", sparse: true, DisplayName: "Fresh & Sons" }))
    .body["Customer"];
  expect(same).toEqual(made);
  const gone = (await send({ Id: made?.["Id"], SyncToken: "0", sparse: true, Active: false })).body[
    "Customer"
  ];
  expect(gone).toMatchObject({
    DisplayName: "Fresh & Sons (deleted)",
    FullyQualifiedName: "Fresh & Sons (deleted)",
    Active: false,
    SyncToken: "1",
  });
});
