import { listPayments } from "#features/billing/contract.ts";
import { PortalButton, usePortal } from "#features/billing/web/portal-button.tsx";
import { serviceWords as words } from "#features/billing/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import type * as z from "zod";

/** Companies that the user pays for without seeing their services, and how to stop. */
export function OwnPayments() {
  const { data } = useQuery({
    queryKey: ["own-payments"],
    queryFn: ({ signal }) => call(listPayments, { signal }),
    staleTime: 0,
  });
  return data?.map((company) => <Payments key={company.id} company={company} />);
}

function Payments({ company }: { company: z.output<typeof listPayments.response>[number] }) {
  const portal = usePortal(company.id);
  const id = `payments-${company.id}`;
  return (
    <section aria-labelledby={id}>
      <Typography variant="h2" id={id}>
        {words.youPay(company.name)}
      </Typography>
      <p>
        {company.is_connected ? words.otherAdmin : words.disconnected} {words.youPayMeans}
      </p>
      <PortalButton portal={portal} />
      <FailedCall error={portal.error} />
    </section>
  );
}
