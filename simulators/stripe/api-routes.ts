import { invalid } from "./api-error.ts";
import { CANCEL_FIELDS, cancelSubscription, deletePayer } from "./cancellations.ts";
import * as catalog from "./catalog.ts";
import * as customers from "./customers.ts";
import { flag, required, text, texts, type Form } from "./form.ts";
import { updateIntent } from "./intent-changes.ts";
import * as invoices from "./invoices.ts";
import { ITEM_FIELDS } from "./invoice-items.ts";
import { LIST_FIELDS, listPage } from "./lists.ts";
import * as manual from "./manual-invoices.ts";
import * as methods from "./payment-methods.ts";
import * as intents from "./payment-intents.ts";
import * as portal from "./portal.ts";
import * as setups from "./setup-intents.ts";
import * as subscriptions from "./subscriptions.ts";
import { all, idOrNull, need, type Kind, type Kinds } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import * as clocks from "./test-clocks.ts";
import {
  listUpcomingLines,
  PREVIEW_FIELDS,
  previewInvoice,
  UPCOMING_FIELDS,
  upcomingInvoice,
} from "./upcoming.ts";
import * as webhooks from "./webhooks.ts";

export type Route = { fields: readonly string[]; run(sim: Simulator, form: Form, id: string): object };

const route = (fields: readonly string[], run: Route["run"]): Route => ({ fields, run });

const get = <K extends Kind>(kind: K): Route => route([], (sim, _form, id) => need(sim, kind, { id }));

type Listing<K extends Kind> = {
  fields?: readonly string[];
  keep?: (object: Kinds[K], form: Form) => boolean;
};

function list<K extends Kind>(
  kind: K,
  path: string,
  { fields = [], keep = () => true }: Listing<K> = {},
): Route {
  return route([...LIST_FIELDS, ...fields], (sim, form) =>
    listPage(
      all(sim, kind, text(form, "customer") ?? null).filter((each) => keep(each, form)),
      form,
      path,
    ),
  );
}

/** Whether a filter is absent or equals this value. */
const is = (form: Form, name: string, value: string | null): boolean => {
  const asked = text(form, name);
  return asked === undefined || asked === value;
};

const isActive = (form: Form, active: boolean) => (flag(form, "active") ?? active) === active;

/** No money moves here. */
const NOTHING = [{ amount: 0, currency: "usd", source_types: { card: 0 } }];

