import type { UndoAction } from "#features/invoices/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { openCompany, sumOfUploads, type Numbering } from "./support/killed-company.ts";
import { askDatabase, killDuring, type Kills } from "./support/kills.ts";

type UndoKillRun = Kills & { invoices: number; action: UndoAction };

/** State of the books, the ledger and the list after undos that were killed repeatedly. */
export type UndoKillOutcome = Awaited<ReturnType<typeof runUndoKills>>;

/** Posts workbooks undisturbed, undoes them on a product that is killed repeatedly, and checks what is left. */
export async function runUndoKills(run: UndoKillRun, numbering: Numbering) {
  return killDuring(run, async ({ product, place, intuit }) => {
    const company = await openCompany({ product, place, intuit }, numbering);
    const { rows, browser, realmId } = company;
    return {
      begin: async () => {
        const params = { upload_id: await company.upload(run.invoices) };
        await company.settled();
        const query = { realm_id: realmId };
        const asked = await browser.call(startUndo, { params, query, json: { action: run.action } });
        if (asked.status !== 202) throw new Error(`The undo was refused: ${asked.text}`);
      },
      readState: async () => {
        const [undo] = await askDatabase<{ fence: string; state: string }>(
          place,
          "select fence, state from run where realm_id <> '' and kind <> 'invoices.post-upload' order by requested_at desc limit 1",
        );
        return { fence: Number(undo?.fence), isOpen: undo?.state !== "done" };
      },
      conclude: async () => {
        const list = await company.settled();
        const left = await company.made();
        const { writes, ...answers } = await company.countWrites(["invoice.create", `invoice.${run.action}`]);
        const countRows = async (condition: string) =>
          (await askDatabase(place, `select 1 as one from ledger_entry where ${condition}`)).length;
        return {
          sent: rows.length,
          /** Invoices still in the books with anything to pay: none may be. */
          owed: left.filter(({ TotalAmt }) => TotalAmt !== 0).length,
          voided: left.filter(({ TotalAmt }) => TotalAmt === 0).length,
          /** Invoices the vendor voided or deleted; it made each before. */
          undone: writes - rows.length,
          ...answers,
          undoneEntries: await countRows("state = 'undone' and undo_cause is null"),
          openEntries: await countRows("state in ('ready', 'sending', 'undoing')"),
          undoneRows: sumOfUploads(list, ({ undone = 0 }) => undone),
          otherRows: sumOfUploads(list, ({ completed, problems, open }) => completed + problems + open),
        };
      },
    };
  });
}
