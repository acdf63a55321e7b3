import type { SessionCompany } from "#features/identity/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { messageOf } from "#web/kit/api-error.ts";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";
import { Card } from "#web/kit/card.tsx";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

/** Room for the usual two lines, so that the cards below stay where they are when the answer comes. */
const RESERVED_HEIGHT = 64;

const words = uploadWords.connection;

/** Which company the page works for, with which services. */
export function ConnectionCard({ company }: { company: SessionCompany | null }) {
  return (
    <Card title={words.title} printed={false}>
      {company ? (
        <Box sx={{ minHeight: RESERVED_HEIGHT }}>
          <Connected company={company} />
        </Box>
      ) : (
        <>
          <p style={{ marginTop: 0 }}>{words.none}</p>
          <ConnectButton />
        </>
      )}
    </Card>
  );
}

function Connected({ company }: { company: SessionCompany }) {
  const { data, error, isPending } = useQuery(companiesQuery);
  if (isPending) return <Spinner label={words.loading} height={RESERVED_HEIGHT} />;
  const details = data?.companies.find(({ id }) => id === company.id);
  const tracking = details?.services.includes("tracking") === true;
  return (
    <>
      <p style={{ marginTop: 0 }}>
        {tracking ? words.connectedTracking(company.name) : words.connected(company.name)}{" "}
        <TextLink to="/settings/">{words.manage}</TextLink>
      </p>
      {details && !tracking ? <p style={{ marginBottom: 0 }}>{words.turnOnTracking}</p> : null}
      <ReconnectNotice />
      <ErrorBlock message={messageOf(error)} role="group" />
    </>
  );
}
