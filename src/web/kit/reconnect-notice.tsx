import { useQuery } from "@tanstack/react-query";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";

/** Shows when Intuit no longer accepts our connection to the current company, and how to renew it; also when that cannot be known. */
export function ReconnectNotice() {
  const { company } = useSession();
  const { data, error, refetch } = useQuery({ ...companiesQuery, enabled: company !== null });
  const details = data?.companies.find(({ id }) => id === company?.id);
  if (!data) return <FailedCall error={error} onRetry={() => void refetch()} />;
  if (details?.connection !== "reconnect_needed") return null;
  return (
    <ErrorBlock title={kitWords.reconnect.title} message={kitWords.reconnect.text(details.name)} role="group">
      <PlainLink href="/get-app/" style={{ color: "inherit" }}>
        {kitWords.reconnect.link}
      </PlainLink>
    </ErrorBlock>
  );
}
