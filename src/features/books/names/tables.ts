import type { ListKind } from "#features/books/names/contract.ts";

export type ChoicesTables = {
  name_choice: {
    realm_id: string;
    kind: ListKind;
    name_key: string;
    written: string;
    target_id: string;
    target_name: string;
    chosen_by: string;
    chosen_at: Date;
  };
};
