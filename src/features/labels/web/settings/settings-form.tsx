import {
  changeLabelSettings,
  type LabelSettingsChange,
  type LabelSettingsView,
} from "#features/labels/contract.ts";
import { PrintChoices, type PrintForm } from "#features/labels/web/print-choices.tsx";
import { TestPageLinks } from "#features/labels/web/test-page-links.tsx";
import { type OtherPrefix, OtherPrefixes } from "#features/labels/web/settings/other-prefixes.tsx";
import { ShipFroms } from "#features/labels/web/settings/ship-froms.tsx";
import { settingsWords as words } from "#features/labels/web/settings/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { SelectField } from "#web/kit/select-field.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { openDraft, useChanges } from "#web/kit/use-draft.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";

type Props = { realmId: string; settings: LabelSettingsView };

const row = {
  display: "grid",
  gap: 2,
  mb: 2,
  alignItems: "start",
  gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 16rem), 1fr))",
} as const;

/** Edited settings; `next` is null until edited, because the serial grows while this page is open. */
type Edited = Pick<LabelSettingsView, "profile" | "resolution"> &
  PrintForm & {
    prefix: string;
    extension: string;
    next: string | null;
    others: OtherPrefix[];
    shipFroms: LabelSettingsView["ship_froms"];
  };

/** Prefix, serials, profile, printer and ship-from addresses, saved together. */
export function SettingsForm({ realmId, settings }: Props) {
  const { changes, isChanged, change, forget } = useChanges<Edited>(DRAFT, realmId);
  const { prefix, extension, next, others, shipFroms, ...choices }: Edited = {
    ...toEdited(settings),
    ...changes,
  };
  const { profile, resolution } = choices;
  const save = useSave(realmId, forget);
  const prefixes = [prefix, ...others.map((other) => other.prefix)];
  const isPrefix = prefixes.every(looksRight);
  // An ignored next serial would look saved, and used numbers would be printed again.
  const isNext = [next, ...others.map((other) => other.next)].every((each) =>
    /^\d*$/.test(each?.trim() ?? ""),
  );
  const isWrong = prefixes.some((each) => each !== "" && !looksRight(each));
  const fault = isWrong ? words.prefixWrong : isNext ? null : words.nextWrong;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPrefix || !isNext) return;
    const body = {
      prefix: prefix.trim(),
      extension: Number(extension),
      ...choices,
      ship_froms: shipFroms,
      ...nextSerial(next),
      other_prefixes: others.map((other) => ({ prefix: other.prefix.trim(), ...nextSerial(other.next) })),
    };
    save.mutate({ body, typed: changes });
  };
  return (
    <Box component="form" noValidate aria-label={words.title} onSubmit={submit}>
      {settings.shared && extension === String(settings.extension) ? (
        <SharedPrefix
          shared={settings.shared}
          extension={extension}
          onChoose={(digit) => change({ extension: String(digit) })}
        />
      ) : null}
      <Box sx={row}>
        <Field hint={words.prefixHint}>
          <TextInput
            label={words.prefix}
            inputMode="numeric"
            value={prefix}
            onChange={({ target }) => change({ prefix: target.value })}
          />
        </Field>
        <Field hint={words.nextHint}>
          <TextInput
            label={words.next}
            inputMode="numeric"
            value={next ?? String(settings.next_serial)}
            onChange={({ target }) => change({ next: target.value })}
          />
        </Field>
      </Box>
      <OtherPrefixes prefixes={others} onChange={(all) => change({ others: all })} />
      <Box sx={row}>
        <Field hint={words.extensionHint}>
          <SelectField
            label={words.extension}
            labelAt="above"
            value={extension}
            options={DIGITS}
            onChange={(digit) => change({ extension: digit })}
          />
        </Field>
        <Field>
          <SelectField
            label={words.profile}
            labelAt="above"
            value={profile}
            options={settings.profiles.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => change({ profile: id })}
          />
        </Field>
        <Field hint={words.printerHint}>
          <SelectField
            label={words.printer}
            labelAt="above"
            value={resolution}
            options={words.printers}
            onChange={(value) => change({ resolution: value as typeof resolution })}
          />
        </Field>
      </Box>
      <Box sx={{ mb: 3 }}>
        <PrintChoices form={choices} onChange={change} />
        <TestPageLinks />
      </Box>
      <ShipFroms shipFroms={shipFroms} onChange={(all) => change({ shipFroms: all })} />
      <ErrorBlock title={null} message={fault} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
        <BusyButton
          type="submit"
          label={words.save}
          disabled={!isPrefix || !isNext}
          isBusy={save.isPending}
        />
        {isChanged && !save.isPending ? (
          <Button variant="text" onClick={() => forget(changes)}>
            {words.discard}
          </Button>
        ) : null}
      </Box>
      <FailedCall error={save.error} />
    </Box>
  );
}

type SharedProps = {
  shared: NonNullable<LabelSettingsView["shared"]>;
  extension: string;
  onChoose: (digit: number) => void;
};

/** Warns that another company uses the same numbers, and offers a free digit. */
function SharedPrefix({ shared: { prefixes, free_digit: free }, extension, onChoose }: SharedProps) {
  return (
    <Box sx={{ mb: 2 }}>
      <Notice tone="amber" title={words.shared(prefixes, extension)}>
        <p>{free === null ? words.noDigit : words.sharedCure}</p>
        {free === null ? null : (
          <Button variant="outlined" onClick={() => onChoose(free)}>
            {words.useDigit(free)}
          </Button>
        )}
      </Notice>
    </Box>
  );
}

const looksRight = (prefix: string) => /^\d{4,12}$/.test(prefix.trim());

const nextSerial = (next: string | null) => (next?.trim() ? { next_serial: Number(next) } : {});

const toEdited = (settings: LabelSettingsView): Edited => ({
  prefix: settings.prefix ?? "",
  extension: String(settings.extension),
  next: null,
  profile: settings.profile,
  resolution: settings.resolution,
  paper: settings.paper,
  order: settings.order,
  separators: settings.separators,
  others: settings.other_prefixes.map(({ prefix, next_serial: given }) => ({ prefix, given, next: null })),
  shipFroms: settings.ship_froms,
});

const DIGITS = [..."0123456789"].map((digit) => ({ value: digit, label: digit }));

function Field({ hint, children }: { hint?: string; children: ReactNode }) {
  return (
    <Box sx={{ display: "grid", minWidth: 0 }}>
      {children}
      {hint ? (
        <Box component="p" sx={{ mt: 0.5, mb: 0, typography: "caption", color: "text.caption" }}>
          {hint}
        </Box>
      ) : null}
    </Box>
  );
}

type Save = { body: LabelSettingsChange; typed: Partial<Edited> };

function useSave(realmId: string, onSaved: (typed: Save["typed"]) => void) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: ({ body }: Save) => call(changeLabelSettings, { body }),
    onSuccess: (saved, { typed }) => {
      announce(words.saved);
      queries.setQueryData([...queryKeys.labels(realmId), "settings"], saved);
      onSaved(typed);
    },
  });
}

const DRAFT = "label-settings.";

/** Whether there are unsaved changes. */
export const hasUnsavedSettings = (email: string | null, realmId: string): boolean =>
  openDraft(`${DRAFT}${email}.${realmId}`).get() !== null;