/** Routes by method and path, `:id` for an id. */
export const ROUTES: Record<string, Route> = {
  "GET /v1/account": route([], (sim) => ({
    id: "acct_simulated",
    object: "account",
    business_type: null,
    charges_enabled: true,
    country: "US",
    default_currency: "usd",
    details_submitted: true,
    email: "simulator@localhost",
    payouts_enabled: true,
    settings: {
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_payments: { statement_descriptor_prefix: null },
      dashboard: { display_name: "Simulated Stripe", timezone: "Etc/UTC" },
      payments: { statement_descriptor: null },
    },
    type: "standard",
    created: Math.floor(sim.clock.now().getTime() / 1000),
  })),
  "GET /v1/balance": route([], () => ({
    object: "balance",
    available: NOTHING,
    livemode: false,
    pending: NOTHING,
  })),
  "POST /v1/customers": route(customers.CUSTOMER_FIELDS, customers.createCustomer),
  "GET /v1/customers": list("customer", "/v1/customers", {
    fields: ["email"],
    keep: (each, form) => is(form, "email", each.email),
  }),
  "GET /v1/customers/search": route(["limit", "page", "query"], searchCustomers),
  "GET /v1/customers/:id": route([], (sim, _form, id) => customers.readCustomer(sim, id)),
  "POST /v1/customers/:id": route(customers.CUSTOMER_FIELDS, (sim, form, id) =>
    customers.updateCustomer(sim, id, form),
  ),
  "DELETE /v1/customers/:id": route([], (sim, _form, id) => deletePayer(sim, id)),
  "GET /v1/customers/:id/payment_methods": route([...LIST_FIELDS, "type"], (sim, form, id) =>
    listPage(all(sim, "payment_method", id), form, `/v1/customers/${id}/payment_methods`),
  ),
  "POST /v1/products": route(catalog.PRODUCT_FIELDS, catalog.createProduct),
  "GET /v1/products": list("product", "/v1/products", {
    fields: ["active"],
    keep: (each, form) => isActive(form, each.active),
  }),
  "GET /v1/products/:id": get("product"),
  "POST /v1/products/:id": route(catalog.PRODUCT_FIELDS, (sim, form, id) =>
    catalog.updateProduct(sim, id, form),
  ),
  "DELETE /v1/products/:id": route([], (sim, _form, id) => catalog.deleteProduct(sim, id)),
  "POST /v1/prices": route(catalog.PRICE_FIELDS, catalog.createPrice),
  "GET /v1/prices": list("price", "/v1/prices", {
    fields: ["active", "lookup_keys", "product", "type", "currency"],
    keep: (each, form) =>
      isActive(form, each.active) &&
      is(form, "type", each.type) &&
      is(form, "product", idOrNull(each.product)) &&
      (texts(form, "lookup_keys").length === 0 || texts(form, "lookup_keys").includes(each.lookup_key ?? "")),
  }),
  "GET /v1/prices/:id": get("price"),
  "POST /v1/prices/:id": route(catalog.PRICE_CHANGES, (sim, form, id) => catalog.updatePrice(sim, id, form)),
  "POST /v1/payment_methods": route(methods.METHOD_FIELDS, methods.createMethod),
  "GET /v1/payment_methods": list("payment_method", "/v1/payment_methods", { fields: ["customer", "type"] }),
  "GET /v1/payment_methods/:id": route([], (sim, _form, id) => methods.findMethod(sim, id, "id")),
  "POST /v1/payment_methods/:id": route(["billing_details", "metadata"], (sim, form, id) =>
    methods.updateMethod(sim, id, form),
  ),
  "POST /v1/payment_methods/:id/attach": route(["customer"], (sim, form, id) =>
    methods.attachMethod(sim, id, form),
  ),
  "POST /v1/payment_methods/:id/detach": route([], (sim, _form, id) => methods.detach(sim, id)),
  "POST /v1/payment_intents": route(intents.INTENT_FIELDS, intents.createIntent),
  "GET /v1/payment_intents": list("payment_intent", "/v1/payment_intents", { fields: ["customer"] }),
  "GET /v1/payment_intents/:id": route(["client_secret", "key", "_stripe_version"], (sim, _form, id) =>
    need(sim, "payment_intent", { id }),
  ),
  "POST /v1/payment_intents/:id": route(intents.INTENT_FIELDS, (sim, form, id) =>
    updateIntent(sim, id, form),
  ),
  "POST /v1/payment_intents/:id/confirm": route(intents.CONFIRM_FIELDS, (sim, form, id) =>
    intents.confirmIntent(sim, id, form),
  ),
  "POST /v1/payment_intents/:id/capture": route(["amount_to_capture"], (sim, form, id) =>
    intents.captureIntent(sim, id, form),
  ),
  "POST /v1/payment_intents/:id/cancel": route(["cancellation_reason"], (sim, _form, id) =>
    intents.cancelIntent(sim, id),
  ),
  "POST /v1/setup_intents": route(setups.SETUP_FIELDS, setups.createSetupIntent),
  "GET /v1/setup_intents/:id": route(["client_secret", "key", "_stripe_version"], (sim, _form, id) =>
    need(sim, "setup_intent", { id }),
  ),
  "GET /v1/setup_intents": list("setup_intent", "/v1/setup_intents", { fields: ["customer"] }),
  "POST /v1/setup_intents/:id/cancel": route(["cancellation_reason"], (sim, _form, id) =>
    setups.cancelSetup(sim, id),
  ),
  "POST /v1/setup_intents/:id/confirm": route(intents.CONFIRM_FIELDS, (sim, form, id) =>
    setups.confirmSetup(sim, id, form),
  ),
  "POST /v1/subscriptions": route(subscriptions.SUBSCRIPTION_FIELDS, subscriptions.createSubscription),
  "GET /v1/subscriptions": list("subscription", "/v1/subscriptions", {
    fields: ["customer", "price", "status", "current_period_end", "test_clock"],
    keep: (each, form) =>
      hasStatus(each.status, text(form, "status")) &&
      (text(form, "price") === undefined ||
        each.items.data.some(({ price }) => price.id === text(form, "price"))),
  }),
  "GET /v1/subscriptions/:id": get("subscription"),
  "POST /v1/subscriptions/:id": route(subscriptions.SUBSCRIPTION_FIELDS, (sim, form, id) =>
    subscriptions.updateSubscription(sim, id, form),
  ),
  "DELETE /v1/subscriptions/:id": route(CANCEL_FIELDS, (sim, form, id) => cancelSubscription(sim, id, form)),
  "POST /v1/subscriptions/:id/resume": route(
    ["billing_cycle_anchor", "proration_behavior"],
    (sim, _form, id) => subscriptions.resumeSubscription(sim, id),
  ),
  "GET /v1/subscription_items": route([...LIST_FIELDS, "subscription"], (sim, form) => {
    const id = required(form, "subscription");
    const { items } = need(sim, "subscription", { id, param: "subscription" });
    return listPage(items.data, form, "/v1/subscription_items");
  }),
  "POST /v1/invoiceitems": route(ITEM_FIELDS, manual.addItem),
  "GET /v1/invoiceitems": list("invoiceitem", "/v1/invoiceitems", {
    fields: ["customer", "invoice", "pending"],
    keep: (each, form) =>
      is(form, "invoice", idOrNull(each.invoice)) &&
      (flag(form, "pending") ?? each.invoice === null) === (each.invoice === null),
  }),
  "GET /v1/invoiceitems/:id": get("invoiceitem"),
  "POST /v1/invoiceitems/:id": route(["amount", "description", "metadata"], (sim, form, id) =>
    manual.updateItem(sim, id, form),
  ),
  "DELETE /v1/invoiceitems/:id": route([], (sim, _form, id) => manual.deleteItem(sim, id)),
  "POST /v1/invoices": route(manual.INVOICE_FIELDS, manual.createInvoice),
  "GET /v1/invoices": list("invoice", "/v1/invoices", {
    fields: ["customer", "status", "subscription"],
    keep: (each, form) =>
      is(form, "status", each.status) && is(form, "subscription", idOrNull(each.subscription)),
  }),
  "GET /v1/invoices/upcoming": route(UPCOMING_FIELDS, upcomingInvoice),
  "GET /v1/invoices/upcoming/lines": route([...LIST_FIELDS, ...UPCOMING_FIELDS], listUpcomingLines),
  "POST /v1/invoices/create_preview": route(PREVIEW_FIELDS, previewInvoice),
  "GET /v1/invoices/:id": get("invoice"),
  "POST /v1/invoices/:id": route(manual.CHANGE_FIELDS, (sim, form, id) =>
    manual.updateInvoice(sim, id, form),
  ),
  "DELETE /v1/invoices/:id": route([], (sim, _form, id) => manual.deleteInvoice(sim, id)),
  "GET /v1/invoices/:id/lines": route(LIST_FIELDS, (sim, form, id) =>
    listPage(need(sim, "invoice", { id }).lines.data, form, `/v1/invoices/${id}/lines`),
  ),
  "POST /v1/invoices/:id/mark_uncollectible": route([], (sim, _form, id) => manual.giveUpInvoice(sim, id)),
  "POST /v1/invoices/:id/send": route([], (sim, _form, id) => manual.sendInvoice(sim, id)),
  "POST /v1/invoices/:id/finalize": route(["auto_advance"], (sim, _form, id) =>
    invoices.finalize(sim, need(sim, "invoice", { id })),
  ),
  "POST /v1/invoices/:id/pay": route(["off_session", "paid_out_of_band", "payment_method"], (sim, form, id) =>
    invoices.payInvoice(sim, id, form),
  ),
  "POST /v1/invoices/:id/void": route([], (sim, _form, id) => invoices.voidInvoice(sim, id)),
  "GET /v1/charges": list("charge", "/v1/charges", {
    fields: ["customer", "payment_intent"],
    keep: (each, form) => is(form, "payment_intent", idOrNull(each.payment_intent)),
  }),
  "GET /v1/charges/:id": get("charge"),
  "GET /v1/events": list("event", "/v1/events", {
    fields: ["type", "types", "delivery_success"],
    keep: (each, form) =>
      is(form, "type", each.type) &&
      (texts(form, "types").length === 0 || texts(form, "types").includes(each.type)),
  }),
  "GET /v1/events/:id": get("event"),
  "POST /v1/billing_portal/configurations": route(portal.CONFIGURATION_FIELDS, portal.createConfiguration),
  "GET /v1/billing_portal/configurations": list(
    "billing_portal.configuration",
    "/v1/billing_portal/configurations",
    { fields: ["active", "is_default"], keep: (each, form) => isActive(form, each.active) },
  ),
  "GET /v1/billing_portal/configurations/:id": get("billing_portal.configuration"),
  "POST /v1/billing_portal/configurations/:id": route(
    [...portal.CONFIGURATION_FIELDS, "active"],
    (sim, form, id) => portal.updateConfiguration(sim, id, form),
  ),
  "POST /v1/billing_portal/sessions": route(portal.PORTAL_FIELDS, portal.createPortalSession),
  "POST /v1/webhook_endpoints": route(webhooks.ENDPOINT_FIELDS, (sim, form) =>
    webhooks.createEndpoint(sim, form),
  ),
  "GET /v1/webhook_endpoints": list("webhook_endpoint", "/v1/webhook_endpoints"),
  "GET /v1/webhook_endpoints/:id": get("webhook_endpoint"),
  "POST /v1/webhook_endpoints/:id": route(webhooks.ENDPOINT_FIELDS, (sim, form, id) =>
    webhooks.updateEndpoint(sim, id, form),
  ),
  "DELETE /v1/webhook_endpoints/:id": route([], (sim, _form, id) => webhooks.deleteEndpoint(sim, id)),
  "POST /v1/test_helpers/test_clocks": route(["frozen_time", "name"], clocks.createClock),
  "GET /v1/test_helpers/test_clocks": list("test_helpers.test_clock", "/v1/test_helpers/test_clocks"),
  "GET /v1/test_helpers/test_clocks/:id": get("test_helpers.test_clock"),
  "POST /v1/test_helpers/test_clocks/:id/advance": route(["frozen_time"], (sim, form, id) =>
    clocks.advance(sim, id, form),
  ),
  "DELETE /v1/test_helpers/test_clocks/:id": route([], (sim, _form, id) => clocks.deleteClock(sim, id)),
};

