import { writeSetting } from "../kit/sqlite.ts";
import { createPrice, createProduct } from "./catalog.ts";
import { createConfiguration } from "./portal.ts";
import type { Simulator } from "./simulator.ts";

/** Products of the demo account, as its owner would create them in the dashboard. */
const SERVICES = [
  {
    service: "tracking",
    name: "Tracking Service",
    description: "Tracking and proof of delivery on your invoices",
    cents: 2900,
  },
];

/** Seeds a new state with a catalog and a portal configuration. */
export function seedDemo(sim: Simulator): void {
  for (const { service, name, description, cents } of SERVICES) {
    const product = createProduct(sim, { name, description, metadata: { app: "dockside", service } });
    createPrice(sim, {
      product: product.id,
      currency: "usd",
      unit_amount: String(cents),
      nickname: `${name}, monthly`,
      recurring: { interval: "month" },
    });
  }
  createConfiguration(sim, {
    business_profile: { headline: "Dockside subscriptions" },
    features: {
      invoice_history: { enabled: "true" },
      payment_method_update: { enabled: "true" },
      subscription_cancel: { enabled: "true", mode: "at_period_end" },
    },
  });
  writeSetting(sim.db, "seeded", true);
}
