import type { TestApp } from "../../support/start-app.ts";

/**
 * Sets the vendor's clock to the product's, which runs faster in batteries: hours apart, the product would take its own
 * invoices in the books for older ones of somebody else. To be called now and then by a battery that lasts.
 */
export const keepInStep = ({ intuit, application }: Pick<TestApp, "intuit" | "application">) =>
  intuit.control("clock", { now: application.ctx.clock.now().toISOString() });
