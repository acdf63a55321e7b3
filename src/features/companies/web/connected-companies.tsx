import { CompanyRadios } from "#features/companies/web/company-radios.tsx";
import { companyWords } from "#features/companies/web/words.ts";
import { Card } from "#web/kit/card.tsx";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";

const words = companyWords.settings;

/** The user's companies: which is current, adding one, and for its admin disconnecting it. */
export function ConnectedCompanies() {
  const { company, companies, isCompanyAdmin } = useSession();
  return (
    <Card title={words.connected} sx={{ mt: 0 }}>
      {companies.length === 0 ? (
        <>
          <p style={{ marginTop: 0 }}>{words.none}</p>
          <Box component="p" sx={{ mt: 0, color: "text.secondary" }}>
            {words.connectFirst}
          </Box>
          <ConnectButton />
        </>
      ) : (
        <>
          <ReconnectNotice />
          <CompanyRadios />
          <Box sx={{ pt: 2, borderTop: 1, borderColor: "divider" }}>
            <Disclosure title={words.add} my={0}>
              <Box sx={{ mt: 2 }}>
                <ConnectButton variant="outlined" />
              </Box>
            </Disclosure>
            {company && isCompanyAdmin ? (
              <Button
                color="error"
                href={`/disconnect/?realm_id=${encodeURIComponent(company.id)}`}
                sx={{ mt: 1, ml: -1, overflowWrap: "anywhere" }}
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
