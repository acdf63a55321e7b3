import { chooseName, createCustomer } from "#features/books/names/contract.ts";
import type { UnknownName } from "#features/invoices/contract.ts";
import { EntrySearch, type Found } from "#features/invoices/web/names/entry-search.tsx";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { ReviewRow } from "#features/invoices/web/review/review-rows.tsx";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
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
  const announce = useAnnounce();
  const [choice, setChoice] = useState(suggestions[0]?.id ?? SEARCH);
  const [found, setFound] = useState<Found | null>(null);
  const query = { realm_id: realmId };
  const choose = useMutation({
    mutationFn: (id: string) => call(chooseName, { query, body: { kind, text, target_id: id } }),
    onSuccess: ({ target_name }) => {
      announce(words.chosen(text, target_name));
      onChosen(target_name);
    },
  });
  const create = useMutation({
    mutationFn: () => call(createCustomer, { query, body: { name: text, confirmed: true } }),
    onSuccess: (made) => {
      announce(words.created(made.name));
      onChosen(made.name);
    },
  });
  if (chosen !== null) return <Chosen text={text} target={chosen} onChange={() => onChosen(null)} />;
  const creates = choice === CREATE;
  const targetId = choice === SEARCH ? (found?.id ?? null) : choice;
  const use = () => {
    if (creates) create.mutate();
    else if (targetId !== null) choose.mutate(targetId);
  };
  const error = choose.error ?? create.error;
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
          options={[
            ...suggestions.map(({ id, name: label }) => ({ value: id, label })),
            { value: SEARCH, label: words.another(words.kinds[kind]) },
            ...(kind === "customer" ? [{ value: CREATE, label: words.create(text) }] : []),
          ]}
          onChange={setChoice}
        />
      }
      effect={words.where(name.count, name.rows)}
      action={
        <BusyButton
          label={creates ? words.createButton : words.use}
          detail={words.forName(text)}
          disabled={targetId === null}
          isBusy={choose.isPending || create.isPending}
          onClick={use}
        />
      }
      below={
        choice === SEARCH || error ? (
          <>
            {choice === SEARCH ? (
              <EntrySearch realmId={realmId} name={name} value={found?.id ?? null} onChange={setFound} />
            ) : null}
            <FailedCall error={error} />
          </>
        ) : null
      }
    />
  );
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
