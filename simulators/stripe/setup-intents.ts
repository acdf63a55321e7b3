import type Stripe from "stripe";
import { invalid, StripeFault } from "./api-error.ts";
import { readBehavior, declineFacts } from "./cards.ts";
import { emit } from "./events.ts";
import { changedMetadata, choice, flag, group, text, type Form } from "./form.ts";
import { attach, createMethod, ownMethod } from "./payment-methods.ts";
import { all, idOrNull, need, newId, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { machineNow } from "./times.ts";

export const SETUP_FIELDS = [
  "automatic_payment_methods",
  "confirm",
  "customer",
  "description",
  "metadata",
  "payment_method",
  "payment_method_types",
  "return_url",
  "usage",
] as const;

export function openSetupIntent(
  sim: Simulator,
  { customer, metadata = {} }: { customer: string | null; metadata?: Record<string, string> },
): Stripe.SetupIntent {
  const id = newId("seti_");
  const made = save(sim, "setup_intent", {
    id,
    object: "setup_intent",
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${newId("", 25)}`,
    created: machineNow(sim),
    customer,
    description: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    single_use_mandate: null,
    status: "requires_payment_method",
    usage: "off_session",
  });
  emit(sim, "setup_intent.created", made);
  return made;
}

export function createSetupIntent(sim: Simulator, form: Form): Stripe.SetupIntent {
  const customer = text(form, "customer") || null;
  if (customer) need(sim, "customer", { id: customer, param: "customer" });
  choice(form, "usage", ["off_session", "on_session"]);
  const opened = openSetupIntent(sim, { customer, metadata: changedMetadata({}, form) });
  const asked = text(form, "payment_method");
  const made = save(sim, "setup_intent", {
    ...opened,
    description: text(form, "description") || null,
    ...(asked ? { payment_method: ownMethod(sim, asked, customer).id, status: "requires_confirmation" } : {}),
  });
  return flag(form, "confirm") ? confirmSetup(sim, made.id, form) : made;
}

export function cancelSetup(sim: Simulator, id: string): Stripe.SetupIntent {
  const intent = need(sim, "setup_intent", { id });
  if (intent.status === "succeeded" || intent.status === "canceled")
    throw invalid(`You cannot cancel this SetupIntent because it has a status of ${intent.status}.`, {
      code: "setup_intent_unexpected_state",
    });
  const canceled = save(sim, "setup_intent", { ...intent, status: "canceled" });
  emit(sim, "setup_intent.canceled", canceled);
  return canceled;
}

/** Saves a card for later charges. @throws StripeFault 402 for a card that cannot be saved */
export function confirmSetup(sim: Simulator, id: string, form: Form): Stripe.SetupIntent {
  const intent = need(sim, "setup_intent", { id });
  if (intent.status === "succeeded")
    throw invalid("This SetupIntent has already succeeded.", { code: "setup_intent_unexpected_state" });
  const data = group(form, "payment_method_data");
  const asked = text(form, "payment_method") ?? idOrNull(intent.payment_method);
  if (Object.keys(data).length === 0 && !asked)
    throw invalid("You cannot confirm this SetupIntent because it's missing a payment method.", {
      code: "setup_intent_unexpected_state",
    });
  const customer = idOrNull(intent.customer);
  const method =
    Object.keys(data).length > 0 ? createMethod(sim, data) : ownMethod(sim, asked ?? "", customer);
  const { decline, attaches } = readBehavior(sim, method.id);
  if (decline && !attaches)
    throw new StripeFault({ status: 402, type: "card_error", ...declineFacts(decline) }, true);
  if (customer) attach(sim, method.id, customer);
  const done = save(sim, "setup_intent", { ...intent, status: "succeeded", payment_method: method.id });
  emit(sim, "setup_intent.succeeded", done);
  if (customer) keepForTrial(sim, { customer, setupId: id, methodId: method.id });
  return done;
}

function keepForTrial(
  sim: Simulator,
  { customer, setupId, methodId }: { customer: string; setupId: string; methodId: string },
): void {
  const waiting = all(sim, "subscription", customer).find(
    (each) => idOrNull(each.pending_setup_intent) === setupId,
  );
  if (!waiting) return;
  const next = save(sim, "subscription", {
    ...waiting,
    pending_setup_intent: null,
    default_payment_method: methodId,
  });
  emit(sim, "customer.subscription.updated", { object: next, previous: { pending_setup_intent: setupId } });
}
