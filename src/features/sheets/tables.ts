import type { WrittenOrder } from "#features/sheets/contract.ts";

/** `kind` is that of the sheet's description. */
type Answer = { realm_id: string; kind: string; chosen_by: string; chosen_at: Date };

export type SheetsTables = {
  column_choice: Answer & { written: string; header_key: string; field: string };
  date_order_choice: Answer & { date_order: WrittenOrder };
};
