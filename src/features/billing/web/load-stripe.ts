import { boot } from "#web/kit/boot.ts";
import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/dist/pure.mjs";

/** Version of the API whose types and payment form we use. */
export const STRIPE_API_VERSION = "2023-10-16";

let loading: Promise<Stripe> | null = null;

/** Loads Stripe.js once from the configured address. After a failure the next call tries again. */
export function openStripe(): Promise<Stripe> {
  loading ??= open().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function open(): Promise<Stripe> {
  if (!boot.stripe) throw new Error("Stripe.js not available");
  // The library would load it from a fixed address, and reuses an existing script.
  await insertScript(boot.stripe.scriptUrl);
  const stripe = await loadStripe(boot.stripe.publishableKey, { apiVersion: STRIPE_API_VERSION });
  if (!stripe) throw new Error("Stripe.js not available");
  return stripe;
}

function insertScript(address: string): Promise<void> {
  if ("Stripe" in window) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error("Failed to load Stripe.js"));
    });
    document.head.append(script);
  });
}
