import { expect, test } from "vitest";
import { switchCompany } from "#features/companies/contract.ts";
import { openDesk, type Desk } from "../../../../test/support/desk.ts";
import { ACME, BAY, MAPLE } from "../../../../test/support/intuit.ts";
import { invoiceRows } from "../../../../test/support/workbooks.ts";

const INVOICES = 20;
const AWAY_MS = 6 * 60_000;
const WRITES = { method: "POST", path: "/(batch|invoice)$" };

/** Faults of one call each, as `simulators/intuit/fault-rules.ts` knows them. The batteries try the others of their kind. */
const FAULTS: Record<string, object[]> = {
  "an answer that is lost after the commit": [
    { fault: "committed_answer_lost", match: { operation: "batch" }, count: 1, hiddenS: 60 },
  ],
  "a server error after the commit, with other rates stored": [
    { fault: "committed_500", match: { operation: "invoice.create" }, count: 3, altered: true },
  ],
  "a gateway's page in place of the answer, after the commit": [
    { fault: "gateway", status: 502, committed: true, count: 1, match: WRITES },
  ],
  "a proxy's empty answer of 200": [
    { fault: "gateway", status: 200, page: "empty", count: 2, match: WRITES },
  ],
  "repeats that are refused though the first was stored": [
    { fault: "committed_answer_lost", match: { operation: "batch" }, count: 1, hiddenS: 300 },
    { fault: "code", code: "6000", match: { operation: "invoice.create", repeat: true }, count: 2 },
  ],
};

test.each(Object.keys(FAULTS).map((name, index) => [name, [ACME, BAY][index % 2] ?? ACME] as const))(
  "after %s each invoice of an upload is in the books once (%s)",
  async (name, realmId) => {
    const desk = await openDesk(realmId);
    await desk.faults(FAULTS[name] ?? []);
    await desk.send(invoiceRows(INVOICES, { prefix: realmId === ACME ? "F" : "" }));
    const upload = await untilEnd(desk);
    expect(upload?.counts).toMatchObject({ completed: INVOICES, problems: 0, open: 0 });
    const made = await desk.made();
    expect(made).toHaveLength(INVOICES);
    expect(new Set(made.map(({ TotalAmt }) => TotalAmt)).size).toBe(INVOICES);
  },
);

test("while QuickBooks is away an upload waits and says so, and then goes on by itself", async () => {
  const desk = await openDesk(ACME);
  await desk.faults([{ fault: "503" }]);
  await desk.send(invoiceRows(INVOICES, { prefix: "W" }));
  await desk.app.settle(AWAY_MS);
  expect((await desk.list())[0]?.results).toMatchObject([
    {
      rows: "2-21",
      message: "Waiting: QuickBooks isn't responding. Nothing is lost; the upload will continue by itself.",
    },
  ]);
  await desk.noFaults();
  expect((await untilEnd(desk))?.counts).toMatchObject({ completed: INVOICES, problems: 0 });
  expect(await desk.made()).toHaveLength(INVOICES);
});

test("an upload goes into the books of the company that it was sent for, though its user chooses another meanwhile", async () => {
  const desk = await openDesk(ACME, { worker: false });
  await desk.browser.connect("owner@acme.example", MAPLE);
  const before = await desk.app.intuit.invoices(MAPLE);
  await desk.send(invoiceRows(INVOICES, { prefix: "C" }));
  await desk.browser.call(switchCompany, { json: { realm_id: MAPLE } });
  await desk.app.work();
  await desk.app.settle();
  expect(await desk.made()).toHaveLength(INVOICES);
  expect(await desk.app.intuit.invoices(MAPLE)).toEqual(before);
});

test("odd characters in cells and in QuickBooks' refusal fail no other row", async () => {
  const desk = await openDesk(ACME);
  await desk.faults([
    {
      fault: "code",
      code: "6540",
      detail: "\u0000 \ud83d <b>$& %s {0}\u202e",
      match: { operation: "invoice.create" },
      count: 1,
    },
  ]);
  const rows = invoiceRows(INVOICES, { prefix: "O" }).map((row) => ({
    ...row,
    Description: "ü <script>$& {0} %s",
  }));
  await desk.send(rows);
  const { counts } = (await untilEnd(desk)) ?? {};
  expect(counts?.open).toBe(0);
  expect(await desk.made()).toHaveLength(counts?.completed ?? -1);
  expect(counts?.completed).toBeGreaterThanOrEqual(INVOICES - 1);
});

/** Lets minutes pass until no row of the newest upload is open; a search and a repeat wait for some. */
async function untilEnd(desk: Desk) {
  for (let minute = 0; minute < 15; minute += 1) {
    await desk.app.settle(60_000);
    const [upload] = await desk.list();
    if (upload?.counts.open === 0) return upload;
  }
  throw new Error("The upload does not end.");
}
