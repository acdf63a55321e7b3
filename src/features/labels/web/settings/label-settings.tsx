import type { SessionCompany } from "#features/identity/contract.ts";
import type { LabelSettingsView } from "#features/labels/contract.ts";
import { labelSettingsQuery } from "#features/labels/web/queries.ts";
import { LowSerials } from "#features/labels/web/settings/low-serials.tsx";
import { hasUnsavedSettings, SettingsForm } from "#features/labels/web/settings/settings-form.tsx";
import { SettingsText } from "#features/labels/web/settings/settings-text.tsx";
import { settingsWords as words } from "#features/labels/web/settings/words.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SettingsPart } from "#web/kit/settings-part.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

/** Label settings behind a row: the admin changes them, other members read them. */
export function LabelSettings({ company }: { company: SessionCompany }) {
  const { data, error, refetch } = useQuery(labelSettingsQuery(company.id));
  if (error) return <FailedCall error={error} onRetry={() => void refetch()} />;
  return data ? <Settings company={company} settings={data} /> : null;
}

type SettingsProps = { company: SessionCompany; settings: LabelSettingsView };

/** Initially open only if the admin has something to do. */
function Settings({ company, settings }: SettingsProps) {
  const { email, isCompanyAdmin } = useSession();
  const needsAdmin =
    settings.prefix === null || settings.shared !== null || hasUnsavedSettings(email, company.id);
  const [isOpen, setOpen] = useState(isCompanyAdmin && needsAdmin);
  return (
    <SettingsPart
      title={words.title}
      note={isCompanyAdmin ? words.note : words.readOnly(company.admin ?? null)}
      state={settings.prefix === null ? null : words.prefixState(settings.prefix)}
      isOpen={isOpen}
      onToggle={setOpen}
      notices={
        <>
          {settings.prefix === null ? <Notice tone="amber">{words.missing}</Notice> : null}
          <LowSerials settings={settings} />
        </>
      }
    >
      {isCompanyAdmin ? (
        <SettingsForm realmId={company.id} settings={settings} />
      ) : (
        <SettingsText settings={settings} />
      )}
    </SettingsPart>
  );
}
