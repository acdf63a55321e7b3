import {
  changeLabelSettings,
  type LabelSettingsChange,
  type LabelSettingsView,
} from "#features/labels/settings/contract.ts";
import { PrintChoices, type PrintForm } from "#features/labels/web/print/print-choices.tsx";
import { TestPageLinks } from "#features/labels/web/print/test-page-links.tsx";
import { type OtherPrefix, OtherPrefixes } from "#features/labels/web/settings/other-prefixes.tsx";
import { ShipFroms } from "#features/labels/web/settings/ship-froms.tsx";
import { settingsWords as words } from "#features/labels/web/settings/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { SelectField } from "#web/kit/select-field.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";

type Props = { realmId: string; settings: LabelSettingsView; disabled: boolean };

const row = { display: "flex", flexWrap: "wrap", gap: 2, mb: 2 } as const;

/** Prefix, serials, profile, printer and ship-from addresses, saved together. */
export function SettingsForm({ realmId, settings, disabled }: Props) {
  const [prefix, setPrefix] = useState(settings.prefix ?? "");
  const [extension, setExtension] = useState(String(settings.extension));
  // Null until it is typed: the number grows while this page is open.
  const [next, setNext] = useState<string | null>(null);
  const [profile, setProfile] = useState(settings.profile);
  const [resolution, setResolution] = useState(settings.resolution);
  const [form, setForm] = useState<PrintForm>(printFormOf(settings));
  const [others, setOthers] = useState(othersOf(settings));
  const [shipFroms, setShipFroms] = useState(settings.ship_froms);
  const save = useSave(realmId, (saved) => {
    setNext(null);
    setOthers(othersOf(saved));
  });
  const prefixes = [prefix, ...others.map((other) => other.prefix)];
  const isPrefix = prefixes.every(looksRight);
  // Left out, it would look saved, and numbers that were used elsewhere would be printed again.
  const isNext = [next, ...others.map((other) => other.next)].every((each) =>
    /^\d*$/.test(each?.trim() ?? ""),
  );
  const isWrong = prefixes.some((each) => each !== "" && !looksRight(each));
  const fault = isWrong ? words.prefixWrong : isNext ? null : words.nextWrong;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (disabled || !isPrefix || !isNext) return;
    save.mutate({
      prefix: prefix.trim(),
      extension: Number(extension),
      profile,
      resolution,
      ...form,
      ship_froms: shipFroms,
      ...nextSerial(next),
      other_prefixes: others.map((other) => ({ prefix: other.prefix.trim(), ...nextSerial(other.next) })),
    });
  };
  return (
    <Box component="form" noValidate aria-label={words.title} onSubmit={submit}>
      <Box sx={row}>
        <Field hint={words.prefixHint}>
          <TextInput
            label={words.prefix}
            inputMode="numeric"
            value={prefix}
            disabled={disabled}
            onChange={({ target }) => setPrefix(target.value)}
          />
        </Field>
        <Field hint={words.nextHint}>
          <TextInput
            label={words.next}
            inputMode="numeric"
            value={next ?? String(settings.next_serial)}
            disabled={disabled}
            onChange={({ target }) => setNext(target.value)}
          />
        </Field>
      </Box>
      <OtherPrefixes prefixes={others} disabled={disabled} onChange={setOthers} />
      <Box sx={row}>
        <Field hint={words.extensionHint}>
          <SelectField
            label={words.extension}
            labelAt="above"
            value={extension}
            options={DIGITS}
            disabled={disabled}
            onChange={setExtension}
          />
        </Field>
        <Field>
          <SelectField
            label={words.profile}
            labelAt="above"
            value={profile}
            options={settings.profiles.map(({ id, name }) => ({ value: id, label: name }))}
            disabled={disabled}
            onChange={setProfile}
          />
        </Field>
        <Field hint={words.printerHint}>
          <SelectField
            label={words.printer}
            labelAt="above"
            value={resolution}
            options={words.printers}
            disabled={disabled}
            onChange={(value) => setResolution(value as typeof resolution)}
          />
        </Field>
      </Box>
      <Box sx={{ mb: 3 }}>
        <PrintChoices
          form={form}
          disabled={disabled}
          onChange={(change) => setForm({ ...form, ...change })}
        />
        <TestPageLinks />
      </Box>
      <ShipFroms shipFroms={shipFroms} disabled={disabled} onChange={setShipFroms} />
      <ErrorBlock title={null} message={fault} />
      {disabled ? null : (
        <BusyButton
          type="submit"
          label={words.save}
          disabled={!isPrefix || !isNext}
          isBusy={save.isPending}
        />
      )}
      <FailedCall error={save.error} />
    </Box>
  );
}

const looksRight = (prefix: string) => /^\d{4,12}$/.test(prefix.trim());

const nextSerial = (next: string | null) => (next?.trim() ? { next_serial: Number(next) } : {});

const othersOf = ({ other_prefixes: others }: LabelSettingsView): OtherPrefix[] =>
  others.map(({ prefix, next_serial: given }) => ({ prefix, given, next: null }));

const printFormOf = ({ paper, order, separators }: LabelSettingsView): PrintForm => ({
  paper,
  order,
  separators,
});

const DIGITS = Array.from({ length: 10 }, (_, digit) => ({ value: String(digit), label: String(digit) }));

function Field({ hint, children }: { hint?: string; children: ReactNode }) {
  return (
    <Box sx={{ flex: "1 1 16rem", minWidth: 0, maxWidth: "min(28rem, 100%)" }}>
      {children}
      {hint ? (
        <Box component="p" sx={{ mt: 0.5, mb: 0, typography: "caption", color: "text.caption" }}>
          {hint}
        </Box>
      ) : null}
    </Box>
  );
}

function useSave(realmId: string, onSaved: (saved: LabelSettingsView) => void) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (body: LabelSettingsChange) => call(changeLabelSettings, { body }),
    onSuccess: (saved) => {
      announce(words.saved);
      onSaved(saved);
      queries.setQueryData([...queryKeys.labels(realmId), "settings"], saved);
    },
  });
}
