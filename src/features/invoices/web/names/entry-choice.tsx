import type { UnknownName } from "#features/invoices/contract.ts";
import { listSearchQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useState } from "react";

/** Else every letter would ask the server. */
const SEARCH_DELAY_MS = 250;

type Props = {
  realmId: string;
  name: UnknownName;
  disabled: boolean;
  value: string | null;
  onChange: (id: string | null) => void;
  /** The ways on, beside the search. */
  children: ReactNode;
};

/** Similar entries of the books, and those a search finds. */
export function EntryChoice({ realmId, name, disabled, value, onChange, children }: Props) {
  const group = useId();
  const [typed, setTyped] = useState("");
  const [text, setText] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useQuery(listSearchQuery({ realmId, kind: name.kind, text }));
  const entries = text === "" ? name.suggestions : (data?.entries ?? []);
  return (
    <>
      {entries.map(({ id, name: entryName }) => (
        <Choice
          key={id}
          type="radio"
          name={group}
          checked={value === id}
          disabled={disabled}
          onChange={() => onChange(id)}
        >
          {entryName}
        </Choice>
      ))}
      {text !== "" && data?.entries.length === 0 ? <p>{words.noHit}</p> : null}
      <div style={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 16, marginTop: 8 }}>
        <TextInput
          type="search"
          label={words.search(name.text)}
          placeholder={words.placeholder}
          value={typed}
          disabled={disabled}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(null);
          }}
        />
        {children}
      </div>
    </>
  );
}
