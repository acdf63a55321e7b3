import { invalid } from "./api-error.ts";
import { texts, type Form } from "./form.ts";
import { findAny } from "./store.ts";
import type { Simulator } from "./simulator.ts";

const MAX_DEPTH = 4;

type Doc = Record<string, unknown>;

/**
 * Puts objects in the place of their ids, as `expand[]` asks: `latest_invoice.payment_intent`, in lists with `data.`
 * before it.
 * @throws StripeFault 400 for a property that has no object
 */
export function expanded(sim: Simulator, answer: object, form: Form): object {
  const copy = structuredClone(answer) as Doc;
  for (const path of texts(form, "expand")) {
    const parts = path.split(".");
    const depth = parts[0] === "data" ? parts.length - 1 : parts.length;
    if (depth > MAX_DEPTH)
      throw invalid(`You cannot expand more than ${MAX_DEPTH} levels of a property.`, { param: "expand" });
    expand(sim, copy, parts);
  }
  return copy;
}

function expand(sim: Simulator, at: unknown, [part, ...rest]: readonly string[]): void {
  if (Array.isArray(at)) return at.forEach((each) => expand(sim, each, [part ?? "", ...rest]));
  if (typeof at !== "object" || at === null || part === undefined) return;
  const doc = at as Doc;
  if (!(part in doc))
    throw invalid(`This property cannot be expanded (${[part, ...rest].join(".")}).`, { param: "expand" });
  const value = doc[part];
  if (typeof value === "string") {
    const object = findAny(sim, value);
    if (!object)
      throw invalid(`This property cannot be expanded (${[part, ...rest].join(".")}).`, { param: "expand" });
    doc[part] = object;
  }
  if (rest.length > 0) expand(sim, doc[part], rest);
}
