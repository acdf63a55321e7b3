import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  downloadExport,
  listExports,
  requestExport,
  type DataExport,
} from "#features/companies/data-export/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { makeFolder } from "../../../test/support/places.ts";
import { openThreadDesk, prepareSample } from "../../../test/support/thread.ts";
import { verifyExport } from "../../../test/support/verify-export.ts";

test("TD-18 OP-17 an export of the company has the whole thread: order, shipment, matched names, invoice, and each document as it left", async () => {
  const desk = await openThreadDesk();
  const { app, browser } = desk;
  const orderId = await prepareSample(desk);
  await desk.post(orderId);
  await app.settle(60_000);
  await desk.leave();
  const about = { query: { realm_id: ACME } };
  const { export: asked } = (await browser.call(requestExport, about)).json() as { export: DataExport };
  await app.settle(60_000);
  const { exports } = (await browser.call(listExports, about)).json() as { exports: DataExport[] };
  expect(exports).toMatchObject([{ id: asked.id, state: "made" }]);
  const file = join(await makeFolder(), "export.tar");
  await writeFile(
    file,
    await browser.download(downloadExport, { ...about, params: { export_id: asked.id } }),
  );
  const { tables, files, folder } = await verifyExport(file);
  const counts = Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
  expect(counts).toMatchObject({ retail_order: 1, order_shipment: 1, order_invoice: 1, order_notice: 2 });
  expect(counts["order_match"]).toBeGreaterThan(0);
  const { invoices } = await desk.view(orderId);
  const invoice = await readFile(join(folder, "tables/order_invoice.csv"), "utf8");
  expect(invoice).toContain(`${invoices[0]?.number}`);
  const texts = await Promise.all(files.map(({ path }) => readFile(join(folder, path), "latin1")));
  // The retailer's order and its answer, the ship notice, and the invoice document that names QuickBooks' invoice.
  for (const part of ["ST*850*", "ST*856*", "ST*997*", `*${invoices[0]?.number}*`])
    expect(
      texts.filter((text) => text.startsWith("ISA") && text.includes(part)).length,
      part,
    ).toBeGreaterThan(0);
  expect(texts.some((text) => text.includes("ST*810*"))).toBe(true);
});
