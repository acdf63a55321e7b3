import type Stripe from "stripe";
import { invalid } from "./api-error.ts";
import { requiredCurrency } from "./currencies.ts";
import { emit } from "./events.ts";
import { changedMetadata, choice, flag, group, integer, required, text, texts, type Form } from "./form.ts";
import { all, toId, need, newId, remove, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { machineNow } from "./times.ts";

export const PRODUCT_FIELDS = [
  "active",
  "default_price",
  "default_price_data",
  "description",
  "id",
  "images",
  "metadata",
  "name",
  "shippable",
  "statement_descriptor",
  "tax_code",
  "type",
  "unit_label",
  "url",
] as const;

export function createProduct(sim: Simulator, form: Form): Stripe.Product {
  const now = machineNow(sim);
  const product = save(sim, "product", {
    id: text(form, "id") ?? newId("prod_", 14),
    object: "product",
    active: flag(form, "active") ?? true,
    created: now,
    default_price: null,
    description: text(form, "description") || null,
    features: [],
    images: texts(form, "images"),
    livemode: false,
    metadata: changedMetadata({}, form),
    name: required(form, "name"),
    package_dimensions: null,
    shippable: flag(form, "shippable") ?? null,
    statement_descriptor: text(form, "statement_descriptor") || null,
    tax_code: text(form, "tax_code") || null,
    type: "service",
    unit_label: text(form, "unit_label") || null,
    updated: now,
    url: text(form, "url") || null,
  });
  emit(sim, "product.created", product);
  const data = group(form, "default_price_data");
  if (Object.keys(data).length === 0) return product;
  const price = createPrice(sim, { ...data, product: product.id });
  return save(sim, "product", { ...product, default_price: price.id });
}

export function updateProduct(sim: Simulator, id: string, form: Form): Stripe.Product {
  const product = need(sim, "product", { id });
  const standard = text(form, "default_price");
  if (standard) need(sim, "price", { id: standard, param: "default_price" });
  const kept = (name: "description" | "statement_descriptor" | "unit_label" | "url") =>
    form[name] === undefined ? (product[name] ?? null) : text(form, name) || null;
  const next = save(sim, "product", {
    ...product,
    active: flag(form, "active") ?? product.active,
    default_price: standard === undefined ? (product.default_price ?? null) : standard || null,
    images: form["images"] === undefined ? product.images : texts(form, "images"),
    name: text(form, "name") ?? product.name,
    description: kept("description"),
    shippable: flag(form, "shippable") ?? product.shippable,
    statement_descriptor: kept("statement_descriptor"),
    tax_code: form["tax_code"] === undefined ? product.tax_code : text(form, "tax_code") || null,
    unit_label: kept("unit_label"),
    url: kept("url"),
    metadata: changedMetadata(product.metadata, form),
    updated: machineNow(sim),
  });
  emit(sim, "product.updated", next);
  return next;
}

export function deleteProduct(sim: Simulator, id: string): object {
  const product = need(sim, "product", { id });
  if (all(sim, "price").some((price) => toId(price.product) === id))
    throw invalid("This product cannot be deleted because it has one or more user-created prices.");
  remove(sim, id);
  emit(sim, "product.deleted", product);
  return { id, object: "product", deleted: true };
}

export const PRICE_FIELDS = [
  "active",
  "billing_scheme",
  "currency",
  "lookup_key",
  "metadata",
  "nickname",
  "product",
  "product_data",
  "recurring",
  "tax_behavior",
  "transfer_lookup_key",
  "unit_amount",
  "unit_amount_decimal",
] as const;

/** A price's amount, currency and interval can't change. */
export const PRICE_CHANGES = [
  "active",
  "lookup_key",
  "metadata",
  "nickname",
  "tax_behavior",
  "transfer_lookup_key",
] as const;

const INTERVALS = ["day", "week", "month", "year"] as const;

export function createPrice(sim: Simulator, form: Form): Stripe.Price {
  const recurring = group(form, "recurring");
  const interval = choice(recurring, "interval", INTERVALS);
  const amount = integer(form, "unit_amount") ?? integer(form, "unit_amount_decimal");
  if (amount === undefined || amount < 0)
    throw invalid("Price requires `unit_amount` to be set to a nonnegative integer.", {
      param: "unit_amount",
    });
  const price = save(sim, "price", {
    id: newId("price_"),
    object: "price",
    active: flag(form, "active") ?? true,
    billing_scheme: "per_unit",
    created: machineNow(sim),
    currency: requiredCurrency(form),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: text(form, "lookup_key") || null,
    metadata: changedMetadata({}, form),
    nickname: text(form, "nickname") || null,
    product: resolveProduct(sim, form),
    recurring: interval
      ? {
          aggregate_usage: null,
          interval,
          interval_count: integer(recurring, "interval_count") ?? 1,
          meter: null,
          trial_period_days: integer(recurring, "trial_period_days") ?? null,
          usage_type: "licensed",
        }
      : null,
    tax_behavior: choice(form, "tax_behavior", ["exclusive", "inclusive", "unspecified"]) ?? "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: interval ? "recurring" : "one_time",
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  });
  emit(sim, "price.created", price);
  return price;
}

/** Finds the price of an item, or creates one from its data; older clients call it `plan`. */
export function resolvePrice(sim: Simulator, item: Form, param: string): Stripe.Price {
  const data = group(item, "price_data");
  if (Object.keys(data).length > 0) return createPrice(sim, data);
  const id = text(item, "price") ?? text(item, "plan") ?? required(item, "price");
  return need(sim, "price", { id, param });
}

function resolveProduct(sim: Simulator, form: Form): string {
  const data = group(form, "product_data");
  if (Object.keys(data).length > 0) return createProduct(sim, data).id;
  return need(sim, "product", { id: required(form, "product"), param: "product" }).id;
}

export function updatePrice(sim: Simulator, id: string, form: Form): Stripe.Price {
  const price = need(sim, "price", { id });
  const next = save(sim, "price", {
    ...price,
    active: flag(form, "active") ?? price.active,
    nickname: form["nickname"] === undefined ? price.nickname : text(form, "nickname") || null,
    lookup_key: form["lookup_key"] === undefined ? price.lookup_key : text(form, "lookup_key") || null,
    metadata: changedMetadata(price.metadata, form),
  });
  emit(sim, "price.updated", next);
  return next;
}
