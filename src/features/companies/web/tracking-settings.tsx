import {
  changeSettings,
  type CompanyView,
  LOOKBACK_DAYS,
  type SettingsChange,
} from "#features/companies/contract.ts";
import { useCompanyCommand } from "#features/companies/web/use-company-command.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Chip } from "#web/kit/chip.tsx";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Hint, SettingsGroup } from "#web/kit/settings-group.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { useDraft } from "#web/kit/use-draft.ts";
import Box from "@mui/material/Box";
import { type ComponentType, useId, useState } from "react";

const words = companyWords.tracking;

type Settings = NonNullable<CompanyView["settings"]>;
type Props = { company: CompanyView };

/** Fields and buttons of the company's account at the carrier. */
export type CarrierPart = ComponentType<{ company: CompanyView; account: string; isActive: boolean }>;

/** Proof that packages are followed. */
export type WatchPart = ComponentType<{ realmId: string }>;

type Parts = { Carrier: CarrierPart; Watch: WatchPart };

/** Settings of the Tracking Service: contact, carrier account, attachments, and lookback; and whether it works. */
export function TrackingSettings({ company, Carrier, Watch }: Props & Parts) {
  const { settings } = company;
  if (!settings) return null;
  const isActive = company.services.includes("tracking");
  const part = { company, settings, isActive };
  return (
    <>
      <Contact {...part} />
      <SettingsGroup title={words.carrierTitle} state={<CarrierState settings={settings} />}>
        <Carrier company={company} account={settings.ups_account} isActive={isActive} />
      </SettingsGroup>
      <Tracked {...part} />
      {isActive ? <Watch realmId={company.id} /> : null}
    </>
  );
}

type PartProps = Props & { settings: Settings; isActive: boolean };

function CarrierState({ settings: { ups_account: account, ups_state: state } }: Pick<PartProps, "settings">) {
  if (state === "none") return <Chip tone="plain">{words.notConnected}</Chip>;
  if (state === "reconnect_needed") return <Chip tone="amber">{words.reconnectNeeded}</Chip>;
  return <Chip tone="ok">{words.connected(account.slice(-4))}</Chip>;
}

function Contact({ company, settings, isActive }: PartProps) {
  const [email, setEmail, forgetEmail] = useDraft(`contact.${company.id}`, settings.contact_email);
  const save = useSave(company, forgetEmail);
  const isChanged = email.trim().toLowerCase() !== settings.contact_email;
  const hint = useId();
  return (
    <SettingsGroup
      title={words.contactTitle}
      onSubmit={() => isChanged && save.mutate({ contact_email: email })}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 1.5 }}>
        <TextInput
          type="email"
          label={words.contact}
          value={email}
          disabled={!isActive}
          aria-describedby={hint}
          onChange={({ target }) => setEmail(target.value)}
        />
        <BusyButton
          type="submit"
          label={words.update}
          disabled={!isActive || (!isChanged && !save.isPending)}
          isBusy={save.isPending}
        />
      </Box>
      <Hint id={hint}>{boot.mail ? words.contactHint : `${words.contactHint} ${words.noMail}`}</Hint>
      <FailedCall error={save.error} />
    </SettingsGroup>
  );
}

type Flag = "attach_pods" | "pods_on_send" | "pods_together" | "freight_on_invoices";

/** Settings that say more about attached proofs. */
const ATTACHED_FIELDS = [
  { flag: "pods_on_send", label: words.onSend, hint: words.onSendHint },
  { flag: "pods_together", label: words.together, hint: words.togetherHint },
] as const;

