import { type RawBuilder, sql } from "kysely";
import { expect } from "vitest";
import { steppedClock } from "./stepped-clock.ts";
import { BAY } from "./intuit.ts";
import { startApp } from "./start-app.ts";
import { settledUploads } from "./uploads.ts";
import { invoiceWorkbook, type InvoiceRow } from "./workbooks.ts";
import { postInvoices, type UploadSummary } from "#features/invoices/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";

/** A company whose numbers QuickBooks assigns: nothing in the books keeps an invoice from being created twice. */
export async function openDesk({ realmId = BAY, email = "platform@dockside.example", worker = true } = {}) {
  const app = await startApp({ clock: steppedClock(), worker });
  const browser = await app.owner(realmId, email);
  const known = new Set((await app.intuit.invoices(realmId)).map(({ Id }) => Id));
  const query = { realm_id: realmId };
  const accept = async (bytes: Uint8Array, name: string): Promise<UploadSummary> => {
    const accepted = await browser.call(postInvoices, { query, file: { name, bytes } });
    expect([accepted.status, accepted.status === 202 ? "" : accepted.text]).toEqual([202, ""]);
    return accepted.json() as UploadSummary;
  };
  const post = async (bytes: Uint8Array, name = "november.xlsx"): Promise<UploadSummary> => {
    const { id } = await accept(bytes, name);
    const found = (await settledUploads(browser, realmId)).uploads.find((upload) => upload.id === id);
    if (!found) throw new Error("The upload is not in the list.");
    return found;
  };
  const ask = async ({ id }: UploadSummary) => {
    const asked = await browser.call(startUndo, {
      query,
      params: { upload_id: id },
      json: { action: "delete" },
    });
    expect(asked.status).toBe(202);
  };
  return {
    app,
    browser,
    query,
    accept,
    post,
    /** Holds a lock, lets others begin, and once that many wait for it runs an action and releases it. */
    holdUp: async (
      lock: RawBuilder<unknown>,
      others: { begin: () => Promise<void>; waiting: number; act: () => Promise<void> },
    ) => {
      const waiting = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ~ '(for share|pg_advisory_xact_lock)'`;
      await app.db.transaction().execute(async (tx) => {
        await lock.execute(tx);
        await others.begin();
        await app.settle();
        expect((await waiting.execute(app.db)).rows[0]?.count).toBe(others.waiting);
        await others.act();
      });
    },
    upload: async (rows: readonly InvoiceRow[], name?: string) => post(await invoiceWorkbook(rows), name),
    ask,
    undo: async (upload: UploadSummary) => {
      await ask(upload);
      await settledUploads(browser, realmId);
    },
    remove: async ({ Id }: { Id: string }, action: "delete" | "void") =>
      app.intuit.control(`books/${realmId}/invoice/${Id}/${action}`, {}),
    countQueries: async () => {
      const { entries } = await app.intuit.control<{ entries: unknown[] }>(
        "journal?operation=query&limit=5000",
      );
      return entries.length;
    },
    /** In the order of their days. */
    made: async () =>
      (await app.intuit.invoices(realmId))
        .filter(({ Id }) => !known.has(Id))
        .toSorted((a, b) => a.TxnDate.localeCompare(b.TxnDate)),
  };
}

export const listOutcomes = ({ results }: UploadSummary) => results.map(({ rows, status }) => [rows, status]);
