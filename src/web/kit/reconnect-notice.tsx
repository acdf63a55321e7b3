import { useQuery } from "@tanstack/react-query";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatLocalDay } from "#web/kit/format.ts";
import { Notice } from "#web/kit/notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";

/**
 * Warns that Intuit no longer accepts our connection to the current company, or soon will not, and how to
 * renew it.
 */
export function ReconnectNotice() {
  const { company } = useSession();
  const { data, error, refetch } = useQuery({ ...companiesQuery, enabled: company !== null });
  const details = data?.companies.find(({ id }) => id === company?.id);
  if (!data) return <FailedCall error={error} onRetry={() => void refetch()} />;
  const link = (
    <PlainLink href="/get-app/" style={{ color: "inherit" }}>
      {kitWords.reconnect.link}
    </PlainLink>
  );
  if (details?.reconnect_by)
    return (
      <Notice tone="amber" role="group" title={kitWords.reconnect.ends(formatLocalDay(details.reconnect_by))}>
        <p>{kitWords.reconnect.endsText(details.name)}</p>
        {link}
      </Notice>
    );
  if (details?.connection !== "reconnect_needed") return null;
  return (
    <ErrorBlock title={kitWords.reconnect.title} message={kitWords.reconnect.text(details.name)} role="group">
      {link}
    </ErrorBlock>
  );
}
