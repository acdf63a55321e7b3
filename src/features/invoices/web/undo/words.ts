import type { UndoAction, UndoReason } from "#features/invoices/undo/contract.ts";

const actions: Record<UndoAction, { label: string; verb: string; hint: string }> = {
  void: {
    label: "Void",
    verb: "Void",
    hint: "The invoices stay in QuickBooks with all amounts zero, and keep their numbers.",
  },
  delete: {
    label: "Delete",
    verb: "Delete",
    hint: "The invoices leave QuickBooks for good, and their numbers are free again.",
  },
};

const reasons: Record<UndoReason, string> = {
  paid: "paid",
  edited: "changed in QuickBooks since",
  closed_period: "in a closed period",
  voided: "voided in QuickBooks already",
  deleted: "deleted in QuickBooks already",
  refused: "refused by QuickBooks",
  in_doubt: "without a clear answer",
  undone: "undone before",
  not_posted: "never posted",
  unresolved: "may or may not be in QuickBooks",
};

/** Texts of undoing an upload. */
export const undoWords = {
  title: (filename: string) => `Undo ${filename}`,
  loading: "Reading your books",
  goes: (invoices: string, amount: string) => `${invoices} (${amount}) can be taken out of QuickBooks.`,
  nothing: "No invoice of this upload can be undone.",
  stays: (invoices: string, amount: string) => `Left as before: ${invoices} (${amount})`,
  reasons,
  reason: (invoices: string, reason: string) => `${invoices} ${reason}`,
  staysTitle: "Invoices that stay",
  heads: ["Rows", "Invoice", "Customer", "Amount", "Why"] as readonly string[],
  listed: (shown: string) => `The first ${shown} are listed.`,
  how: "How",
  actions,
  keep: "Keep them",
  close: "Close",
  confirm: (action: UndoAction, invoices: string) => `${actions[action].verb} ${invoices}`,
  invoices: (count: number, shown: string) => (count === 1 ? "1 invoice" : `${shown} invoices`),
  before: (sentence: string) => `Last time: ${sentence}`,
  working: (undone: string, skipped: string) => `${undone} undone, ${skipped} left so far`,
  finished: (undone: string, skipped: string) => `${undone} undone, ${skipped} left.`,
  goesOn: "You may close this: it goes on by itself.",
  leftTitle: "Invoices that were left",
} as const;
