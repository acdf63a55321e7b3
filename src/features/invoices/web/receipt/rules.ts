import type { Receipt } from "#features/invoices/receipt/contract.ts";
import { sumAmounts } from "#features/invoices/web/tables/money.ts";

/** Rejected invoices with more to do than to answer which name is meant. */
export const needFixing = ({ rejected, unanswered }: Receipt): Receipt["rejected"] => ({
  invoices: rejected.invoices - unanswered.invoices,
  amount: sumAmounts([rejected, { amount: String(-Number(unanswered.amount)) }]),
});

/** Whether the file is still being read: how many invoices it has isn't known yet. */
export const isReading = ({ finished_at: at, open, read }: Receipt): boolean =>
  at === null && open.invoices === 0 && read.invoices === 0;
