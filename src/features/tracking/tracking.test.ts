import { expect, test } from "vitest";
import { openTrackingDesk, until } from "../../../test/support/tracking.ts";

test("TK-01 TK-02 TK-04 an invoice with a UPS number gets its shipping details, and the proof once it is delivered", async () => {
  const desk = await openTrackingDesk();
  const [number = ""] = await desk.packages({ ageHours: 40 });
  const before = await desk.invoice({ DocNumber: "B-1", TrackingNum: `UPS ${number.toLowerCase()}` });
  await desk.turnOn();
  await desk.set({ attach_pods: "true" });
  const written = await until(
    desk.app.clock,
    () => desk.readInvoice(before.Id),
    ({ ShipDate }) => ShipDate !== undefined,
  );
  const { SyncToken: _one, MetaData: _made, ...rest } = before as typeof before & { MetaData: unknown };
  expect(written).toMatchObject({ ...rest, ShipMethodRef: { name: "UPS Ground" } });
  expect((await desk.list())[0]).toMatchObject({
    id: before.Id,
    number: "B-1",
    state: "in_transit",
    packages: 1,
  });
  await desk.move(number, "delivered");
  const [file] = await until(
    desk.app.clock,
    () => desk.files(before.Id),
    (files) => files.length > 0,
  );
  expect(file).toMatchObject({ FileName: `proof-of-delivery-${number}.pdf` });
  const details = await until(
    desk.app.clock,
    () => desk.details(before.Id),
    ({ details: [detail] }) => detail?.proof.attached_at !== null,
  );
  expect(details).toMatchObject({
    state: "delivered",
    delivered: 1,
    details: [
      { number, state: "delivered", service: "UPS Ground", proof: { state: "carrier", problem: "" } },
    ],
    written: { ship_date: written.ShipDate, ship_via: "UPS Ground", tracking_number: null, problem: "" },
  });
  expect(await desk.status()).toMatchObject({
    state: "on",
    ups_state: "connected",
    shipping_fields: "on",
    counts: { watched: 1, delivered: 1, moving: 0, attention: 0, delayed: 0, without_proof: 0 },
    problem: "",
  });
}, 180_000);
