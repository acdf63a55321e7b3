import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/dist/pure.mjs";
import { type FormEvent, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

/*
 * A payment page that uses Stripe's libraries as their examples do, and nothing of the product's pages. Its builder
 * says which release of them it has (`build.ts`). Its address says the rest: `?insert=` the script that it inserts,
 * `?version=` the API version that it asks for.
 */

const asked = new URLSearchParams(window.location.search);
const REALM = "9130357849016936";

async function open(): Promise<Stripe | null> {
  const script = asked.get("insert");
  if (script) await insert(script);
  const apiVersion = asked.get("version");
  return loadStripe("pk_test_libraries", apiVersion ? { apiVersion } : {});
}

const insert = (address: string) =>
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: address });
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  });

type Started = { subscription_id: string; client_secret: string };

/** The call of Add. */
async function start(): Promise<Started> {
  const list = await fetch(`/api/v1/stripe/subscriptions?realm_id=${REALM}`);
  const subscriptions = (await list.json()) as { price_id: string }[];
  const started = await fetch(`/api/v1/stripe/payment-intent?realm_id=${REALM}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ price_id: subscriptions[0]?.price_id }),
  });
  return (await started.json()) as Started;
}

const opening = open();

function Page() {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [started, setStarted] = useState<Started | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    opening.then(setStripe, (error: unknown) => setFault(String(error)));
    void start().then(setStarted);
  }, []);
  if (fault) return <p role="alert">{fault}</p>;
  if (!stripe || !started) return <p>Loading</p>;
  return (
    <Elements key={started.client_secret} stripe={stripe} options={{ clientSecret: started.client_secret }}>
      <Form id={started.subscription_id} />
    </Elements>
  );
}

function Form({ id }: { id: string }) {
  const stripe = useStripe();
  const elements = useElements();
  const [fault, setFault] = useState("");
  const pay = async (event: FormEvent) => {
    event.preventDefault();
    if (!stripe || !elements) return;
    setFault("");
    const return_url = `${window.location.origin}/payment-completion?subscription_id=${id}`;
    const { error } = await stripe.confirmPayment({ elements, confirmParams: { return_url } });
    const { type, code, decline_code, message } = error;
    setFault([type, code, decline_code, message].filter(Boolean).join(" "));
  };
  return (
    <form onSubmit={(event) => void pay(event)}>
      <PaymentElement />
      <button type="submit">Pay</button>
      <p role="alert">{fault}</p>
    </form>
  );
}

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
