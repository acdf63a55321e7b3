import { expect, test } from "vitest";
import { getUser, userData } from "#features/identity/contract.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { sql } from "kysely";
import { switchCompany } from "#features/companies/contract.ts";
import { startApp } from "../../../test/support/start-app.ts";

test("GEN-02 AU-07 AU-08 GET /api/v1/user returns name, e-mail, groups and both companies by their realm ids", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const browser = await app.owner(BAY);
  expect(getUser.path).toBe("/api/v1/user");
  const user = userData.strict().parse((await browser.call(getUser)).json());
  expect({ ...user, companies: user.companies.toSorted((a, b) => a.id.localeCompare(b.id)) }).toEqual({
    first_name: "Olive",
    last_name: "Owner",
    username: "owner@acme.example",
    email: "owner@acme.example",
    groups: ["app", "brainchild"],
    companies: [
      { id: ACME, name: "Acme Tools", admin: "owner@acme.example", time_zone: "America/Los_Angeles" },
      { id: BAY, name: "Bay Supply", admin: "owner@acme.example", time_zone: "America/Los_Angeles" },
    ],
  });
});

test("CO-07 CO-09 a page contains only the session's company, whether it is the first, and the number of companies", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const browser = await app.owner(BAY);
  const page = async () => {
    const { text } = await browser.request("/app/");
    const user = /<script type="application\/json" id="user">(.*?)<\/script>/.exec(text)?.[1];
    return {
      bytes: text.length,
      user: JSON.parse(user ?? "{}") as {
        companies: unknown;
        company_count: number;
        company_is_first: boolean;
      },
    };
  };
  const before = await page();
  expect(before.user).toMatchObject({
    company_count: 2,
    company_is_first: true,
    companies: [{ id: ACME, name: "Acme Tools" }],
  });
  await browser.call(switchCompany, { query: { realm_id: BAY } });
  const elsewhere = app.browser();
  await elsewhere.signIn("owner@acme.example");
  await elsewhere.call(switchCompany, { query: { realm_id: ACME } });
  expect((await page()).user).toMatchObject({
    company_count: 2,
    company_is_first: false,
    companies: [{ id: BAY, name: "Bay Supply" }],
  });
  for (const table of ["company", "intuit_connection", "company_member"])
    await sql`insert into ${sql.table(table)} select (jsonb_populate_record(each, jsonb_build_object(
      'realm_id', (5000 + n)::text, 'id', gen_random_uuid()))).*
      from ${sql.table(table)} each, generate_series(1, 998) n where realm_id = ${ACME}`.execute(app.db);
  const after = await page();
  expect(after.user.company_count).toBe(1_000);
  expect(after.user.companies).toHaveLength(1);
  expect(after.bytes - before.bytes).toBeLessThan(20);
});
