import type { TrackingView } from "#features/tracking/contract.ts";
import { formatMoment } from "#features/tracking/web/format-time.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import type { SessionCompany } from "#features/identity/contract.ts";
import { useIsConnectionLost } from "#web/kit/companies-query.ts";
import { Notice } from "#web/kit/notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { TextLink } from "#web/kit/text-link.tsx";

const words = trackingWords.notices;

type Props = { tracking: TrackingView; company: SessionCompany };

/** Why packages aren't followed or invoices not updated, and where that is changed. */
export function StatusNotices({ tracking, company }: Props) {
  const { state, ups_state: ups, shipping_fields: fields, problem, problem_at: at } = tracking;
  const isLost = useIsConnectionLost(company.id);
  if (state === "off")
    return (
      <Notice tone="gray" role="group" title={trackingWords.offer.kept}>
        <p>{trackingWords.offer.keptText}</p>
        <TextLink to={trackingWords.servicesHref}>{trackingWords.offer.turnOn}</TextLink>
      </Notice>
    );
  return (
    <>
      {ups === "none" ? <AccountNotice {...words.noAccount} company={company} /> : null}
      {ups === "reconnect_needed" ? <AccountNotice {...words.reconnect} company={company} /> : null}
      {fields === "off" ? (
        <Notice tone="amber" role="group" title={words.fields.title}>
          <p>{words.fields.text}</p>
        </Notice>
      ) : null}
      {/* A lost connection or account is the problem, and has a notice of its own. */}
      {problem !== "" && at !== null && ups === "connected" && !isLost ? (
        <Notice tone="amber" role="group" title={words.problem(formatMoment(at))}>
          <p>{problem}</p>
        </Notice>
      ) : null}
    </>
  );
}

type AccountProps = { title: string; text: string; link: string; company: SessionCompany };

/** The company's admin follows the link; another user sees the admin's name. */
function AccountNotice({ title, text, link, company }: AccountProps) {
  const { isCompanyAdmin } = useSession();
  return (
    <Notice tone="amber" role="group" title={title}>
      <p>
        {text} {isCompanyAdmin ? null : words.askAdmin(company.admin)}
      </p>
      {isCompanyAdmin ? <TextLink to={trackingWords.settingsHref}>{link}</TextLink> : null}
    </Notice>
  );
}
