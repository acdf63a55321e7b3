import { chooseName, createCustomer } from "#features/books/names/contract.ts";
import type { UnknownName } from "#features/invoices/contract.ts";
import { listSearchQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { ReviewRow } from "#features/sheets/web/review.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { useDraft } from "#web/kit/use-draft.ts";
import { useSearch } from "#web/kit/use-search.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ArrowRight, Check } from "lucide-react";
import { useId, useState } from "react";

type Props = {
  realmId: string;
  name: UnknownName;
  /** Name of the matched entry; null while the question is open. */
  chosen: string | null;
  onChosen: (target: string | null) => void;
};

/** Choices besides the suggestions, whose values are QuickBooks ids: numbers. */
const OPEN = "";
const SEARCH = "search";
const CREATE = "create";

/** Asks which entry of QuickBooks a name means; a customer can also be created. */
export function NameQuestion({ realmId, name, chosen, onChosen }: Props) {
  const { kind, text, suggestions, preselected_id: preselected, count, rows, unlocks } = name;
  const place = words.where(count, rows);
  const isOpen = suggestions.length > 0 && preselected === null;
  const options = [
    ...(isOpen ? [{ value: OPEN, label: words.choose }] : []),
    ...suggestions.map(({ id, name: label }) => ({ value: id, label })),
    { value: SEARCH, label: words.another(words.kinds[kind]) },
    ...(kind === "customer" ? [{ value: CREATE, label: words.create(text) }] : []),
  ];
  const first = isOpen ? OPEN : (preselected ?? SEARCH);
  const [kept, setChoice] = useDraft(`name.${realmId}.${kind}.${text}`, first);
  // The saved choice may no longer exist in QuickBooks.
  const choice = options.some(({ value }) => value === kept) ? kept : first;
  const [foundId, setFoundId] = useState<string | null>(null);
  const { mutate, isPending, error } = useMatch(realmId, name, onChosen);
  if (chosen !== null) return <Chosen text={text} target={chosen} onChange={() => onChosen(null)} />;
  const target = choice === OPEN ? null : choice === SEARCH ? foundId : choice;
  return (
    <ReviewRow
      what={
        <>
          <Kind>{words.kinds[kind]}</Kind> <strong>{words.quoted(text)}</strong>
        </>
      }
      was={<Icon of={ArrowRight} size="small" />}
      field={
        <SelectField
          label={words.meaningLabel(words.kinds[kind], text)}
          value={choice}
          options={options}
          onChange={setChoice}
        />
      }
      effect={unlocks > 0 ? `${place} · ${words.unlocks(unlocks)}` : place}
      action={
        <BusyButton
          label={choice === CREATE ? words.createButton : words.use}
          detail={words.forName(text)}
          disabled={target === null}
          isBusy={isPending}
          onClick={() => target !== null && mutate(target)}
        />
      }
      below={
        <>
          {choice === SEARCH ? (
            <EntrySearch realmId={realmId} name={name} value={foundId} onChange={setFoundId} />
          ) : null}
          <FailedCall error={error} />
        </>
      }
    />
  );
}

/** Saves the match of a name, or creates a customer of that name. */
function useMatch(realmId: string, { kind, text }: UnknownName, onChosen: (target: string) => void) {
  const announce = useAnnounce();
  const query = { realm_id: realmId };
  return useMutation({
    mutationFn: async (target: string) => {
      if (target === CREATE) {
        const made = await call(createCustomer, { query, body: { name: text, confirmed: true } });
        return { entry: made.name, announcement: words.created(made.name) };
      }
      const body = { kind, text, target_id: target };
      const { target_name: entry } = await call(chooseName, { query, body });
      return { entry, announcement: words.chosen(text, entry) };
    },
    onSuccess: ({ entry, announcement }) => {
      announce(announcement);
      onChosen(entry);
    },
  });
}

const Kind = ({ children }: { children: string }) => (
  <Box component="span" sx={{ display: "inline-block", minWidth: "5.5rem", typography: "caption" }}>
    {children}
  </Box>
);

function Chosen({ text, target, onChange }: { text: string; target: string; onChange: () => void }) {
  return (
    <ReviewRow
      what={
        <>
          <Icon of={Check} size="small" /> {words.chosen(text, target)}
        </>
      }
      action={
        <Button color="inherit" aria-label={words.changeLabel(text)} onClick={onChange}>
          {words.change}
        </Button>
      }
    />
  );
}

type SearchProps = {
  realmId: string;
  name: UnknownName;
  value: string | null;
  onChange: (id: string | null) => void;
};

/** Finds entries of QuickBooks by a part of their name. */
function EntrySearch({ realmId, name, value, onChange }: SearchProps) {
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
