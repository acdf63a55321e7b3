import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeOrderInvoiceSettings } from "#features/order-invoices/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "../../../test/support/intuit.ts";
import {
  matchAll,
  openSecondDesk,
  openThreadDesk,
  prepareSample,
  type ThreadDesk,
} from "../../../test/support/thread.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

async function postWhenShipped({ browser }: ThreadDesk): Promise<void> {
  const json = { posts_when_shipped: true };
  expect((await browser.call(changeOrderInvoiceSettings, { json })).status).toBe(200);
}

test("TD-12 a company without space for another file keeps no other company's orders from being billed", async () => {
  const desk = await openThreadDesk();
  const orderId = await prepareSample(desk);
  const other = await openSecondDesk(desk);
  const othersId = await prepareSample(other);
  await desk.signIn();
  await uploadRows(desk.browser, ACME, [invoiceLine("77001")]);
  await settledUploads(desk.browser, ACME);
  const store = (bytes: number) =>
    sql`update upload set size_bytes = ${bytes} where realm_id = ${ACME}`.execute(desk.app.db);
  await store(10 ** 10);
  for (const each of [desk, other]) await postWhenShipped(each);
  await desk.app.settle(180_000);
  expect((await other.view(othersId)).invoices).toMatchObject([{ state: "posted" }]);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "draft", can_post: true }]);
  await store(0);
  await desk.app.settle(180_000);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ state: "posted" }]);
});

test("TD-12 shipments of a disconnected company, however many, keep no other company's orders from being billed", async () => {
  const desk = await openThreadDesk();
  const { db, intuit, settle } = desk.app;
  const cheap = (number: number) =>
    sampleOrder(number).map((each) => each.replace(/EA\*(12\.50|\.75)/, "EA*9000"));
  await desk.add(sampleFile({ sets: [cheap(1), cheap(2)] }));
  expect((await desk.ship("80001")).status).toBe(200);
  await matchAll(desk);
  await sql`insert into company (realm_id, name, created_at) values ('1', 'Disconnected', now())`.execute(db);
  await sql`insert into retail_order (realm_id, id, partner, po_number, customer_name, content, fingerprint, slip_file, document_id,
      received_at)
    select '1', gen_random_uuid(), o.partner, n::text, o.customer_name, o.content, '', n::text, o.document_id, o.received_at
    from retail_order o cross join generate_series(1, 200) n where o.po_number = '80001'`.execute(db);
  await sql`insert into order_shipment select '1', gen_random_uuid(), o.id, 1, s.shipped_at, s.service, s.cartons, s.lines
    from order_shipment s cross join retail_order o where o.realm_id = '1'`.execute(db);
  await postWhenShipped(desk);
  expect((await desk.ship("80002")).status).toBe(200);
  await desk.leave();
  await settle(180_000);
  const numbers = (await intuit.invoices(ACME)).map(({ DocNumber }) => DocNumber);
  expect(numbers).toEqual(expect.arrayContaining(["80001", "80002"]));
});