function Tracked({ company, settings, isActive }: PartProps) {
  const announce = useAnnounce();
  // Empty until the user chooses, so that a save does not revert another user's change.
  const [chosen, setChosen] = useState<Partial<Pick<Settings, Flag>>>({});
  const now = { ...settings, ...chosen };
  const isAttached = now.attach_pods === "true";
  const [days, setDays, forgetDays] = useDraft(`days.${company.id}`, String(settings.invoice_lookback));
  // Last valid value; restored when the typed text isn't a number of days.
  const [left, setLeft] = useState(settings.invoice_lookback);
  const save = useSave(company, () => {
    setChosen({});
    forgetDays();
  });
  const lookback = readDays(days) ?? left;
  const flags: Flag[] = [
    "attach_pods",
    ...(isAttached ? ATTACHED_FIELDS.map(({ flag }) => flag) : []),
    "freight_on_invoices",
  ];
  const change: SettingsChange = {
    ...Object.fromEntries(
      flags.filter((flag) => now[flag] !== settings[flag]).map((flag) => [flag, now[flag]]),
    ),
    ...(lookback === settings.invoice_lookback ? {} : { invoice_lookback: lookback }),
  };
  const isChanged = Object.keys(change).length > 0;
  const hints = useId();
  const leave = () => {
    setLeft(lookback);
    if (readDays(days) !== null) return;
    setDays(String(lookback));
    announce(words.lookbackHint);
  };
  const field = (flag: Flag) => ({
    isChecked: now[flag] === "true",
    isActive,
    onChange: (isChecked: boolean) => setChosen({ ...chosen, [flag]: isChecked ? "true" : "false" }),
  });
  return (
    <SettingsGroup title={words.trackedTitle} onSubmit={() => isChanged && save.mutate(change)}>
      <FlagField {...field("attach_pods")} label={words.attach} hint={words.attachHint} />
      {isAttached
        ? ATTACHED_FIELDS.map(({ flag, ...texts }) => (
            <Box key={flag} sx={{ ml: "28px" }}>
              <FlagField {...field(flag)} {...texts} />
            </Box>
          ))
        : null}
      <FlagField {...field("freight_on_invoices")} label={words.freight} hint={words.freightHint} />
      <Box sx={{ maxWidth: "12rem", mt: 2 }}>
        <TextInput
          label={words.lookback}
          inputMode="numeric"
          value={days}
          disabled={!isActive}
          aria-describedby={`${hints}-days`}
          onChange={({ target }) => setDays(target.value)}
          onBlur={leave}
        />
      </Box>
      <Hint id={`${hints}-days`}>{words.lookbackHint}</Hint>
      <Box sx={{ mt: 2 }}>
        <BusyButton
          type="submit"
          label={words.save}
          disabled={!isActive || (!isChanged && !save.isPending)}
          isBusy={save.isPending}
        />
      </Box>
      <FailedCall error={save.error} />
    </SettingsGroup>
  );
}

type FlagProps = {
  label: string;
  hint: string;
  isChecked: boolean;
  isActive: boolean;
  onChange: (isChecked: boolean) => void;
};

function FlagField({ label, hint, isChecked, isActive, onChange }: FlagProps) {
  const id = useId();
  return (
    <>
      <Choice
        type="checkbox"
        checked={isChecked}
        disabled={!isActive}
        aria-describedby={id}
        onChange={({ target }) => onChange(target.checked)}
      >
        {label}
      </Choice>
      <Box sx={{ mt: -1.25, ml: "28px" }}>
        <Hint id={id}>{hint}</Hint>
      </Box>
    </>
  );
}

/** Parses an allowed number of days; null for other text, which is never sent. */
function readDays(typed: string): number | null {
  if (!/^\d{1,3}$/.test(typed.trim())) return null;
  const days = Number(typed);
  return days >= LOOKBACK_DAYS.min && days <= LOOKBACK_DAYS.max ? days : null;
}

function useSave(company: CompanyView, onSaved: () => void) {
  const announce = useAnnounce();
  return useCompanyCommand(
    (change: SettingsChange) => call(changeSettings, { query: { realm_id: company.id }, body: change }),
    () => {
      onSaved();
      announce(words.saved);
    },
  );
}
