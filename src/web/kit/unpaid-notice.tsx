import { useQuery } from "@tanstack/react-query";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { formatLocalDay } from "#web/kit/format.ts";
import { Notice } from "#web/kit/notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { TextLink } from "#web/kit/text-link.tsx";

/**
 * Notifies the company's admin that a renewal was not paid, until when the service stays on, and where to pay.
 */
export function UnpaidNotice() {
  const { company } = useSession();
  const { data } = useQuery({ ...companiesQuery, enabled: company !== null });
  const until = data?.companies.find(({ id }) => id === company?.id)?.unpaid_until;
  if (!until) return null;
  return (
    <Notice tone="amber" role="group" title={words.title}>
      <p>{words.text(formatLocalDay(until))}</p>
      <TextLink to="/settings/">{words.link}</TextLink>
    </Notice>
  );
}

/** UI text for an unpaid renewal; separate from the others, which every page loads. */
const words = {
  title: "The last payment failed",
  text: (day: string) =>
    `The renewal of Tracking Service wasn't paid. It stays on until ${day}; then tracking stops. Your data and settings are kept.`,
  link: "Fix the payment in Settings",
} as const;
