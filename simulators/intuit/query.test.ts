import fc from "fast-check";
import { expect, test } from "vitest";
import { ACME, readFault, invoiceBody, openTestBooks } from "./test-kit.ts";
import { parseQuery } from "./query-parser.ts";

const { intuit, acme } = await openTestBooks();

const listRows = async (statement: string) => {
  const { body } = await acme.query(statement);
  const {
    startPosition: _start,
    maxResults: _max,
    ...kinds
  } = (body["QueryResponse"] ?? {}) as Record<string, unknown>;
  return (Object.values(kinds)[0] ?? []) as Record<string, unknown>[];
};
const listNames = async (statement: string) =>
  (await listRows(statement)).map((row) => row["DisplayName"] ?? row["Name"]);
const refusal = async (statement: string) => {
  const { status, code, detail } = readFault(await acme.query(statement));
  return `${status} ${code} ${detail}`;
};

test("names are sorted by full name, a sub-customer right after its parent, active ones only", async () => {
  await intuit.control("POST", `books/${ACME}/customer`, { DisplayName: "Bright Home Stores East" });
  const full = (await listRows("select * from Customer maxresults 1000")).map(
    (row) => row["FullyQualifiedName"],
  );
  const at = full.indexOf("Bright Home Stores");
  expect(full.slice(at, at + 4)).toEqual([
    "Bright Home Stores",
    "Bright Home Stores:Store 12",
    "Bright Home Stores:Store 48",
    "Bright Home Stores East",
  ]);
  expect(full).not.toContain("Old Town Records (deleted)");
  expect(
    await listNames("select * from Customer where Active in (true, false) and DisplayName like 'Old%'"),
  ).toEqual(["Old Town Records (deleted)"]);
});

test("every operator works, ignoring case in names and quotes around numbers", async () => {
  expect(await listNames("select * from Customer where DisplayName = 'COOL CARS'")).toEqual(["Cool Cars"]);
  expect(await listNames("SELECT * FROM customer WHERE displayname LIKE '%and Vegi'")).toEqual([
    "Rondonuwu Fruit and Vegi",
  ]);
  expect(await listNames("select * from Item where UnitPrice > '150' and UnitPrice <= 275")).toEqual([
    "Rock Fountain",
    "Circular Saw",
  ]);
  expect(await listNames("select * from Term where DueDays in ('10', '60')")).toEqual(["Net 10", "Net 60"]);
  expect(await listNames("select * from Item where Type = 'Category' orderby Name desc")).toEqual([
    "Power Tools",
    "Garden",
  ]);
});

test("an apostrophe is escaped with a backslash; doubling it is an error", async () => {
  expect(await listNames("select * from Customer where DisplayName = 'O\\'Brien Builders'")).toEqual([
    "O'Brien Builders",
  ]);
  expect(await refusal("select * from Customer where DisplayName = 'O''Brien Builders'")).toMatch(
    /^400 4000 QueryParserError/,
  );
});

test("references compare by id, times by instant, transactions come newest first", async () => {
  const { body } = await acme.api("POST", "invoice", {
    body: invoiceBody({ CustomerRef: { value: "3" }, DocNumber: "Q-1" }),
  });
  const ids = (await listRows("select * from Invoice where CustomerRef = '3'")).map((row) => row["Id"]);
  expect(ids[0]).toBe(body["Invoice"]?.["Id"]);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  expect(await listRows(`select * from Invoice where MetaData.LastUpdatedTime > '${later}'`)).toEqual([]);
  const earlier = new Date(Date.now() - 3_600_000).toISOString();
  expect(
    (await listRows(`select * from Invoice where MetaData.CreateTime >= '${earlier}'`)).length,
  ).toBeGreaterThan(8);
  expect(
    (await listRows("select * from Invoice where TotalAmt >= '100.00' order by TotalAmt"))[0],
  ).toHaveProperty("TotalAmt", 100);
});

test("paging works with its two keywords in either order, and a list has no total", async () => {
  const first = (await acme.query("select * from Item startposition 1 maxresults 10")).body["QueryResponse"];
  expect(first).toMatchObject({ startPosition: 1, maxResults: 10 });
  expect(first).not.toHaveProperty("totalCount");
  const last = (await acme.query("select * from Item maxresults 10 startposition 21")).body["QueryResponse"];
  expect(last).toMatchObject({ startPosition: 21, maxResults: 5 });
  expect((await acme.query("select * from Item startposition 999")).body["QueryResponse"]).toEqual({});
  expect((await acme.query("select count(*) from Item")).body["QueryResponse"]).toEqual({ totalCount: 25 });
});

test("selecting columns returns sparse objects", async () => {
  expect((await listRows("select Id, DisplayName from Customer maxresults 1"))[0]).toEqual({
    domain: "QBO",
    sparse: true,
    Id: "1",
    DisplayName: "Ace Hardware Supply",
  });
});

test("a long statement can be posted as the body", async () => {
  const answer = await acme.api("POST", "query", {
    body: "select * from Term where Name = 'Net 30'",
    headers: { "content-type": "application/text" },
  });
  expect(answer.body["QueryResponse"]).toMatchObject({ maxResults: 1 });
});

test("grammar errors are 4000, wrong names and sizes 4001", async () => {
  expect(await refusal("select * from Customer where A = 'x' or B = 'y'")).toMatch(
    /^400 4000 QueryParserError: Encountered " "or" ""/,
  );
  expect(await refusal("select * from Customer where not Active = true")).toMatch(/^400 4000/);
  expect(await refusal("select * from Customer where DisplayName != 'x'")).toMatch(
    /^400 4000 QueryParserError: Lexical error/,
  );
  expect(await refusal("selct * from Customer")).toMatch(/^400 4000/);
  expect(await refusal("select * from Customer where DisplayName = 'O\u2019Brien'")).toMatch(
    /^400 4000 .*Lexical error.*Encountered: "\\u2019"/,
  );
  expect(await refusal("select * from Custmoer")).toBe(
    "400 4001 QueryValidationError: invalid context declaration: Custmoer",
  );
  expect(await refusal("select * from Customer maxresults 0")).toBe(
    "400 4001 QueryValidationError: value 0 is too small. Min allowed value is 1",
  );
  expect(await refusal("select * from Customer maxresults 1001")).toMatch(/^400 4001/);
  expect(await refusal("select * from Invoice where TrackingNum = '1Z'")).toMatch(/^400 4001 .*TrackingNum/);
});

test("any Latin-1 text survives quoting", () => {
  const latin1 = fc.string({
    unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)),
  });
  fc.assert(
    fc.property(latin1, (text) => {
      const quoted = text.replace(/[\\']/g, "\\$&");
      expect(parseQuery(`select * from Customer where DisplayName = '${quoted}'`).where[0]?.values).toEqual([
        text,
      ]);
    }),
  );
});

test("more than a thousand customers need pages", async () => {
  const realmId = "9130357849999001";
  await intuit.control("POST", "seed", {
    companies: [{ realmId, admins: ["5d1f0c1e-0001-4a5e-9c11-000000000001"], customers: 1203, items: 2 }],
  });
  await intuit.unlimited(realmId);
  const big = await intuit.connect(realmId);
  const page = async (start: number) =>
    (await big.query(`select * from Customer startposition ${start} maxresults 1000`)).body[
      "QueryResponse"
    ]?.["maxResults"];
  expect([await page(1), await page(1001)]).toEqual([1000, 203]);
  expect(await big.api("GET", `companyinfo/${ACME}`)).toMatchObject({ status: 200 });
});
