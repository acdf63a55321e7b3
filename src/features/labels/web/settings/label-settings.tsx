import type { SessionCompany } from "#features/identity/contract.ts";
import type { LabelSettingsView } from "#features/labels/contract.ts";
import { labelSettingsQuery } from "#features/labels/web/queries.ts";
import { LowSerials } from "#features/labels/web/settings/low-serials.tsx";
import { hasUnsavedSettings, SettingsForm } from "#features/labels/web/settings/settings-form.tsx";
import { SettingsText } from "#features/labels/web/settings/settings-text.tsx";
import { settingsWords as words } from "#features/labels/web/settings/words.ts";
import { Card } from "#web/kit/card.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

/** Label settings behind a row: the admin changes them, other members read them. */
export function LabelSettings({ company }: { company: SessionCompany }) {
  const { isCompanyAdmin } = useSession();
  const { data, error, refetch } = useQuery(labelSettingsQuery(company.id));
  return (
    <Card label={words.title} printed={false}>
      {error ? <FailedCall error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <>
          {data.prefix === null ? <Notice tone="amber">{words.missing}</Notice> : null}
          <LowSerials settings={data} />
          <Settings company={company} settings={data} isAdmin={isCompanyAdmin} />
        </>
      ) : null}
    </Card>
  );
}

type SettingsProps = { company: SessionCompany; settings: LabelSettingsView; isAdmin: boolean };

/** Initially open only if the admin has something to do. */
function Settings({ company, settings, isAdmin }: SettingsProps) {
  const { email } = useSession();
  const needsAdmin =
    settings.prefix === null || settings.shared !== null || hasUnsavedSettings(email, company.id);
  const [startsOpen] = useState(isAdmin && needsAdmin);
  const content = isAdmin ? (
    <SettingsForm realmId={company.id} settings={settings} />
  ) : (
    <SettingsText settings={settings} />
  );
  return startsOpen ? (
    content
  ) : (
    <Disclosure
      title={words.title}
      variant="text"
      my={0}
      beside={isAdmin ? words.note : words.readOnly(company.admin ?? null)}
    >
      <Box sx={{ mt: 2 }}>{content}</Box>
    </Disclosure>
  );
}
