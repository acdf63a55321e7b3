import type { SessionCompany } from "#features/identity/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";
import { Card } from "#web/kit/card.tsx";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import { useQuery } from "@tanstack/react-query";

const words = uploadWords.connection;

/** Which company the page works for, with which services. */
export function ConnectionCard({ company }: { company: SessionCompany | null }) {
  return (
    <Card title={words.title} printed={false}>
      {company ? (
        <Connected company={company} />
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
  const { data } = useQuery(companiesQuery);
  const details = data?.companies.find(({ id }) => id === company.id);
  const tracking = details?.services.includes("tracking") === true;
  return (
    <>
      <p style={{ marginTop: 0 }}>
        {tracking ? words.connectedTracking(company.name) : words.connected(company.name)}{" "}
        <TextLink to="/settings/">{words.manage}</TextLink>
      </p>
      {tracking ? null : (
        // Its room is kept while the services are not known, so that the cards below stay where they are.
        <p style={{ marginBottom: 0, visibility: details ? "visible" : "hidden" }}>{words.turnOnTracking}</p>
      )}
      <ReconnectNotice />
    </>
  );
}
