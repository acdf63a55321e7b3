import type { UnknownName } from "#features/invoices/contract.ts";
import { listSearchQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";

/** Else every letter would ask the server. */
const SEARCH_DELAY_MS = 250;

type Props = {
  realmId: string;
  name: UnknownName;
  value: string | null;
  onChange: (id: string | null) => void;
};

/** Entries of the books by a part of their name. */
export function EntrySearch({ realmId, name, value, onChange }: Props) {
  const group = useId();
  const [typed, setTyped] = useState("");
  const [text, setText] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed]);
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
