import { listTrail } from "#features/companies/trail/contract.ts";
import { listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { voidShipment } from "#features/shipping/contract.ts";
import { ACME } from "./intuit.ts";
import { openShippingDesk } from "./shipping.ts";
import { steppedClock } from "./stepped-clock.ts";
import { pollPackages } from "./system-runs.ts";

const HOUR_MS = 3_600_000;

/** Opens a shipping desk for void tests: UPS never scans its labels. */
export async function openVoidDesk(env: Record<string, string> = {}, worker: true | "labels" = "labels") {
  const clock = steppedClock();
  const desk = await openShippingDesk({ clock, env, mail: true, worker });
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  const poll = () => pollPackages(desk.app);
  const passHours = async (hours: number) => {
    clock.advance(hours * HOUR_MS);
    await desk.browser.signIn("owner@acme.example");
    await poll();
    await desk.app.settle();
  };
  /** Voids packages at UPS's own page. */
  const voidAtUps = async (...numbers: string[]) => {
    for (const tracking of numbers) await desk.app.ups.control("packages/void", { tracking });
  };
  const notices = async () =>
    ((await desk.browser.call(listNotices, { query: { show: "all" } })).json() as { notices: Notice[] })
      .notices;
  const mails = () => desk.app.mailbox().messages();
  const trail = async () => {
    const { entries } = (await desk.browser.call(listTrail, { query: { realm_id: ACME } })).json() as {
      entries: { action: string; title: string }[];
    };
    return entries;
  };
  const voidInApp = (po_number: string, shipment = "", more: object = {}) =>
    desk.browser.call(voidShipment, { query: { po_number, shipment, ...more } });
  return { ...desk, clock, poll, passHours, voidAtUps, notices, mails, trail, voidInApp };
}
