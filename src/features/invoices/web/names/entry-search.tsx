import type { UnknownName } from "#features/invoices/contract.ts";
import { listSearchQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { useSearch } from "#web/kit/use-search.ts";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";

type Props = {
  realmId: string;
  name: UnknownName;
  value: string | null;
  onChange: (id: string | null) => void;
};

/** Entries of the books by a part of their name. */
export function EntrySearch({ realmId, name, value, onChange }: Props) {
  const group = useId();
  const [typed, setTyped, text] = useSearch();
  const { data } = useQuery(listSearchQuery({ realmId, kind: name.kind, text }));
  const entries = text === "" ? [] : (data?.entries ?? []);
  return (
    <>
      <TextInput
        type="search"
        label={words.search(name.text)}
        placeholder={words.placeholder}
        value={typed}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(null);
        }}
      />
      {entries.map((entry) => (
        <Choice
          key={entry.id}
          type="radio"
          name={group}
          checked={value === entry.id}
          onChange={() => onChange(entry.id)}
        >
          {entry.name}
        </Choice>
      ))}
      {text !== "" && data?.entries.length === 0 ? <p>{words.noHit}</p> : null}
    </>
  );
}
