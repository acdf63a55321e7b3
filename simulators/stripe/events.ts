import type Stripe from "stripe";
import { all, newId, save } from "./store.ts";
import { clockNow } from "./times.ts";
import { API_VERSION, type Simulator } from "./simulator.ts";

/** An object with what of it was different before. */
type Changed = { object: { id: string }; previous: object };

/** Records that something happened, and queues its delivery to every endpoint that wants it. */
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
    request: null,
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
