import { readPayer } from "#features/billing/contract.ts";
import { PortalButton, usePortal } from "#features/billing/web/portal-button.tsx";
import { serviceWords as words } from "#features/billing/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useSession } from "#web/kit/session/session.ts";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";

/** Tells a user who pays for the current company without being its admin, and how to stop. */
export function OwnPayments() {
  const { company } = useSession();
  return company ? <Payments key={company.id} company={company} /> : null;
}

function Payments({ company }: { company: { id: string; name: string } }) {
  const { data } = useQuery({
    queryKey: [...queryKeys.subscriptions(company.id), "own"],
    queryFn: ({ signal }) => call(readPayer, { query: { realm_id: company.id }, signal }),
  });
  const portal = usePortal(company.id);
  if (!data?.is_payer) return null;
  return (
    <section aria-labelledby="own-payments">
      <Typography variant="h2" id="own-payments">
        {words.youPay(company.name)}
      </Typography>
      <p>{words.youPayMeans}</p>
      <PortalButton portal={portal} />
      <FailedCall error={portal.error} />
    </section>
  );
}
