import type Stripe from "stripe";
import { invalid } from "./api-error.ts";
import { changedMetadata, choice, flag, group, required, text, type Form } from "./form.ts";
import { all, toId, need, newId, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { machineNow } from "./times.ts";

export const PORTAL_FIELDS = ["configuration", "customer", "flow_data", "locale", "return_url"] as const;
export const CONFIGURATION_FIELDS = [
  "business_profile",
  "default_return_url",
  "features",
  "login_page",
  "metadata",
] as const;

/** Creates a portal configuration: the actions allowed to customers. */
export function createConfiguration(sim: Simulator, form: Form): Stripe.BillingPortal.Configuration {
  const features = group(form, "features");
  const isOn = (name: string) => flag(group(features, name), "enabled") ?? false;
  const cancel = group(features, "subscription_cancel");
  const profile = group(form, "business_profile");
  if (Object.keys(profile).length === 0) required(form, "business_profile");
  const now = machineNow(sim);
  return save(sim, "billing_portal.configuration", {
    id: newId("bpc_"),
    object: "billing_portal.configuration",
    active: true,
    application: null,
    business_profile: {
      headline: text(profile, "headline") ?? null,
      privacy_policy_url: text(profile, "privacy_policy_url") ?? null,
      terms_of_service_url: text(profile, "terms_of_service_url") ?? null,
    },
    created: now,
    default_return_url: text(form, "default_return_url") ?? null,
    features: {
      customer_update: { allowed_updates: [], enabled: isOn("customer_update") },
      invoice_history: { enabled: isOn("invoice_history") },
      payment_method_update: { enabled: isOn("payment_method_update") },
      subscription_cancel: {
        cancellation_reason: { enabled: false, options: [] },
        enabled: isOn("subscription_cancel"),
        mode: choice(cancel, "mode", ["at_period_end", "immediately"]) ?? "at_period_end",
        proration_behavior: "none",
      },
      subscription_pause: { enabled: false },
      subscription_update: {
        default_allowed_updates: [],
        enabled: false,
        products: null,
        proration_behavior: "none",
      },
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: changedMetadata({}, form),
    updated: now,
  });
}

export function updateConfiguration(
  sim: Simulator,
  id: string,
  form: Form,
): Stripe.BillingPortal.Configuration {
  const known = need(sim, "billing_portal.configuration", { id });
  const profile = group(form, "business_profile");
  const features = group(form, "features");
  const changed = <T extends { enabled: boolean }>(name: string, before: T): T => ({
    ...before,
    enabled: flag(group(features, name), "enabled") ?? before.enabled,
  });
  const { customer_update, invoice_history, payment_method_update, subscription_cancel } = known.features;
  return save(sim, "billing_portal.configuration", {
    ...known,
    active: flag(form, "active") ?? known.active,
    business_profile: {
      ...known.business_profile,
      headline: text(profile, "headline") ?? known.business_profile.headline,
    },
    default_return_url: text(form, "default_return_url") ?? known.default_return_url,
    features: {
      ...known.features,
      customer_update: changed("customer_update", customer_update),
      invoice_history: changed("invoice_history", invoice_history),
      payment_method_update: changed("payment_method_update", payment_method_update),
      subscription_cancel: changed("subscription_cancel", subscription_cancel),
    },
    metadata: changedMetadata(known.metadata, form),
    updated: machineNow(sim),
  });
}

/** @throws StripeFault 400 without a configuration, like Stripe in test mode */
export function createPortalSession(sim: Simulator, form: Form): Stripe.BillingPortal.Session {
  const customer = need(sim, "customer", { id: required(form, "customer"), param: "customer" });
  const asked = text(form, "configuration");
  const configuration = asked
    ? need(sim, "billing_portal.configuration", { id: asked, param: "configuration" })
    : all(sim, "billing_portal.configuration").find(({ is_default: isDefault }) => isDefault);
  if (!configuration)
    throw invalid(
      "No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode.",
      { param: "configuration" },
    );
  const token = newId("test_", 40);
  const id = newId("bps_");
  return save(sim, "billing_portal.session", {
    id,
    object: "billing_portal.session",
    configuration: toId(configuration),
    created: machineNow(sim),
    customer: customer.id,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: text(form, "return_url") ?? configuration.default_return_url,
    url: `${sim.publicUrl}/p/session/${id}/${token}`,
  });
}
