import type { SessionCompany } from "#features/identity/contract.ts";
import type { LabelSettingsView } from "#features/labels/contract.ts";
import { labelSettingsQuery } from "#features/labels/web/queries.ts";
import { LowSerials } from "#features/labels/web/settings/low-serials.tsx";
import { SettingsForm } from "#features/labels/web/settings/settings-form.tsx";
import { settingsWords as words } from "#features/labels/web/settings/words.ts";
import { Card } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { useQuery } from "@tanstack/react-query";

/** Label settings: the admin changes them, other members read them. */
export function LabelSettings({ company }: { company: SessionCompany }) {
  const { isCompanyAdmin } = useSession();
  const { data, error, refetch } = useQuery(labelSettingsQuery(company.id));
  return (
    <Card title={words.title} note={isCompanyAdmin ? words.note : words.readOnly} printed={false}>
      {error ? <FailedCall error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <>
          <Serials settings={data} />
          <SettingsForm realmId={company.id} settings={data} disabled={!isCompanyAdmin} />
        </>
      ) : null}
    </Card>
  );
}

function Serials({ settings }: { settings: LabelSettingsView }) {
  const { prefix, serials } = settings;
  if (prefix === null || !serials) return <Notice tone="amber">{words.missing}</Notice>;
  return (
    <>
      {serials.is_low ? null : <p>{words.left(serials.left, serials.total)}</p>}
      <LowSerials settings={settings} />
    </>
  );
}
