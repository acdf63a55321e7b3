import { setTimeout as wait } from "node:timers/promises";
import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { createBrowser } from "../../test/support/browser.ts";
import { ACME, driveIntuit } from "../../test/support/intuit.ts";
import type { Product } from "../../test/support/run-product.ts";
import { inNewPlace } from "./in-new-place.ts";
import { cpuMs, findServer, peakMb, residentMb } from "./processes.ts";
import { postWorkbook } from "./requests.ts";

/** What one check of a file took the whole server; memory in MB. */
export type CheckedByHttp = {
  restMb: number;
  peakMb: number;
  cpuSeconds: number;
  invoices: number;
  faulty: number;
};

/** Has a server of its own, just started, check a file as a person does, and watches the server's process. */
export const checkByHttp = (bytes: Uint8Array): Promise<CheckedByHttp> =>
  inNewPlace((product) => check(product, bytes));

async function check({ url, intuitUrl }: Product, bytes: Uint8Array): Promise<CheckedByHttp> {
  const person = createBrowser(url, driveIntuit(intuitUrl));
  await person.signIn("owner@acme.example");
  const server = findServer();
  const [restMb, cpuBefore] = [residentMb(server), cpuMs(server)];
  const checks = "/api/v1/invoices/checks";
  const query = `?realm_id=${ACME}`;
  const { cookies } = person;
  const accepted = await postWorkbook({ origin: url, cookies, path: `${checks}${query}`, bytes });
  if (accepted.status !== 202) throw new Error(`The file was refused: ${accepted.body.toString()}`);
  const { id } = JSON.parse(accepted.body.toString()) as { id: string };
  for (;;) {
    const told = (await person.request(`${checks}/${id}${query}`)).json() as UploadCheck;
    if (told.state === "failed") throw new Error(told.reason);
    if (told.report && told.state === "checked") {
      const { total, rejected } = told.report;
      return {
        restMb,
        peakMb: peakMb(server),
        cpuSeconds: (cpuMs(server) - cpuBefore) / 1_000,
        invoices: total.invoices,
        faulty: rejected.invoices,
      };
    }
    await wait(200);
  }
}
