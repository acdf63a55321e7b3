import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect } from "vitest";
import { saveFolder } from "#features/orders/folders/contract.ts";
import { listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "./intuit.ts";
import { makeFolder } from "./places.ts";
import { openShippingDesk } from "./shipping.ts";
import { executeSystemRun } from "./system-runs.ts";

/** A shipping desk whose orders come, and whose notices leave, through a folder of this machine. */
export async function openFolderDesk() {
  const base = await makeFolder();
  const desk = await openShippingDesk({ env: { ORDER_FOLDERS: base } });
  const { app, browser } = desk;
  await app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  const query = { realm_id: ACME };
  expect((await browser.call(saveFolder, { query, json: { kind: "local" } })).status).toBe(200);
  const out = join(base, ACME, "out");
  const poll = async () => {
    await sql`update order_folder set next_at = now() - interval '1 year'`.execute(app.db);
    await executeSystemRun(app, "orders.poll-folders");
  };
  return {
    ...desk,
    poll,
    /** The retailer's file, taken at the second look. */
    receive: async (...numbers: number[]) => {
      const name = `orders-${numbers.join("-")}.edi`;
      const file = sampleFile({ sets: numbers.map((number) => sampleOrder(number)) });
      await writeFile(join(base, ACME, "in", name), file);
      for (const _look of [1, 2]) await poll();
    },
    /** Moves the clock past the cutoff; sessions end overnight. */
    passCutOff: async () => {
      app.clock.advance(24 * 3_600_000);
      await browser.signIn("owner@acme.example");
      await poll();
    },
    /** Files that the retailer got: control numbers of all files, and PO numbers of notices. */
    sent: async () => {
      const names = (await readdir(out)).toSorted();
      const texts = await Promise.all(names.map((name) => readFile(join(out, name), "utf8")));
      const numbers = texts.map((text) => /^ISA.{87}(\d{9})/.exec(text)?.[1] ?? text.slice(0, 106));
      const notices = names.flatMap((name) => /^(.+)-[0-9a-f]{8}\.edi$/.exec(name)?.[1] ?? []);
      return { numbers: numbers.toSorted(), notices: notices.filter((name) => !name.startsWith("997")) };
    },
    /** Labels bought, voided ones too. */
    shipments: async () =>
      (await desk.history()).labels.map(({ po_number, shipment }) => `${po_number} ${shipment}`).toSorted(),
    notices: async () =>
      ((await browser.call(listNotices, { query: { show: "all" } })).json() as { notices: Notice[] }).notices,
  };
}
