import { PDFiumLibrary } from "@hyzyla/pdfium";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { readProof } from "#features/tracking/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { openTrackingDesk, until, type TrackingDesk } from "../../../test/support/tracking.ts";

const library = await PDFiumLibrary.init();
afterAll(() => library.destroy());

const QUERY = { realm_id: ACME };

const untilRead = ({ app }: TrackingDesk) =>
  until(
    app,
    () => sql`select from tracking_company where read_until is not null`.execute(app.db),
    ({ rows }) => rows.length === 1,
  );

async function proofText({ browser }: TrackingDesk, number: string): Promise<string> {
  const document = await library.loadDocument(
    await browser.download(readProof, { query: QUERY, params: { number } }),
  );
  const text = document.getPage(0).getText();
  document.destroy();
  return text;
}

test("TK-02 a proof on two invoices names neither, and no customer: each is the other's business", async () => {
  const desk = await openTrackingDesk();
  const [number = ""] = await desk.packages({ ageHours: 60 });
  const customers = await desk.app.intuit.control<{ Id: string; DisplayName: string; Active?: boolean }[]>(
    `books/${ACME}/Customer`,
  );
  const [first, second] = customers.filter(({ Active }) => Active !== false);
  const invoices = await Promise.all(
    [first, second].map((customer, at) =>
      desk.invoice({ DocNumber: `PROOF-${at}`, TrackingNum: number, CustomerRef: { value: customer?.Id } }),
    ),
  );
  await desk.turnOn();
  await desk.set({ attach_pods: "true" });
  for (const { Id } of invoices)
    await until(
      desk.app.clock,
      () => desk.files(Id),
      (files) => files.length === 1,
    );
  const text = await proofText(desk, number);
  expect(text).toContain(number);
  for (const name of ["PROOF-0", "PROOF-1", first?.DisplayName, second?.DisplayName])
    expect(text).not.toContain(name);
}, 180_000);

test("TK-01 one invoice with an extreme shipping amount, or U+0000 in its texts, holds up no other", async () => {
  const desk = await openTrackingDesk();
  const [number = ""] = await desk.packages({ ageHours: 60 });
  const shipping = {
    Amount: 30_000_000,
    DetailType: "SalesItemLineDetail",
    SalesItemLineDetail: { ItemRef: { value: "SHIPPING_ITEM_ID" } },
  };
  const { Id: odd } = await desk.invoice({
    Line: [shipping],
    TrackingNum: `${number} \0 by truck`,
  });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  for (const each of [id, odd])
    await until(
      desk.app.clock,
      () => desk.readInvoice(each),
      ({ ShipDate }) => ShipDate !== undefined,
    );
  expect(await desk.status()).toMatchObject({ problem: "" });
}, 180_000);

test("changes that can't be stored are read again as seldom as others: reads are metered for all companies", async () => {
  const desk = await openTrackingDesk();
  await desk.turnOn();
  await untilRead(desk);
  const { db } = desk.app;
  await sql`alter table tracked_invoice add constraint full_disk check (number <> 'FULL')`.execute(db);
  await sql`update tracking_company set reads_left = 1, reads_at = now(), repeat_at = null`.execute(db);
  const before = (await desk.booksCalls("cdc")).length;
  await desk.invoice({ DocNumber: "FULL" });
  const countPasses = async () => {
    const { rows } = await sql<{ failed: number; ended: number }>`select
        (select count(*)::int from run_failure where run_id = run.id) as failed,
        (state = 'waiting' and cause ->> 'code' = 'watching')::int as ended
      from run where kind = 'tracking.watch'`.execute(db);
    return rows[0] ?? { failed: 0, ended: 0 };
  };
  // The pass after the one that failed: it has ended, or failed as well.
  await until(desk.app.clock, countPasses, ({ failed, ended }) => failed > 0 && failed + ended > 1);
  expect(await desk.booksCalls("cdc")).toHaveLength(before + 1);
}, 180_000);

test("TR-28 searches of QuickBooks for a lost answer count as reads also if their outcome can't be stored", async () => {
  const desk = await openTrackingDesk();
  await desk.turnOn();
  await untilRead(desk);
  await desk.set({ attach_pods: "true" });
  const { db, intuit } = desk.app;
  await sql`alter table tracking_write add constraint full_disk check (state = 'open' or operation <> 'attach')`.execute(
    db,
  );
  const lost = { fault: "committed_answer_lost", match: { operation: "upload" }, once: true };
  await intuit.control("faults", [lost]);
  await sql`update tracking_company set reads_left = 6, reads_at = ${desk.app.clock.now()}`.execute(db);
  const before = (await desk.booksCalls()).length;
  const [number = ""] = await desk.packages({ ageHours: 60 });
  await desk.invoice({ TrackingNum: number });
  const countFailures = async () =>
    (
      await sql`select from run_failure where run_id = (select id from run where kind = 'tracking.watch')`.execute(
        db,
      )
    ).rows.length;
  await until(desk.app.clock, countFailures, (failures) => failures > 0);
  const { rows } = await sql<{ left: number }>`select reads_left as left from tracking_company`.execute(db);
  const calls = (await desk.booksCalls()).slice(before).map(({ operation }) => String(operation));
  expect(calls.filter((operation) => operation === "query")).toHaveLength(2);
  expect(6 - (rows[0]?.left ?? 6)).toBe(calls.filter((operation) => /^(cdc|query)$/.test(operation)).length);
}, 180_000);

test("TK-01 a reported change whose read was cut off is read by the next pass", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const [number = ""] = await desk.packages({ ageHours: 60 });
  await desk.turnOn();
  await untilRead(desk);
  await app.intuit.control("faults", { fault: "hold", match: { operation: "cdc" } });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  type Rules = { rules: { fired: number }[] };
  await until(
    app,
    () => app.intuit.control<Rules>("faults"),
    ({ rules }) => (rules[0]?.fired ?? 0) > 0,
  );
  // As the lease of a killed worker ends.
  await sql`update run set fence = fence + 1, state = 'queued' where kind = 'tracking.watch' and state = 'working'`.execute(
    app.db,
  );
  await app.intuit.control("faults", undefined, "DELETE");
  await until(
    desk.app.clock,
    () => desk.readInvoice(id),
    ({ ShipDate }) => ShipDate !== undefined,
  );
}, 180_000);
