import { expect, test } from "vitest";
import { removeUser } from "#features/companies/contract.ts";
import { getUser } from "#features/identity/contract.ts";
import { listUploads } from "#features/invoices/contract.ts";
import { makeKey, revokeKey } from "#features/programs/api-keys/contract.ts";
import { cancelOrder, voidShipment } from "#features/shipping/contract.ts";
import { downloadNotices } from "#features/orders/notices-out/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { openFolderDesk } from "../../../../test/support/folder-desk.ts";
import { backUpApp } from "../../../../test/support/older-backup.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { joinAs } from "../../../../test/support/members.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { pollPackages } from "../../../../test/support/system-runs.ts";

test("UO-10 an older backup put back: no control number or notice twice, no label bought twice, and the orders taken since exist again", async () => {
  const desk = await openFolderDesk();
  const { app, browser } = desk;
  await desk.receive(1, 2, 4, 5);
  for (const po of ["80001", "80005"]) expect((await desk.ship(po)).status).toBe(200);
  const putBack = await backUpApp(app);

  await desk.receive(3);
  expect((await desk.add(sampleFile({ sets: [sampleOrder(6)] }), "by-hand.edi")).documents).toHaveLength(1);
  const [label] = (await desk.history({ q: "80005" })).labels;
  const voided = { po_number: "80005", shipment: label?.shipment ?? "" };
  expect((await browser.call(voidShipment, { query: voided })).status).toBe(200);
  for (const po of ["80002", "80003"]) expect((await desk.ship(po)).status).toBe(200);
  const cancel = () => browser.call(cancelOrder, { query: { customer: "retailer", po_number: "80004" } });
  expect((await cancel()).status).toBe(200);
  await desk.passCutOff();
  const before = await desk.sent();
  expect(before.notices).toEqual([
    "cancellation-80004",
    "ship-notice-80001",
    "ship-notice-80002",
    "ship-notice-80003",
  ]);
  const bought = await desk.shipments();
  const calls = await desk.shipCalls();

  const report = await putBack();
  for (const part of [
    /bought after the backup.*\n {4}company \d+, PO # 80002: 1Z\w+\n {4}company \d+, PO # 80003: 1Z\w+\n/,
    /asked about these voids again:\n {4}company \d+: 1Z\w+\n/,
    /won't be sent again.*\n(?: {4}company .*\n)*? {4}company \d+, PO # 80004: cancellation, control number \d+\n/,
    /came in another way: ask their senders for them again\.\n {4}company \d+, by-hand\.edi at \S+: 1 orders\n/,
  ])
    expect(report).toMatch(part);

  await browser.signIn("owner@acme.example");
  await desk.poll();
  const open = (await desk.open()).map(({ po_number }) => po_number);
  expect(open.toSorted()).toEqual(["80002", "80003", "80004"]);
  // The retailer knows that it is canceled.
  const refused = await desk.ship("80004");
  expect([refused.status, (refused.json() as { code: string }).code]).toEqual([
    409,
    "order_cancelled_before",
  ]);
  expect((await cancel()).status).toBe(200);
  for (const po of ["80002", "80003"]) expect((await desk.ship(po)).status).toBe(200);
  await pollPackages(app);
  expect((await desk.open()).map(({ po_number }) => po_number)).toEqual(["80005"]);
  expect(await desk.shipCalls()).toBe(calls);
  expect(await desk.shipments()).toEqual(bought);
  expect((await desk.notices()).map(({ po_number, state }) => `${po_number} ${state}`).toSorted()).toEqual([
    "80001 sent",
    "80002 sent",
    "80003 sent",
    "80004 sent",
    "80005 withdrawn",
  ]);
  await desk.passCutOff();
  expect(await desk.sent()).toEqual(before);
  const [known] = await desk.notices();
  const gone = await browser.call(downloadNotices, { json: { ids: [known?.id] } });
  expect((gone.json() as { detail: string }).detail).toMatch(
    /^The notice about PO # 8000\d was sent before the database was restored, so its file isn't here anymore\.$/,
  );
  await desk.receive(7);
  const after = (await desk.sent()).numbers;
  expect(after).toHaveLength(before.numbers.length + 1);
  expect(new Set(after).size).toBe(after.length);
});

test("a restore signs everyone out, and its report says that access withdrawn since counts again, with each company's API keys in use", async () => {
  const app = await startApp({ worker: false });
  const query = { realm_id: ACME };
  const owner = await app.owner(ACME);
  await owner.connect("owner@acme.example", BAY);
  const made = await Promise.all(
    ["ERP", "Shop", "Old"].map(async (name) => {
      const reply = await owner.call(makeKey, { query, json: { name, scopes: ["read"] } });
      return reply.json() as { key: { id: string }; secret: string };
    }),
  );
  const revoke = (at: number) =>
    owner.call(revokeKey, { query: { ...query, key_id: made[at]?.key.id ?? "" } });
  await revoke(2);
  const clerk = await joinAs(app, owner, { realmId: ACME, email: "clerk@acme.example" });
  const putBack = await backUpApp(app);
  await revoke(0);
  await owner.call(removeUser, { query: { ...query, email: "clerk@acme.example" } });
  const report = await putBack();
  expect(report).toMatch(
    /\n- Access that was withdrawn after \S+Z counts again: revoke API keys, remove and block users, and delete companies once more\. All users must sign in again\.\n/,
  );
  expect(report.split("\n").map((line) => line.split("\t"))).toEqual(
    expect.arrayContaining([
      ["company", "name", "upload", "labels", "UPS labels", "open runs", "API keys in use"],
      [ACME, "Acme Tools", "none", "none", "none", "0", "2"],
      [BAY, "Bay Supply", "none", "none", "none", "0", "0"],
    ]),
  );
  for (const browser of [owner, clerk]) expect((await browser.call(getUser)).status).toBe(401);
  const headers = { authorization: `Bearer ${made[0]?.secret}`, origin: "" };
  expect((await app.browser().call(listUploads, { headers })).status).toBe(200);
});
