import type { WrittenOrder } from "#features/sheets/contract.ts";

/** `kind` is the sheet description's kind. */
type Answer = { realm_id: string; kind: string; chosen_by: string; chosen_at: Date };

export type SheetsTables = {
  column_choice: Answer & { written: string; header_key: string; field: string };
  date_order_choice: Answer & { date_order: WrittenOrder };
};
