import { setTimeout as wait } from "node:timers/promises";
import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { createBrowser } from "../../test/support/browser.ts";
import { ACME, driveIntuit } from "../../test/support/intuit.ts";
import type { Product } from "../../test/support/run-product.ts";
import { inNewPlace } from "./in-new-place.ts";
import { cpuMs, findServer, peakMb, residentMb } from "./processes.ts";
import { postWorkbook } from "./requests.ts";

/** Server cost of checking a file; memory in MB. */
export type CheckedByHttp = {
  idleMb: number;
  peakMb: number;
  cpuSeconds: number;
  invoices: number;
  faulty: number;
};

/** Starts a server, checks a file on it like a user, and watches the server's process. */
export const checkByHttp = (bytes: Uint8Array): Promise<CheckedByHttp> =>
  inNewPlace((product) => check(product, bytes));

async function check({ url, intuitUrl }: Product, bytes: Uint8Array): Promise<CheckedByHttp> {
  const user = createBrowser(url, driveIntuit(intuitUrl));
  await user.signIn("owner@acme.example");
  const server = findServer();
  const [idleMb, cpuBefore] = [residentMb(server), cpuMs(server)];
  const checks = "/api/v1/invoices/checks";
  const query = `?realm_id=${ACME}`;
  const { cookies } = user;
  const accepted = await postWorkbook({ origin: url, cookies, path: `${checks}${query}`, bytes });
  if (accepted.status !== 202) throw new Error(`The file was refused: ${accepted.body.toString()}`);
  const { id } = JSON.parse(accepted.body.toString()) as { id: string };
  for (;;) {
    const checked = (await user.request(`${checks}/${id}${query}`)).json() as UploadCheck;
    if (checked.state === "failed") throw new Error(checked.reason);
    if (checked.report && checked.state === "checked") {
      const { total, rejected } = checked.report;
      return {
        idleMb,
        peakMb: peakMb(server),
        cpuSeconds: (cpuMs(server) - cpuBefore) / 1_000,
        invoices: total.invoices,
        faulty: rejected.invoices,
      };
    }
    await wait(200);
  }
}
