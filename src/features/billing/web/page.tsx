import { activateSubscription } from "#features/billing/contract.ts";
import { openStripe } from "#features/billing/web/load-stripe.ts";
import { payingCompany } from "#features/billing/web/paid-for.ts";
import { completionWords as words } from "#features/billing/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { errorMessage } from "#web/kit/api-error.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { PageTitle } from "#web/kit/page-head.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useSession } from "#web/kit/session/session.ts";
import { Sheet } from "#web/kit/card.tsx";
import { SignInGate } from "#web/kit/gates.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Button from "@mui/material/Button";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";

/** Return page of the payment form. */
export function PaymentCompletionPage() {
  const payment = usePayment();
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <SignInGate>
        <Sheet>
          {payment ? (
            <Recording {...payment} />
          ) : (
            <>
              <ErrorBlock title={words.errorTitle} message={words.incomplete} role="group" />
              <BackToSettings />
            </>
          )}
        </Sheet>
      </SignInGate>
    </>
  );
}

type Payment = { subscriptionId: string; secret: string };

/**
 * Reads the address. The secret is removed from the address bar at once and kept where only a
 * reload of this page finds it: addresses are copied, logged and reported.
 */
function usePayment(): Payment | null {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(search);
  const subscriptionId = query.get("subscription_id");
  const named = query.get("payment_intent_client_secret");
  const kept = (state as { secret?: unknown } | null)?.secret;
  useEffect(() => {
    if (named === null) return;
    const rest = subscriptionId ? `?${new URLSearchParams({ subscription_id: subscriptionId })}` : "";
    void navigate(`/payment-completion${rest}`, { replace: true, state: { secret: named } });
  }, [named, subscriptionId, navigate]);
  const secret = named ?? (typeof kept === "string" ? kept : null);
  return subscriptionId && secret ? { subscriptionId, secret } : null;
}

/** Polling interval for processing payments, for up to a minute. */
const AGAIN_MS = 5_000;
const MAX_LOOKS = 12;

function Recording({ subscriptionId, secret }: Payment) {
  const realmId = usePaidRealm(subscriptionId);
  const payment = useQuery({
    queryKey: ["payment", subscriptionId],
    queryFn: () => readStatus(secret),
    retry: false,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data === "processing" && state.dataUpdateCount <= MAX_LOOKS ? AGAIN_MS : false,
  });
  if (payment.error) return <Failed message={errorMessage(payment.error)} />;
  if (payment.data === undefined || realmId === null) return <Spinner label={words.reading} />;
  if (payment.data === "succeeded") return <Activation realmId={realmId} subscriptionId={subscriptionId} />;
  return (
    <>
      <p role="status">{words.status(payment.data)}</p>
      <BackToSettings />
    </>
  );
}

/**
 * Finds the company being paid for: the one for which this tab started the payment, else the
 * current one; null until known.
 */
function usePaidRealm(subscriptionId: string): string | null {
  const { companies, companyCount, realmId } = useSession();
  const started = payingCompany.read(subscriptionId);
  if (started === null || companies.some(({ id }) => id === started)) return started ?? realmId;
  return companies.length < companyCount ? null : realmId;
}

async function readStatus(secret: string): Promise<string> {
  const stripe = await openStripe();
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(secret);
  if (error) throw new Error(error.message ?? words.errorTitle);
  return paymentIntent.status;
}

/** Activates once, however often the page renders, then opens Settings. */
function Activation({ realmId, subscriptionId }: { realmId: string; subscriptionId: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { switchCompany } = useSession();
  const activation = useQuery({
    queryKey: ["activation", realmId, subscriptionId],
    queryFn: () =>
      call(activateSubscription, {
        query: { realm_id: realmId },
        body: { subscription_id: subscriptionId, status: "succeeded" },
      }),
    retry: false,
    staleTime: Infinity,
  });
  const { data, error, isFetching, refetch } = activation;
  useEffect(() => {
    if (!data) return;
    const isOn = ["active", "trialing"].includes(data.status);
    for (const queryKey of [queryKeys.companies, queryKeys.user, queryKeys.subscriptions(realmId)])
      void queries.invalidateQueries({ queryKey });
    switchCompany(realmId);
    const state = isOn ? { activated: data.product_name, realmId } : null;
    void navigate("/settings/", { replace: true, state });
  }, [data, navigate, queries, realmId, switchCompany]);
  if (error && !isFetching)
    return (
      <>
        <ErrorBlock title={words.errorTitle} message={errorMessage(error)}>
          <p style={{ margin: "4px 0 0" }}>{words.received}</p>
          <Button variant="outlined" onClick={() => void refetch()} sx={{ mt: 1.5 }}>
            {words.tryAgain}
          </Button>
        </ErrorBlock>
        <BackToSettings />
      </>
    );
  return (
    <>
      <p role="status">{words.thanks}</p>
      <Spinner label={words.thanks} />
    </>
  );
}

function Failed({ message }: { message: string | null }) {
  return (
    <>
      <ErrorBlock title={words.errorTitle} message={message ?? words.incomplete} />
      <BackToSettings />
    </>
  );
}

const BackToSettings = () => <TextLink to="/settings/">{words.settings}</TextLink>;
