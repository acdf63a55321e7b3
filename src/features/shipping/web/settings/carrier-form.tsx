import { type CarrierSettings, changeCarrierSettings } from "#features/shipping/contract.ts";
import { openOrdersQuery } from "#features/shipping/web/shipment/queries.ts";
import { CartonPresets } from "#features/shipping/web/settings/carton-presets.tsx";
import { carrierSettingsQuery } from "#features/shipping/web/settings/queries.ts";
import {
  type EditedSettings,
  readSettings,
  type SettingsFault,
  type ShipFrom,
  toEdited,
} from "#features/shipping/web/settings/rules.ts";
import { carrierSettingsWords as words } from "#features/shipping/web/settings/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import { Hint } from "#web/kit/settings-group.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { useChanges } from "#web/kit/use-draft.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";

type Props = {
  realmId: string;
  settings: CarrierSettings & { cancel_reasons: readonly { id: string; name: string }[] };
};

const fields = {
  display: "grid",
  gap: 1.5,
  mb: 3,
  alignItems: "start",
  gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 16rem), 1fr))",
} as const;

/** Ship-from address, payer, format and carton sizes, saved together. */
export function CarrierForm({ realmId, settings }: Props) {
  const { changes, isChanged, change, forget } = useChanges<EditedSettings>("carrier-settings.", realmId);
  const edited = { ...toEdited(settings), ...changes };
  const [fault, setFault] = useState<SettingsFault | null>(null);
  const save = useSave(realmId, forget);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readSettings(edited);
    setFault(typeof read === "string" ? read : null);
    if (typeof read !== "string" && !save.isPending) save.mutate({ body: read, typed: changes });
  };
  return (
    <Box component="form" noValidate aria-label={words.title} onSubmit={submit}>
      <ShipFromFields
        shipFrom={edited.ship_from}
        onChange={(part) => change({ ship_from: { ...edited.ship_from, ...part } })}
      />
      <Payer edited={edited} onChange={change} />
      <Box sx={fields}>
        <SelectField
          label={words.format}
          labelAt="above"
          value={edited.label_format}
          options={words.formats}
          onChange={(value) => change({ label_format: value as CarrierSettings["label_format"] })}
        />
        <SelectField
          label={words.slipPaper}
          labelAt="above"
          value={edited.slip_paper}
          options={words.slipPapers}
          onChange={(value) => change({ slip_paper: value as CarrierSettings["slip_paper"] })}
        />
        <TextInput
          label={words.vendor(boot.retailer)}
          value={edited.vendor_number}
          maxLength={20}
          autoComplete="off"
          onChange={({ target }) => change({ vendor_number: target.value })}
        />
        <SelectField
          label={words.reason}
          labelAt="above"
          value={edited.cancel_reason}
          options={[
            { value: "", label: words.noReason },
            ...settings.cancel_reasons.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(value) => change({ cancel_reason: value })}
        />
      </Box>
      <CartonPresets presets={edited.presets} onChange={(presets) => change({ presets })} />
      <ErrorBlock title={null} message={fault && words.wrong[fault]} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
        <BusyButton type="submit" label={words.save} isBusy={save.isPending} />
        {isChanged && !save.isPending ? (
          <Button variant="text" onClick={() => forget(changes)}>
            {words.discard}
          </Button>
        ) : null}
      </Box>
      <FailedCall error={save.isPending ? null : save.error} />
    </Box>
  );
}

const SHIP_FROM = [
  ["name", 35],
  ["line", 35],
  ["city", 30],
  ["state", 2],
  ["zip", 10],
  ["phone", 20],
] as const;

type ShipFromProps = { shipFrom: ShipFrom; onChange: (part: Partial<ShipFrom>) => void };

function ShipFromFields({ shipFrom, onChange }: ShipFromProps) {
  return (
    <fieldset>
      <Box component="legend" sx={{ mb: 1, fontWeight: 700 }}>
        {words.shipFrom}
      </Box>
      <Box sx={fields}>
        {SHIP_FROM.map(([part, maxLength]) => (
          <TextInput
            key={part}
            label={words[part]}
            value={shipFrom[part]}
            maxLength={maxLength}
            onChange={({ target }) => onChange({ [part]: target.value })}
          />
        ))}
      </Box>
    </fieldset>
  );
}

type PayerProps = { edited: EditedSettings; onChange: (part: Partial<EditedSettings>) => void };

function Payer({ edited, onChange }: PayerProps) {
  const hint = useId();
  return (
    <Box sx={fields}>
      <SelectField
        label={words.billing}
        labelAt="above"
        value={edited.billing}
        options={words.billingOptions(boot.retailer)}
        onChange={(value) => onChange({ billing: value as EditedSettings["billing"] })}
      />
      {edited.billing === "third_party" ? (
        <>
          <div>
            <TextInput
              label={words.account(boot.retailer)}
              value={edited.billing_account}
              maxLength={6}
              autoComplete="off"
              aria-describedby={hint}
              onChange={({ target }) => onChange({ billing_account: target.value })}
            />
            <Hint id={hint}>{words.accountHint}</Hint>
          </div>
          <TextInput
            label={words.accountZip}
            value={edited.billing_zip}
            inputMode="numeric"
            maxLength={10}
            autoComplete="off"
            onChange={({ target }) => onChange({ billing_zip: target.value })}
          />
        </>
      ) : null}
    </Box>
  );
}

type Save = { body: CarrierSettings; typed: Partial<EditedSettings> };

function useSave(realmId: string, onSaved: (typed: Save["typed"]) => void) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: ({ body }: Save) => call(changeCarrierSettings, { body, realmId }),
    onSuccess: async (_, { typed }) => {
      announce(words.saved);
      await queries.invalidateQueries({ queryKey: carrierSettingsQuery(realmId).queryKey });
      onSaved(typed);
      // A ship-from address may be all that was missing.
      await queries.invalidateQueries({ queryKey: openOrdersQuery(realmId).queryKey });
    },
  });
}
