import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { ACME, OLIVE, startTestIntuit } from "./test-kit.ts";

const intuit = await startTestIntuit();
afterAll(() => intuit.close());

test("a seeded company has the requested content, and its ids are returned", async () => {
  const realmId = "9130357849990001";
  const seeded = await intuit.control("POST", "seed", {
    users: [{ sub: "u-1", email: "u1@x.example" }],
    companies: [
      {
        realmId,
        name: "Seeded",
        admins: ["u-1", OLIVE],
        preferences: { SalesFormsPrefs: { CustomTxnNumbers: true } },
        customers: [
          { DisplayName: "A" },
          { DisplayName: "B", Parent: "A" },
          { DisplayName: "Off", Active: false },
        ],
        items: 3,
        invoices: 5,
      },
    ],
  });
  expect(seeded["companies"]?.[0]).toMatchObject({
    realmId,
    customers: { A: "1", "A:B": "2" },
    items: { "Item 00001": "1" },
  });
  const { api, query } = await intuit.connect(realmId);
  expect((await query("select count(*) from Invoice")).body["QueryResponse"]).toEqual({ totalCount: 5 });
  const { Preferences } = (await api("GET", "preferences")).body;
  expect(Preferences?.["SalesFormsPrefs"]).toMatchObject({
    CustomTxnNumbers: true,
    AllowShipping: true,
    CustomField: [
      { CustomField: [{ Name: "SalesFormsPrefs.UseSalesCustom1", BooleanValue: true }, {}, {}] },
      { CustomField: [{ Name: "SalesFormsPrefs.SalesCustomName1", StringValue: "Crew #" }] },
    ],
  });
  await expect(intuit.control("POST", "seed", { companies: [{ realmId }] })).rejects.toThrow("exists");
});

test("tokens of a company can be made to expire or be revoked", async () => {
  const { api, tokens } = await intuit.connect();
  expect(await intuit.control("POST", "tokens/expire", { realmId: ACME })).toEqual({ expired: 1 });
  expect((await api("GET", "preferences")).status).toBe(401);
  expect((await intuit.token({ grant_type: "refresh_token", refresh_token: tokens.refresh })).status).toBe(
    200,
  );
  await intuit.control("POST", "tokens/revoke", { realmId: ACME });
  expect((await intuit.token({ grant_type: "refresh_token", refresh_token: tokens.refresh })).status).toBe(
    400,
  );
});

test("a reset restores the demo, or leaves nothing", async () => {
  await intuit.control("POST", "reset", { seed: "empty" });
  expect(await intuit.control("GET", "companies")).toEqual({ companies: [] });
  const { companies } = await intuit.control("POST", "reset", {});
  expect(companies).toMatchObject([
    { name: "Acme Tools" },
    { name: "Bay Supply" },
    { name: "Newcomer Trading" },
    { name: "Maple Goods" },
  ]);
  expect((await (await intuit.connect()).api("GET", "preferences")).status).toBe(200);
});

test("the program prints its address and exits when its parent's pipe closes", async () => {
  const child = spawn(process.execPath, ["simulators/main.ts"], {
    env: { ...process.env, SIM_INTUIT_PORT: "0", SIM_MAIL_PORT: "0" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const { intuit: url } = JSON.parse(line.toString()) as { intuit: string };
  expect((await fetch(`${url}/.well-known/openid_configuration`)).status).toBe(200);
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});
