import type Stripe from "stripe";
import { invalid } from "./api-error.ts";
import { emit } from "./events.ts";
import { integer, required, text, type Form } from "./form.ts";
import { advanceClock } from "./lifecycle.ts";
import { need, newId, remove, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { DAY, machineNow } from "./times.ts";

export function createClock(sim: Simulator, form: Form): Stripe.TestHelpers.TestClock {
  required(form, "frozen_time");
  const now = machineNow(sim);
  return save(sim, "test_helpers.test_clock", {
    id: newId("clock_"),
    object: "test_helpers.test_clock",
    created: now,
    deletes_after: now + 30 * DAY,
    frozen_time: integer(form, "frozen_time") ?? now,
    livemode: false,
    name: text(form, "name") ?? null,
    status: "ready",
  });
}

/**
 * Everything until then has happened when this returns; Stripe itself takes a while and reports "advancing".
 */
export function advance(sim: Simulator, id: string, form: Form): Stripe.TestHelpers.TestClock {
  const clock = need(sim, "test_helpers.test_clock", { id });
  const target = integer(form, "frozen_time") ?? 0;
  if (target <= clock.frozen_time)
    throw invalid("You can only advance a test clock forward in time.", { param: "frozen_time" });
  advanceClock(sim, id, target);
  const ready = save(sim, "test_helpers.test_clock", { ...clock, frozen_time: target });
  emit(sim, "test_helpers.test_clock.ready", ready);
  return ready;
}

export function deleteClock(sim: Simulator, id: string): object {
  need(sim, "test_helpers.test_clock", { id });
  remove(sim, id);
  return { id, object: "test_helpers.test_clock", deleted: true };
}
