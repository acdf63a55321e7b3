import type { UnknownName } from "#features/invoices/choices/contract.ts";
import { listSearchQuery } from "#features/invoices/web/names/queries.ts";
import { useLateValue } from "#features/invoices/web/names/use-late-value.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";

const SEARCH_DELAY_MS = 250;

type Props = {
  realmId: string;
  name: UnknownName;
  disabled: boolean;
  value: string | null;
  onChange: (id: string | null) => void;
};

/** Similar entries of the books, and those a search finds. Nothing is chosen beforehand. */
export function EntryChoice({ realmId, name, disabled, value, onChange }: Props) {
  const group = useId();
  const [typed, setTyped] = useState("");
  const text = useLateValue(typed.trim(), SEARCH_DELAY_MS);
  const { data } = useQuery(listSearchQuery({ realmId, kind: name.kind, text }));
  const entries = text === "" ? name.suggestions : (data?.entries ?? []);
  return (
    <>
      {entries.map(({ id, name: entryName }) => (
        <label key={id} style={{ display: "flex", alignItems: "center", gap: 8, minHeight: 32 }}>
          <input
            type="radio"
            name={group}
            checked={value === id}
            disabled={disabled}
            onChange={() => onChange(id)}
            style={{ width: 24, height: 24, flex: "none", margin: 0 }}
          />
          <span style={{ overflowWrap: "anywhere" }}>{entryName}</span>
        </label>
      ))}
      {text !== "" && data?.entries.length === 0 ? <p>{words.noHit}</p> : null}
      <div style={{ display: "flex", marginTop: 8 }}>
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
      </div>
    </>
  );
}
