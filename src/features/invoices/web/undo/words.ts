import type { UndoAction, UndoReason } from "#features/invoices/contract.ts";
import { counted, formatCount } from "#web/kit/format.ts";

const actions: Record<UndoAction, { label: string; done: string; hint: string }> = {
  void: {
    label: "Void",
    done: "voided",
    hint: "Keeps the invoice numbers in QuickBooks with zero amounts.",
  },
  delete: {
    label: "Delete",
    done: "deleted",
    hint: "Removes the invoices from QuickBooks for good, and frees their numbers.",
  },
};

const reasons: Record<UndoReason, string> = {
  paid: "paid",
  edited: "changed in QuickBooks since then",
  closed_period: "in a closed period",
  voided: "already voided in QuickBooks",
  deleted: "already deleted in QuickBooks",
  refused: "rejected by QuickBooks",
  in_doubt: "not confirmed by QuickBooks",
  undone: "already undone",
  not_posted: "never posted",
  unresolved: "may or may not be in QuickBooks",
};

const invoices = (count: number) => counted(count, "invoice");

/** UI text for undoing an upload. */
export const undoWords = {
  title: (filename: string) => `Undo ${filename}`,
  loading: "Reading your books",
  undoes: (action: UndoAction, count: number, amount: string) =>
    `${invoices(count)} (${amount}) will be ${actions[action].done}.`,
  neverPosted: (count: number) => `(${formatCount(count)} ${count === 1 ? "was" : "were"} never posted.)`,
  nothing: "No invoice of this upload can be undone.",
  leaves: (count: number, amount: string) => `${invoices(count)} (${amount}) will stay as they are`,
  reason: (count: number, reason: UndoReason) => `${invoices(count)} ${reasons[reason]}`,
  keptTitle: "Invoices that stay",
  heads: ["Rows", "Invoice", "Customer", "Amount", "Why"] as readonly string[],
  listed: (shown: number) => `The first ${formatCount(shown)} are listed.`,
  how: "How",
  actions,
  keep: "Keep them",
  close: "Close",
  confirm: (action: UndoAction, count: number) => `${actions[action].label} ${invoices(count)}`,
  before: (sentence: string) => `Last time: ${sentence}`,
  working: (action: UndoAction, undone: number, skipped: number) =>
    `${invoices(undone)} ${actions[action].done} so far${skipped > 0 ? `, ${formatCount(skipped)} left as they were` : ""}`,
  continues: "You can close this. It will finish by itself.",
  leftTitle: "Invoices that were kept",
} as const;
