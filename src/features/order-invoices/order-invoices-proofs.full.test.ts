import { expect, test } from "vitest";
import { changeSettings } from "#features/companies/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { openThreadDesk, prepareSample } from "../../../test/support/thread.ts";

test("TD-18 after the delivery, the order says since when the proof is on its invoice, and has its dispute pack", async () => {
  const desk = await openThreadDesk();
  const json = { attach_pods: "true" };
  expect((await desk.browser.call(changeSettings, { query: { realm_id: ACME }, json })).status).toBe(200);
  await desk.app.settle(120_000);
  const orderId = await prepareSample(desk);
  await desk.post(orderId);
  await desk.app.settle(120_000);
  const [label] = (await desk.history()).labels;
  const [tracking] = label?.tracking_numbers ?? [];
  await desk.app.ups.control("packages/move", { tracking, to: "delivered" });
  await desk.app.settle(7_200_000);
  await desk.browser.signIn("owner@acme.example");
  const { steps, invoices } = await desk.view(orderId);
  expect(steps.at(-1)?.facts).toEqual([
    { text: "1 of 1 packages delivered", at: null, time: "" },
    {
      text: "Proof on invoice 80001",
      at: expect.any(String),
      time: expect.stringMatching(/^(\w{3} \d+, )?\d+:\d\d [AP]M P[SD]T$/),
    },
  ]);
  const made = (await desk.app.intuit.invoices(ACME)).find(({ DocNumber }) => DocNumber === "80001");
  expect(invoices.map(({ pack_of: id }) => id)).toEqual([made?.Id]);
});
