import type { CarrierCtx } from "#features/carrier/index.ts";
import type { OrdersCtx } from "#features/orders/index.ts";
import type { WritePolicy } from "#platform/writes/policy.ts";

/** The context of UPS labels. */
export type ShippingCtx = OrdersCtx & CarrierCtx & { shipPolicy: WritePolicy };
