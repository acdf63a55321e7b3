import { ExportsRow } from "#features/companies/web/data-export/exports.tsx";
import { StorageRow } from "#features/companies/web/data-export/storage.tsx";
import { DevicesRow } from "#features/companies/web/devices.tsx";
import { SettingsFrame } from "#features/companies/web/settings-frame.tsx";
import { SupportRow } from "#features/companies/web/support/grants.tsx";
import { TrailRow } from "#features/companies/web/trail.tsx";
import { companyWords } from "#features/companies/web/words.ts";
import { DifferencesRow } from "#features/differences/web/differences-row.tsx";
import { HealthRow } from "#web/settings/connection-health.tsx";
import { Card } from "#web/kit/card.tsx";
import { Rows } from "#web/kit/rows.tsx";
import { useSession } from "#web/kit/session/session.ts";

/** Shows the company's admin its data and who can see it, and every user their own devices. */
export function DataPage() {
  const { company, isCompanyAdmin } = useSession();
  const realmId = company?.id ?? "";
  return (
    <SettingsFrame page="data">
      <Card title={companyWords.settings.data} sx={{ mt: 0 }}>
        <Rows key={realmId}>
          {isCompanyAdmin ? (
            <>
              <HealthRow realmId={realmId} />
              <DifferencesRow realmId={realmId} />
              <ExportsRow realmId={realmId} />
              <StorageRow realmId={realmId} />
              <TrailRow realmId={realmId} />
            </>
          ) : null}
          <DevicesRow />
          {isCompanyAdmin ? <SupportRow realmId={realmId} /> : null}
        </Rows>
      </Card>
    </SettingsFrame>
  );
}
