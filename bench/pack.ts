import { makePackage } from "../src/features/tracking/proof/fixtures/answers.ts";
import { makeProof } from "../src/features/tracking/proof/make-proof.ts";
import type { PackTask } from "../src/features/tracking/pack/merge-pack.ts";
import { runInThread } from "../src/platform/threads/run-in-thread.ts";
import { figure, info, report } from "./support/figures.ts";

/**
 * A dispute pack of seven documents, merged in a thread of its own as the product does it: processor time of this process,
 * starting the thread and loading the library included, the best of some runs.
 */
const RUNS = 5;
const TARGET_MS = 2000;

const now = new Date("2026-11-26T09:20:00Z");
const { pdf } = await makeProof({ tracked: makePackage(0, "proof"), now });
const titles = ["Invoice", "Order", "Packing slip", "Label", "Ship notice", "Scans", "Proof of delivery"];
const input: PackTask = {
  head: { number: "B-10277", customer: "Red Rock Diner", madeAt: "Nov 26, 2026, 9:20 AM UTC" },
  parts: titles.map((title) => ({ title, pdf })),
};
const module = new URL("../src/features/tracking/pack/merge-pack.ts", import.meta.url);

let [best, bytes] = [Infinity, 0];
for (let run = 0; run < RUNS; run += 1) {
  const before = process.cpuUsage();
  const task = { bytes: new Uint8Array(), input, owner: "bench" };
  bytes = (await runInThread<Uint8Array>(module, task)).length;
  const { user, system } = process.cpuUsage(before);
  best = Math.min(best, (user + system) / 1000);
}

report("A dispute pack of seven documents", [
  figure("processor time", best, { most: TARGET_MS, unit: "ms" }),
  info("bytes", String(bytes)),
]);
