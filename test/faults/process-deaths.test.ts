import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { changeSettings } from "#features/companies/contract.ts";
import { openDesk } from "#features/invoices/undo/fixtures/open-desk.ts";
import { createLabels, listLabelUploads, type LabelUploads } from "#features/labels/contract.ts";
import { startDyingProcess } from "../support/dying-process.ts";
import { ACME, type JournalEntry } from "../support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../support/labels.ts";
import { CARTON, openShippingDesk } from "../support/shipping.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { openTrackingDesk, turnOn, until } from "../support/tracking.ts";

/** Statements after which the first worker dies: at the start, during its work and near its end. */
const DIES = [6, 15, 30];

/** Each work of a worker, begun by one that dies and finished by another. Uploads have a test of their own. */
const WORKS: Record<string, (dies: number) => Promise<void>> = {
  "an undo deletes each invoice once": async (dies) => {
    const desk = await openDesk(20, { worker: false });
    const stop = await desk.app.work();
    const upload = await desk.upload();
    await desk.clock.during(stop());
    expect(await desk.made()).toHaveLength(20);
    await dieAndTakeOver(desk.app, dies, async () => {
      expect((await desk.ask(upload.id)).status).toBe(202);
    });
    const { run } = await desk.preview(upload.id);
    expect([run?.state, run?.undone.invoices, await desk.made()]).toEqual(["finished", 20, []]);
    const { entries } = await desk.app.intuit.control<{ entries: JournalEntry[] }>("journal?limit=5000");
    const ids = entries.flatMap(({ requestid }) => (requestid ? [requestid] : []));
    expect(new Set(ids).size).toBe(ids.length);
  },
  "a sheet becomes labels once, each with a number of its own": async (dies) => {
    const app = await startApp({ worker: false });
    const owner = await app.owner(ACME);
    await setUpLabels(owner);
    const bytes = await labelWorkbook(Array.from({ length: 20 }, (_, i) => ({ "PO Number": `${8000 + i}` })));
    await dieAndTakeOver(app, dies, async () => {
      await owner.call(createLabels, {
        headers: { "x-realm-id": ACME },
        json: { print_id: randomUUID() },
        file: { name: "week12.xlsx", bytes },
      });
    });
    const { uploads } = (await owner.call(listLabelUploads)).json() as LabelUploads;
    expect(uploads).toMatchObject([{ state: "made", label_count: 20 }]);
  },
  "an order's labels are bought once": async (dies) => {
    const desk = await openShippingDesk({ worker: false });
    await desk.addSamples(1);
    await dieAndTakeOver(desk.app, dies, async () => {
      await desk.ship("80001", [CARTON, CARTON, CARTON]);
    });
    await desk.app.settle(600_000);
    const { labels } = await desk.history();
    expect(labels).toMatchObject([{ po_number: "80001", carton_count: 3, state: "live" }]);
    expect(await desk.shipCalls()).toBe(1);
  },
  "a delivered package has its proof on the invoice once": async (dies) => {
    const desk = await openTrackingDesk();
    const [number = ""] = await desk.packages({ ageHours: 40 });
    const { Id } = await desk.invoice({ DocNumber: "B-1", TrackingNum: number });
    await desk.move(number, "delivered");
    await desk.browser.call(changeSettings, { query: { realm_id: ACME }, json: { attach_pods: "true" } });
    await dieAndTakeOver(desk.app, dies, () => turnOn(desk.app));
    await until(
      desk.app.clock,
      () => desk.files(Id),
      (files) => files.length > 0,
    );
    await desk.app.settle(600_000);
    expect(await desk.files(Id)).toMatchObject([{ FileName: `proof-of-delivery-${number}.pdf` }]);
    expect((await desk.list())[0]).toMatchObject({ id: Id, state: "delivered" });
  },
};

test.each(Object.keys(WORKS).flatMap((name) => DIES.map((dies) => [name, dies] as const)))(
  "%s, though the worker that began it dies after %d statements",
  (name, dies) => WORKS[name]?.(dies),
);

async function dieAndTakeOver(app: TestApp, dies: number, begin: () => Promise<void>): Promise<void> {
  const first = await startDyingProcess(app, { dies });
  await begin();
  await app.settle(30_000);
  expect(first.isDead(), `It sent ${first.statements()} statements.`).toBe(true);
  await app.work();
  await app.settle(180_000);
}