/** Without a status, ended ones are omitted. */
function hasStatus(status: string, asked: string | undefined): boolean {
  if (asked === undefined) return status !== "canceled" && status !== "incomplete_expired";
  if (asked === "all") return true;
  return asked === "ended" ? status === "canceled" || status === "incomplete_expired" : asked === status;
}

/** Queries such as `email:'a@b.example'` and `-metadata['key']:null`, joined by AND. */
function searchCustomers(sim: Simulator, form: Form): object {
  const clauses = required(form, "query")
    .split(/\s+AND\s+/i)
    .map(readClause);
  const data = all(sim, "customer").filter((customer) =>
    clauses.every(({ field, key, value, isNegated }) => {
      const found = key === undefined ? customer[field] : customer.metadata[key];
      return ((found ?? null) === value) !== isNegated;
    }),
  );
  return { object: "search_result", url: "/v1/customers/search", has_more: false, next_page: null, data };
}

const CLAUSE = /^(-?)(email|name|metadata)(?:\[["']([^"']+)["']\])?:(?:(null)|["']([^"']*)["'])$/;

/** One condition of a search; a null value matches a missing field. @throws StripeFault 400 for any other form */
function readClause(clause: string) {
  const match = CLAUSE.exec(clause.trim());
  if (!match) throw invalid(`We were unable to parse your search query: ${clause}`, { param: "query" });
  const [, minus, field, key, isNull, value = ""] = match;
  return { isNegated: minus === "-", field: field as "email" | "name", key, value: isNull ? null : value };
}
