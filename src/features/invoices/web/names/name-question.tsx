import { chooseName, createCustomer } from "#features/books/names/contract.ts";
import type { UnknownName } from "#features/invoices/contract.ts";
import { listSearchQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { ReviewRow } from "#features/sheets/web/review.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ComboField, type ComboOption } from "#web/kit/combo-field.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useDraft } from "#web/kit/use-draft.ts";
import { useSearch } from "#web/kit/use-search.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ArrowRight, Check } from "lucide-react";
import { useState } from "react";

type Props = {
  realmId: string;
  name: UnknownName;
  /** Name of the matched entry; null while the question is open. */
  chosen: string | null;
  onChosen: (target: string | null) => void;
};

/** The choice besides entries of QuickBooks, whose values are ids there: numbers. */
const CREATE = "create";

/** Asks which entry of QuickBooks a name means; a customer can also be created. */
export function NameQuestion({ realmId, name, chosen, onChosen }: Props) {
  const { kind, text, count, rows, unlocks } = name;
  const place = words.where(count, rows);
  const { target, field } = useEntry(realmId, name);
  const { mutate, isPending, error } = useMatch(realmId, name, onChosen);
  if (chosen !== null) return <Chosen text={text} target={chosen} onChange={() => onChosen(null)} />;
  return (
    <ReviewRow
      what={
        <>
          <Kind>{words.kinds[kind]}</Kind> <strong>{words.quoted(text)}</strong>
        </>
      }
      was={<Icon of={ArrowRight} size="small" />}
      field={
        <ComboField
          label={words.meaningLabel(words.kinds[kind], text)}
          placeholder={words.search(words.lists[kind])}
          {...field}
        />
      }
      effect={unlocks > 0 ? `${place} · ${words.unlocks(unlocks)}` : place}
      action={
        <BusyButton
          label={target === CREATE ? words.createButton : words.use}
          detail={words.forName(text)}
          disabled={target === null}
          isBusy={isPending}
          onClick={() => target !== null && mutate(target)}
        />
      }
      below={error ? <FailedCall error={error} /> : null}
    />
  );
}

/** The entry chosen for a name: at first the best suggestion, if one is sure; typing searches all of them. */
function useEntry(realmId: string, { kind, text, suggestions, preselected_id: preselected }: UnknownName) {
  const creation = kind === "customer" ? [{ value: CREATE, label: words.create(text) }] : [];
  const suggested = [...suggestions.map(({ id, name: label }) => ({ value: id, label })), ...creation];
  const [kept, keep] = useDraft(`name.${realmId}.${kind}.${text}`, preselected ?? "");
  const [found, setFound] = useState<ComboOption | null>(null);
  const search = useEntrySearch(realmId, kind);
  // The kept choice may be gone from QuickBooks.
  const find = (id: string | null) => suggested.find(({ value }) => value === id);
  const chosen = found ?? find(kept) ?? find(preselected) ?? null;
  const choose = (option: ComboOption) => {
    search.stop();
    setFound(option);
    keep(option.value);
  };
  return {
    target: search.isTyping ? null : (chosen?.value ?? null),
    field: {
      text: search.isTyping ? search.typed : (chosen?.label ?? ""),
      options: search.entries ? [...search.entries, ...creation] : suggested,
      empty: search.isEmpty ? words.noHit : null,
      onType: search.type,
      onChoose: choose,
      onBlur: () => {
        const named = search.entries?.find(({ label }) => isSameText(label, search.typed));
        if (named) choose(named);
        // A text that isn't a choice is given up for the choice before it.
        search.stop();
      },
    },
  };
}

/** Entries whose name contains the typed text; null until something is searched. */
function useEntrySearch(realmId: string, kind: UnknownName["kind"]) {
  const [typed, setTyped, text] = useSearch();
  const [isTyping, setTyping] = useState(false);
  const isOn = isTyping && text !== "";
  const { data } = useQuery({ ...listSearchQuery({ realmId, kind, text }), enabled: isOn });
  const found = data?.entries.map(({ id, name }) => ({ value: id, label: name }));
  return {
    typed,
    isTyping,
    entries: isOn ? (found ?? []) : null,
    isEmpty: isOn && found?.length === 0,
    type: (next: string) => {
      setTyping(true);
      setTyped(next);
    },
    stop: () => setTyping(false),
  };
}

const isSameText = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

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
