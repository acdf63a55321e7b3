import { makeProof } from "../src/features/tracking/proof/make-proof.ts";
import { makePackage, SHAPES } from "../src/features/tracking/proof/fixtures/answers.ts";
import { figure, info, report } from "./support/figures.ts";

/** Proofs of delivery from UPS's answers: processor time of this process for a page, the best of some runs. */
const PAGES = 100;
const RUNS = 5;
const TARGET_MS = 5;

const now = new Date("2026-11-26T09:20:00Z");
const perPage = new Map<string, number>();
let bytes = 0;
for (const shape of SHAPES) {
  const packages = Array.from({ length: PAGES }, (_, seed) => makePackage(seed, shape));
  let best = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    for (const tracked of packages) bytes = (await makeProof({ tracked, now })).pdf.length;
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000 / PAGES);
  }
  perPage.set(shape, best);
}

report("Proofs of delivery", [
  ...["proof", "signature only", "neither"].map((shape) =>
    figure(`a page, ${shape}`, perPage.get(shape) ?? Infinity, { most: TARGET_MS, unit: "ms" }),
  ),
  info("a page, hostile markup up to 5 MB", `${(perPage.get("broken markup") ?? Infinity).toFixed(1)} ms`),
  info("bytes of a page", String(bytes)),
]);
