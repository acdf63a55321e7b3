import { expect, test } from "vitest";
import { openFile, openUpload, type OpenedUpload } from "#features/admin/contract.ts";
import { listTrail, type TrailEntry } from "#features/companies/trail/contract.ts";
import * as support from "#features/companies/support/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceRows } from "../../../../test/support/workbooks.ts";

const ABOUT = { query: { realm_id: ACME } };

const open = (operator: Browser, file: string, realm_id = ACME) =>
  operator.call(openFile, { params: { kind: "workbook", file }, query: { realm_id } });

const readGrants = async (owner: Browser) =>
  ((await owner.call(support.listGrants, ABOUT)).json() as { grants: support.SupportGrant[] }).grants;

test("OP-13 SR-06 a file and its upload open in Admin only under a grant of its company, which ends by itself after 24 hours or when the admin ends it", async () => {
  const clock = steppedClock();
  const app = await startApp({ worker: false, clock });
  const owner = await app.owner(ACME);
  const { id } = (await uploadRows(owner, ACME, invoiceRows(2, { prefix: "SUP" }))).json() as { id: string };
  const operator = await app.owner(BAY, "platform@dockside.example");
  const refusal = { status: 403, code: "support_grant_needed" };
  expect((await open(operator, id)).json()).toMatchObject(refusal);
  const see = (realm_id = ACME) =>
    operator.call(openUpload, { params: { upload_id: id }, query: { realm_id } });
  expect((await see()).json()).toMatchObject(refusal);
  const ask = async (realm_id: string) =>
    (await operator.call(support.askForGrant, { json: { realm_id, reason: "Ticket 7" } })).status;
  expect([await ask(BAY), await ask("1"), (await open(operator, id)).status]).toEqual([200, 404, 403]);
  expect(await ask(ACME)).toBe(200);
  const opened = await open(operator, id);
  expect([opened.status, opened.headers.get("content-disposition")]).toEqual([
    200,
    expect.stringContaining("invoices.xlsx"),
  ]);
  const seen = (await see()).json() as OpenedUpload;
  expect(seen.receipt).toMatchObject({ filename: "invoices.xlsx", company: "Acme Tools" });
  expect([seen.ends_at]).toEqual((await readGrants(owner)).map(({ ends_at }) => ends_at));
  expect([(await open(operator, id, BAY)).status, (await see(BAY)).status]).toEqual([404, 404]);
  expect(await readGrants(owner)).toMatchObject([
    { operator: "platform@dockside.example", reason: "Ticket 7" },
  ]);
  clock.advance(23 * 3_600_000);
  const [late] = [app.browser()];
  await late.signIn("platform@dockside.example");
  expect((await open(late, id)).status).toBe(200);
  clock.advance(2 * 3_600_000);
  const later = app.browser();
  await later.signIn("platform@dockside.example");
  expect((await open(later, id)).json()).toMatchObject(refusal);
  const admin = app.browser();
  await admin.signIn("owner@acme.example");
  expect(await readGrants(admin)).toEqual([]);
  await later.call(support.askForGrant, { json: { realm_id: ACME, reason: "Ticket 8" } });
  const [grant] = await readGrants(admin);
  const end = () => admin.call(support.endGrant, { query: { realm_id: ACME, grant_id: grant?.id ?? "" } });
  expect([(await end()).status, (await end()).status]).toEqual([200, 200]);
  expect((await open(later, id)).json()).toMatchObject(refusal);
  const { entries } = (await admin.call(listTrail, ABOUT)).json() as { entries: TrailEntry[] };
  const titles = entries.filter(({ action }) => action.startsWith("support.")).map(({ title }) => title);
  expect(titles).toEqual([
    "Ended support's access to files",
    "Gave support access to the company's files",
    "Opened a file for support",
    "Opened an upload for support",
    "Opened a file for support",
    "Gave support access to the company's files",
  ]);
});
