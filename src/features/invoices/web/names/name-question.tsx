import { chooseName, createCustomer } from "#features/books/names/contract.ts";
import type { UnknownName } from "#features/invoices/contract.ts";
import { EntryChoice } from "#features/invoices/web/names/entry-choice.tsx";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { call } from "#web/kit/api-client.ts";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

type Props = {
  realmId: string;
  name: UnknownName;
  /** Name of the entry it was said to mean, null while it is open. */
  chosen: string | null;
  onChosen: (target: string | null) => void;
};

/** Asks what one name means, or with a ticked box has a customer of that name created. */
export function NameQuestion({ realmId, name, chosen, onChosen }: Props) {
  const { kind, text } = name;
  const announce = useAnnounce();
  const [targetId, setTargetId] = useState<string | null>(name.suggestions[0]?.id ?? null);
  const [creates, setCreates] = useState(false);
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
  const isBusy = choose.isPending || create.isPending;
  if (chosen !== null) return <Chosen text={text} target={chosen} onChange={() => onChosen(null)} />;
  return (
    <Box
      component="fieldset"
      sx={{
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        my: 2,
        px: 2,
        pb: 2,
        overflowWrap: "anywhere",
      }}
    >
      <legend style={{ paddingInline: 6, marginInline: -6, fontWeight: 700 }}>{words.means(text)}</legend>
      <small>{words.where(kind, name.count, name.rows)}</small>
      <EntryChoice realmId={realmId} name={name} disabled={creates} value={targetId} onChange={setTargetId}>
        {creates ? null : (
          <Button
            variant="outlined"
            disabled={targetId === null || isBusy}
            aria-label={words.useFor(words.kinds[kind], text)}
            onClick={() => targetId !== null && choose.mutate(targetId)}
          >
            {words.use(words.kinds[kind])}
          </Button>
        )}
        {kind === "customer" ? (
          <Choice type="checkbox" checked={creates} onChange={(event) => setCreates(event.target.checked)}>
            {words.create(text)}
          </Choice>
        ) : null}
        {creates ? (
          <Button
            variant="outlined"
            disabled={isBusy}
            aria-label={words.createButtonFor(text)}
            onClick={() => create.mutate()}
          >
            {words.createButton}
          </Button>
        ) : null}
      </EntryChoice>
      <FailedCall error={choose.error ?? create.error} />
    </Box>
  );
}

function Chosen({ text, target, onChange }: { text: string; target: string; onChange: () => void }) {
  return (
    <p style={{ overflowWrap: "anywhere" }}>
      <span aria-hidden="true">✓ </span>
      {words.chosen(text, target)}{" "}
      <Button color="inherit" aria-label={words.changeOf(text)} onClick={onChange}>
        {words.change}
      </Button>
    </p>
  );
}
