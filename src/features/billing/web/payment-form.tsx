import type { StartedPayment } from "#features/billing/contract.ts";
import { openStripe } from "#features/billing/web/load-stripe.ts";
import { payingCompany } from "#features/billing/web/paid-for.ts";
import { formatDay, paymentWords as words } from "#features/billing/web/words.ts";
import { useSession } from "#web/kit/session/session.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { formatDollars } from "#web/kit/format.ts";
import { Icon } from "#web/kit/icon.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { useMediaQuery } from "#web/kit/use-media.ts";
import { darkPalette, lightPalette } from "#web/theme/colors.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useColorScheme } from "@mui/material/styles";
import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe, StripeError } from "@stripe/stripe-js";
import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";

type Props = { payment: StartedPayment; secret: string; companyName: string; onClose: () => void };

/** Pays for a service by card. The card's fields are Stripe's own, in its iframe. */
export function PaymentForm(props: Props) {
  const { secret, onClose } = props;
  const appearance = useAppearance();
  const { data, error, refetch } = useQuery({ queryKey: ["stripe-js"], queryFn: openStripe, retry: false });
  if (error)
    return (
      <ErrorBlock message={words.notLoaded}>
        <Box sx={{ display: "flex", gap: 1, mt: 1.5 }}>
          <Button variant="outlined" onClick={() => void refetch()}>
            {words.retry}
          </Button>
          <Button variant="contained" color="cancel" onClick={onClose}>
            {words.cancel}
          </Button>
        </Box>
      </ErrorBlock>
    );
  if (!data) return <Spinner label={words.loading} />;
  return (
    <Elements key={secret} stripe={data} options={{ clientSecret: secret, appearance }}>
      <Box
        sx={{
          display: "grid",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) minmax(0, 20rem)" },
          gap: { xs: 3, lg: 6 },
          mt: 3,
        }}
      >
        <CardForm {...props} />
        <Summary {...props} />
      </Box>
    </Elements>
  );
}

/** Passes the page's colors to Stripe's iframe. */
function useAppearance() {
  const { mode } = useColorScheme();
  const isSystemDark = useMediaQuery("(prefers-color-scheme: dark)");
  const isDark = mode === "dark" || (mode !== "light" && isSystemDark);
  const palette = isDark ? darkPalette : lightPalette;
  return {
    theme: isDark ? ("night" as const) : ("stripe" as const),
    variables: {
      colorPrimary: palette.primary.ink,
      colorBackground: palette.background.default,
      colorText: palette.text.primary,
      colorDanger: palette.status.red.ink,
    },
  };
}

function CardForm({ payment, secret, onClose }: Props) {
  const stripe = useStripe();
  const elements = useElements();
  const navigate = useNavigate();
  const { realmId } = useSession();
  const [isPaying, setPaying] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const pay = async (event: FormEvent) => {
    event.preventDefault();
    if (!stripe || !elements || isPaying) return;
    setPaying(true);
    setFault(null);
    if (payment.subscription_id && realmId) payingCompany.save(payment.subscription_id, realmId);
    const address = returnAddress(payment);
    const { error } = await stripe
      .confirmPayment({ elements, confirmParams: { return_url: address.href } })
      .catch(() => ({ error: { type: "api_error" as const } }));
    // After success the browser is already leaving for the return address.
    if (!isOfCard(error) && (await isPaid(stripe, secret)))
      return navigate(`${address.pathname}${address.search}`, { state: { secret } });
    setFault(chooseMessage(error));
    setPaying(false);
  };
  return (
    <form aria-label={words.label(payment.product_name)} onSubmit={(event) => void pay(event)}>
      <Box component="h3" sx={{ mt: 0, mb: 1.5, fontSize: "1.0625rem", fontWeight: 700 }}>
        {words.title}
      </Box>
      <PaymentElement />
      <ErrorBlock title={words.errorTitle} message={fault} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, mt: 2 }}>
        <BusyButton
          type="submit"
          variant="contained"
          label={words.pay(formatDollars(payment.rate))}
          isBusy={isPaying}
          disabled={!stripe}
        />
        {/* A payment being sent to Stripe can't be canceled. */}
        <Button variant="contained" color="cancel" size="large" disabled={isPaying} onClick={onClose}>
          {words.cancel}
        </Button>
      </Box>
      <Box
        component="p"
        sx={{ display: "flex", gap: 1, alignItems: "center", typography: "caption", color: "text.caption" }}
      >
        <Icon of={Lock} size="small" />
        {words.secure}
      </Box>
    </form>
  );
}

type Fault = Pick<StripeError, "type" | "message">;

const isOfCard = ({ type }: Fault): boolean => type === "card_error" || type === "validation_error";

/** Shows only messages that Stripe meant for the payer. */
const chooseMessage = (error: Fault): string =>
  isOfCard(error) && error.message ? error.message : words.unexpected;

/**
 * The payment may have succeeded with a lost answer, here or in another tab; then the user is not
 * asked to pay again.
 */
async function isPaid(stripe: Stripe, secret: string): Promise<boolean> {
  const { paymentIntent } = await stripe.retrievePaymentIntent(secret).catch(() => ({ paymentIntent: null }));
  return paymentIntent?.status === "succeeded" || paymentIntent?.status === "processing";
}

function returnAddress({ subscription_id: id }: StartedPayment): URL {
  const address = new URL("/payment-completion", window.location.origin);
  address.searchParams.set("subscription_id", id ?? "");
  return address;
}

function Summary({ payment, companyName }: Props) {
  const amount = formatDollars(payment.rate);
  const renews = payment.end_date === null ? null : formatDay(payment.end_date);
  return (
    <Box component="section" aria-label={words.summary}>
      <Box component="h3" sx={{ mt: 0, mb: 1.5, fontSize: "1.0625rem", fontWeight: 700 }}>
        {words.summary}
      </Box>
      <Box
        component="dl"
        sx={{ m: 0, "& > div": { display: "flex", gap: 2, py: 1 }, "& dd": { ml: "auto" } }}
      >
        <Box sx={{ borderBottom: 1, borderColor: "divider" }}>
          <dt>{words.line(payment.product_name, payment.interval)}</dt>
          <dd>{amount}</dd>
        </Box>
        <Box sx={{ fontWeight: 700 }}>
          <dt>{words.due}</dt>
          <Box
            component="dd"
            sx={{ borderTop: 1, borderBottom: "3px double", fontVariantNumeric: "tabular-nums" }}
          >
            {amount}
          </Box>
        </Box>
      </Box>
      <Box component="p" sx={{ mb: 0, typography: "caption", color: "text.caption" }}>
        {words.terms(companyName, payment.product_name, renews)}
      </Box>
    </Box>
  );
}
