import type { ListKind, WrittenOrder } from "#features/invoices/choices/contract.ts";

type Answer = { realm_id: string; chosen_by: string; chosen_at: Date };
type Chosen = Answer & { written: string };

export type ChoicesTables = {
  name_choice: Chosen & { kind: ListKind; name_key: string; target_id: string; target_name: string };
  column_choice: Chosen & { header_key: string; field: string };
  date_order_choice: Answer & { date_order: WrittenOrder };
};
