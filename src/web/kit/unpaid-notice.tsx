import { useQuery } from "@tanstack/react-query";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { formatDayOf } from "#web/kit/format.ts";
import { Notice } from "#web/kit/notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import { unpaidWords as words } from "#web/kit/unpaid-words.ts";

/** Says to the company's admin that a renewal was not paid, until when the service stays on, and where to pay. */
export function UnpaidNotice() {
  const { company } = useSession();
  const { data } = useQuery({ ...companiesQuery, enabled: company !== null });
  const until = data?.companies.find(({ id }) => id === company?.id)?.unpaid_until;
  if (!until) return null;
  return (
    <Notice tone="amber" role="group" title={words.title}>
      <p>{words.text(formatDayOf(until))}</p>
      <TextLink to="/settings/">{words.link}</TextLink>
    </Notice>
  );
}
