import { sql } from "kysely";
import { expect, test } from "vitest";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { SHORT_WRITE_WAITS } from "../../../test/support/run-product.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { openTrackingDesk, until, type TrackingDesk } from "../../../test/support/tracking.ts";

const listNumbers = async (desk: TrackingDesk, id: string) =>
  (await desk.details(id)).details.map(({ number }) => number);

/** Reads only what is reported: the read that follows a reported change by minutes is left out. */
const readOnce = ({ app }: TrackingDesk) => sql`update tracking_company set repeat_at = null`.execute(app.db);

test("TK-01 TK-04 a number that a user changes while we write is followed, and nothing of the old package is written", async () => {
  const desk = await openTrackingDesk();
  const { app } = desk;
  const [wrong = "", right = ""] = [
    ...(await desk.packages({ ageHours: 60 })),
    ...(await desk.packages({ ageHours: 1 })),
  ];
  await app.intuit.control("faults", { fault: "hold", match: { operation: "invoice.update" } });
  const { Id: id } = await desk.invoice({ TrackingNum: wrong });
  await desk.turnOn();
  await until(
    desk.app.clock,
    () => sql`select from write where vendor = 'intuit_shipping' and state = 'sent'`.execute(app.db),
    ({ rows }) => rows.length === 1,
  );
  const edited = await desk.edit(id, { TrackingNum: right, DocNumber: "EDITED" });
  await app.intuit.control("faults", undefined, "DELETE");
  await until(
    desk.app.clock,
    () => desk.list(),
    ([invoice]) => invoice?.number === "EDITED",
  );
  expect(await listNumbers(desk, id)).toEqual([right]);
  expect(await desk.readInvoice(id)).toEqual(edited);
}, 180_000);

test("TK-01 a change by a user soon after a write of ours is not taken for its echo", async () => {
  const clock = steppedClock();
  const desk = await openTrackingDesk({ clock });
  const [number = ""] = await desk.packages({ ageHours: 60 });
  const [added = ""] = await desk.packages({ ageHours: 1 });
  await desk.turnOn();
  await until(
    desk.app.clock,
    () => sql`select from tracking_company where read_until is not null`.execute(desk.app.db),
    ({ rows }) => rows.length === 1,
  );
  // Reported and read, so that only the report of the edit can cause the next read.
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await until(
    desk.app.clock,
    () => sql`select from tracking_write where operation = 'update' and state = 'done'`.execute(desk.app.db),
    ({ rows }) => rows.length === 1,
  );
  clock.advance(8_000);
  await readOnce(desk);
  await desk.edit(id, { TrackingNum: `${number}, ${added}` });
  await until(
    desk.app.clock,
    () => listNumbers(desk, id),
    (numbers) => numbers.length === 2,
    45_000,
  );
}, 180_000);

const TYPED = { ShipDate: "2026-01-02", ShipMethodRef: { value: "Truck", name: "Truck" } };

test.each([
  { operation: "invoice.update", fault: "503", fields: TYPED, files: 1 },
  { operation: "invoice.update", fault: "revoked", fields: TYPED, files: 1 },
  { operation: "upload", fault: "503", fields: { TrackingNum: "by truck" }, files: 0 },
  { operation: "upload", fault: "revoked", fields: { TrackingNum: "by truck" }, files: 0 },
])(
  "TK-04 what a user changes while a write waits for QuickBooks stays, and gets no proof of another package: $operation, $fault",
  async ({ operation, fault, fields, files }) => {
    const desk = await openTrackingDesk({ env: SHORT_WRITE_WAITS });
    const { app } = desk;
    const [number = ""] = await desk.packages({ ageHours: 60 });
    await app.intuit.control("faults", { fault, match: { operation } });
    const { Id: id } = await desk.invoice({ TrackingNum: number });
    await desk.turnOn();
    await desk.set({ attach_pods: "true" });
    await until(
      desk.app.clock,
      () => desk.booksCalls(operation),
      (calls) => calls.length > 0,
    );
    await desk.edit(id, fields);
    if (fault === "revoked") {
      await until(desk.app.clock, desk.status, ({ problem }) => problem !== "");
      await app.intuit.control("faults", undefined, "DELETE");
      // An hour later, so that the changes are read before anything is written.
      await sql`update tracking_company set changed_at = changed_at - interval '1 hour'`.execute(app.db);
      await app.owner(ACME);
    }
    // Reports of another invoice let this one be read too.
    await desk.invoice({ DocNumber: "OTHER" });
    const hurry = () => sql`update run set due_at = now() where kind = 'tracking.watch'`.execute(app.db);
    const edited = await until(
      desk.app.clock,
      async () => {
        await hurry();
        const invoice = await desk.readInvoice(id);
        const known =
          await sql`select from tracked_invoice where qbo_id = ${id} and sync_token = ${invoice.SyncToken}`.execute(
            app.db,
          );
        return known.rows.length === 1 ? invoice : null;
      },
      (invoice) => invoice !== null,
    );
    await app.intuit.control("faults", undefined, "DELETE");
    await until(
      desk.app.clock,
      async () => {
        await hurry();
        return sql`select from tracking_write where state = 'open'`.execute(app.db);
      },
      ({ rows }) => rows.length === 0,
    );
    expect(await desk.readInvoice(id)).toMatchObject(fields);
    expect(edited).not.toBeNull();
    if (files > 0)
      await until(
        desk.app.clock,
        () => desk.files(id),
        (found) => found.length === files,
      );
    else expect(await desk.files(id)).toEqual([]);
  },
  240_000,
);

test("TK-04 a file of several proofs that waits for QuickBooks is dropped if a user takes one of their numbers off", async () => {
  const desk = await openTrackingDesk({ env: SHORT_WRITE_WAITS });
  const { app } = desk;
  const [kept = "", wrong = ""] = await desk.packages({ packages: 2, ageHours: 60 });
  const [right = ""] = await desk.packages({ ageHours: 1 });
  await app.intuit.control("faults", { fault: "503", match: { operation: "upload" } });
  const { Id: id } = await desk.invoice({ TrackingNum: `${kept}, ${wrong}` });
  await desk.turnOn();
  await desk.set({ attach_pods: "true", pods_together: "true" });
  await until(
    app.clock,
    () => desk.booksCalls("upload"),
    (calls) => calls.length > 0,
  );
  await desk.edit(id, { TrackingNum: `${kept}, ${right}` });
  await until(
    app.clock,
    () => listNumbers(desk, id),
    (numbers) => numbers.includes(right),
  );
  await app.intuit.control("faults", undefined, "DELETE");
  const findOpen = () => sql`select from tracking_write where state = 'open'`.execute(app.db);
  await until(app.clock, findOpen, ({ rows }) => rows.length === 0);
  expect(await desk.files(id)).toEqual([]);
  const { details } = await desk.details(id);
  expect(details.map(({ number, proof }) => [number, proof.attached_at, proof.problem])).toEqual([
    [kept, null, ""],
    [right, null, ""],
  ]);
  await desk.move(right, "delivered");
  const files = await until(
    app.clock,
    () => desk.files(id),
    (found) => found.length > 0,
  );
  expect(files.map(({ FileName }) => FileName)).toEqual(["proofs-of-delivery.pdf"]);
}, 180_000);
