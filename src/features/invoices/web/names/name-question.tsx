import { chooseName, createCustomer } from "#features/books/names/contract.ts";
import type { UnknownName } from "#features/invoices/contract.ts";
import { EntrySearch } from "#features/invoices/web/names/entry-search.tsx";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { ReviewRow } from "#features/sheets/web/index.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useDraft } from "#web/kit/use-draft.ts";
import { SelectField } from "#web/kit/select-field.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
import { ArrowRight, Check } from "lucide-react";
import { useState } from "react";

type Props = {
  realmId: string;
  name: UnknownName;
  /** Name of the entry it is matched to, null while it is open. */
  chosen: string | null;
  onChosen: (target: string | null) => void;
};

/** Choices beside the entries of the books; an id of QuickBooks is a number. */
const SEARCH = "search";
const CREATE = "create";

/** Asks which entry of the books a name means; a customer may also be created, once that was chosen. */
export function NameQuestion({ realmId, name, chosen, onChosen }: Props) {
  const { kind, text, suggestions } = name;
  const options = choicesOf(name);
  const first = suggestions[0]?.id ?? SEARCH;
  const [kept, setChoice] = useDraft(`name.${realmId}.${kind}.${text}`, first);
  // QuickBooks may have changed since it was kept.
  const choice = options.some(({ value }) => value === kept) ? kept : first;
  const [foundId, setFoundId] = useState<string | null>(null);
  const { mutate, isPending, error } = useMatch(realmId, name, onChosen);
  if (chosen !== null) return <Chosen text={text} target={chosen} onChange={() => onChosen(null)} />;
  const target = choice === SEARCH ? foundId : choice;
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
          label={words.meaningOf(words.kinds[kind], text)}
          value={choice}
          options={options}
          onChange={setChoice}
        />
      }
      effect={effectOf(name)}
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

const effectOf = ({ count, rows, unlocks }: UnknownName) =>
  unlocks > 0 ? `${words.where(count, rows)} · ${words.unlocks(unlocks)}` : words.where(count, rows);

const choicesOf = ({ kind, text, suggestions }: UnknownName) => [
  ...suggestions.map(({ id, name: label }) => ({ value: id, label })),
  { value: SEARCH, label: words.another(words.kinds[kind]) },
  ...(kind === "customer" ? [{ value: CREATE, label: words.create(text) }] : []),
];

/** Remembers what a name means, or has a customer of that name created. */
function useMatch(realmId: string, { kind, text }: UnknownName, onChosen: (target: string) => void) {
  const announce = useAnnounce();
  const query = { realm_id: realmId };
  return useMutation({
    mutationFn: async (target: string) => {
      if (target === CREATE) {
        const made = await call(createCustomer, { query, body: { name: text, confirmed: true } });
        return { entry: made.name, said: words.created(made.name) };
      }
      const body = { kind, text, target_id: target };
      const { target_name: entry } = await call(chooseName, { query, body });
      return { entry, said: words.chosen(text, entry) };
    },
    onSuccess: ({ entry, said }) => {
      announce(said);
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
        <Button color="inherit" aria-label={words.changeOf(text)} onClick={onChange}>
          {words.change}
        </Button>
      }
    />
  );
}
