import { CompanyRadios } from "#features/companies/web/company-radios.tsx";
import type { SessionCompany } from "#features/identity/contract.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { Card } from "#web/kit/card.tsx";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

const words = companyWords.settings;

/** The user's companies: which was just connected, which is current, adding one, disconnecting the current one. */
export function ConnectedCompanies({ justConnected }: { justConnected: SessionCompany | null }) {
  const { company, companies } = useSession();
  return (
    <Card title={words.connected}>
      {justConnected ? <Notice tone="green">{words.nowConnected(justConnected.name)}</Notice> : null}
      {companies.length === 0 ? (
        <>
          <p style={{ marginTop: 0 }}>{words.none}</p>
          <ConnectButton />
        </>
      ) : (
        <>
          <ReconnectNotice />
          <CompanyRadios />
          <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-start", gap: 2, mt: 2 }}>
            <Disclosure title={words.add} my={0}>
              <Box sx={{ mt: 2 }}>
                <ConnectButton />
              </Box>
            </Disclosure>
            {company ? (
              <Button
                variant="outlined"
                href={`/disconnect/?realm_id=${encodeURIComponent(company.id)}`}
                sx={{ overflowWrap: "anywhere" }}
              >
                {words.disconnect(company.name)}
              </Button>
            ) : null}
          </Box>
        </>
      )}
    </Card>
  );
}
