import { startPayment, type SubscriptionRow } from "#features/billing/contract.ts";
import { OtherPayer } from "#features/billing/web/other-payer.tsx";
import { PortalButton, usePortal, type Portal } from "#features/billing/web/portal-button.tsx";
import { PaymentForm } from "#features/billing/web/lazy-parts.ts";
import { subscriptionsQuery } from "#features/billing/web/queries.ts";
import { SetUp } from "#features/billing/web/set-up.tsx";
import { FreeService, ServiceRow } from "#features/billing/web/service-row.tsx";
import { serviceWords as words } from "#features/billing/web/words.ts";
import type { CompanyView } from "#features/companies/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { useLocation } from "react-router";

type Props = { company: CompanyView };

/** Services that a company uses and can add, with their prices. */
export function CurrentServices({ company }: Props) {
  const { data, error, isPending, refetch } = useQuery(subscriptionsQuery(company.id));
  const portal = usePortal(company.id);
  const activated = useActivated(company.id);
  return (
    <>
      {activated ? (
        <Notice tone="green" role="status" title={words.isActive(activated)}>
          {company.services.includes("tracking") ? <SetUp company={company} /> : null}
        </Notice>
      ) : null}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
        <FreeService {...words.upload} />
        {data?.subscriptions.map((row) => (
          <Sold key={row.price_id} company={company} row={row} isPayer={data.is_payer} portal={portal} />
        ))}
      </Box>
      {isPending ? <Spinner label={words.loading} /> : null}
      {data?.subscriptions.length === 0 ? <p>{words.empty}</p> : null}
      {error ? <FailedCall error={error} onRetry={() => void refetch()} /> : null}
      <FailedCall error={portal.error} />
      {data?.payer ? (
        <Payer payer={data.payer} isPayer={data.is_payer} portal={portal} realmId={company.id} />
      ) : null}
    </>
  );
}

type PayerProps = { payer: string; isPayer: boolean; portal: Portal; realmId: string };

/** Shows the payer, or a link to the user's own payments. */
function Payer({ payer, isPayer, portal, realmId }: PayerProps) {
  if (!isPayer) return <OtherPayer payer={payer} realmId={realmId} />;
  return <PortalButton portal={portal} />;
}

/** Returns the product that the payment page has just turned on for a company. */
function useActivated(realmId: string): string | null {
  const { state } = useLocation();
  const { activated: name, realmId: of } = (state ?? {}) as { activated?: unknown; realmId?: unknown };
  return typeof name === "string" && of === realmId ? name : null;
}

type SoldProps = {
  company: CompanyView;
  row: SubscriptionRow;
  isPayer: boolean;
  portal: Portal;
};

/** One paid service: its row, and below it the started payment. */
function Sold({ company, row, isPayer, portal }: SoldProps) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.subscriptions(company.id) }),
      queries.invalidateQueries({ queryKey: queryKeys.companies }),
      queries.invalidateQueries({ queryKey: queryKeys.user }),
    ]);
  const { product_name: name, ...fields } = row;
  const start = useMutation({
    mutationFn: (trial: boolean) =>
      call(startPayment, {
        query: { realm_id: company.id },
        body: { ...fields, ...(trial ? { trial } : {}) },
      }),
    onSuccess: ({ client_secret: secret }) => (secret === null ? announce(words.added(name)) : undefined),
  });
  const close = () => {
    start.reset();
    void refresh();
  };
  const secret = start.data?.client_secret;
  return (
    <ServiceRow
      row={row}
      isOpen={start.data !== undefined}
      isPayer={isPayer}
      isStarting={start.isPending}
      isLeaving={portal.isPending}
      onManage={portal.mutate}
      onStart={start.mutate}
    >
      <FailedCall error={start.error} />
      {start.data && secret ? (
        <Suspense fallback={<Spinner label={words.loading} />}>
          <PaymentForm payment={start.data} secret={secret} companyName={company.name} onClose={close} />
        </Suspense>
      ) : null}
      {start.data && !secret ? (
        <Notice tone="green" role="group" title={words.added(name)}>
          {start.variables && start.data.end_date !== null ? (
            <p>{words.trialRuns(start.data.end_date)}</p>
          ) : null}
          {row.service === "tracking" ? <SetUp company={company} /> : null}
          <Button variant="outlined" onClick={close} sx={{ mt: 1 }}>
            {words.ok}
          </Button>
        </Notice>
      ) : null}
    </ServiceRow>
  );
}
