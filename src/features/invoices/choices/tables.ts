import type { ListKind } from "#features/invoices/choices/contract.ts";

type Chosen = { realm_id: string; written: string; chosen_by: string; chosen_at: Date };

export type ChoicesTables = {
  name_choice: Chosen & { kind: ListKind; name_key: string; target_id: string; target_name: string };
  column_choice: Chosen & { header_key: string; field: string };
};
