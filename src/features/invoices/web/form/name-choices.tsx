import type { ListKind } from "#features/books/names/contract.ts";
import { type Cell, HEADERS } from "#features/invoices/web/form/rules.ts";
import { listSearchQuery } from "#features/invoices/web/names/queries.ts";
import { useSearch } from "#web/kit/use-search.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

/** Columns that name an entry of QuickBooks. */
const KINDS: Partial<Record<(typeof HEADERS)[number], ListKind>> = {
  Customer: "customer",
  Terms: "term",
  Item: "item",
};

export const kindOf = (column: number): ListKind | undefined => {
  const header = HEADERS[column];
  return header && KINDS[header];
};

/** The list of choices that cells of these columns offer: that of the cell typed into last. */
export const CHOICES = "typed-name-choices";

/** Entries of QuickBooks whose name holds what was typed into a cell last, as the browser's own list of choices. */
export function useNameChoices(realmId: string) {
  const [kind, setKind] = useState<ListKind>("customer");
  const [, setText, text] = useSearch();
  const { data } = useQuery(listSearchQuery({ realmId, kind, text }));
  const look = ({ column }: Cell, typed: string) => {
    const asked = kindOf(column);
    if (asked) setKind(asked);
    setText(asked ? typed : "");
  };
  const entries = text === "" ? [] : (data?.entries ?? []);
  const choices = (
    <datalist id={CHOICES}>
      {entries.map(({ id, name }) => (
        <option key={id} value={name}>
          {name}
        </option>
      ))}
    </datalist>
  );
  return { choices, look };
}
