import type Stripe from "stripe";
import { all, newId, save } from "./store.ts";
import { clockNow } from "./times.ts";
import { API_VERSION, type Simulator } from "./simulator.ts";

/** An object with the earlier values of its changed fields. */
type Changed = { object: { id: string }; previous: object };

/** Records an event and queues its delivery to every endpoint subscribed to it. */
export function emit(sim: Simulator, type: Stripe.Event.Type, changed: { id: string } | Changed): void {
  const { object, previous } = "previous" in changed ? changed : { object: changed };
  const event = save(sim, "event", {
    id: newId("evt_"),
    object: "event",
    api_version: API_VERSION,
    created: clockNow(sim),
    data: { object: structuredClone(object), ...(previous ? { previous_attributes: previous } : {}) },
    livemode: false,
    pending_webhooks: 0,
    request: { id: null, idempotency_key: null, ...(sim.asOf === null ? sim.cause : null) },
    type,
  } as unknown as Stripe.Event);
  for (const endpoint of all(sim, "webhook_endpoint")) {
    const wanted = endpoint.enabled_events;
    if (endpoint.status !== "enabled" || !(wanted.includes("*") || wanted.includes(type))) continue;
    sim.db
      .prepare("INSERT INTO delivery (event, endpoint, due_at) VALUES (?, ?, ?)")
      .run(event.id, endpoint.id, clockNow(sim));
  }
}
