import { KeysRow } from "#features/programs/web/api-keys/keys-row.tsx";
import { AdminOnly, SettingsFrame } from "#features/companies/web/settings-frame.tsx";
import { WebhooksRow } from "#features/programs/web/webhooks/webhooks-row.tsx";
import { companyWords } from "#features/companies/web/words.ts";
import { FolderRow } from "#features/orders/web/folder-row.tsx";
import { settingsWords } from "#web/settings/words.ts";
import { Card } from "#web/kit/card.tsx";
import { LeavingRow, Rows } from "#web/kit/rows.tsx";

const words = companyWords.settings;

/** Connects a company's own software: keys, webhooks and the order folder. */
export const DevelopersPage = () => (
  <SettingsFrame page="developers">
    <Card title={words.developers} note={words.developersNote} sx={{ mt: 0 }}>
      <AdminOnly>
        {(realmId) => (
          <Rows key={realmId}>
            <KeysRow realmId={realmId} />
            <WebhooksRow realmId={realmId} />
            <FolderRow realmId={realmId} />
            <LeavingRow {...settingsWords.reference} />
          </Rows>
        )}
      </AdminOnly>
    </Card>
  </SettingsFrame>
);
