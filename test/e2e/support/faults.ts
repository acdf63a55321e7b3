import { expect } from "@playwright/test";
import type { Product } from "../../support/run-product.ts";

/** Lets the simulated Intuit misbehave while something is done. */
export async function withFaults(
  product: Product,
  rules: object[],
  work: () => Promise<void>,
): Promise<void> {
  const control = (method: string, body?: string) =>
    fetch(`${product.intuitUrl}/_sim/faults`, {
      method,
      ...(body ? { body, headers: { "content-type": "application/json" } } : {}),
    });
  expect((await control("POST", JSON.stringify(rules))).ok).toBe(true);
  try {
    await work();
  } finally {
    await control("DELETE");
  }
}
