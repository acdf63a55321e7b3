import { readFile, writeFile } from "node:fs/promises";
import { OURS } from "#features/shipping/rules-ours.ts";
import { WRITES_FILE } from "#platform/writes/print-transitions.ts";

const HEADING = "## Whether a shipment at UPS is ours";

/** The part of `docs/writes.md` about shipments at UPS. */
export const printOurs = (): string => `
${HEADING}

A purchase that may have been made is searched for at UPS: by the numbers that UPS named in its answer, then by its own reference, and by the PO number only if these find nothing. Before its call, UPS is searched by the PO number. Printed from \`src/features/shipping/rules-ours.ts\` by \`node src/features/shipping/print-ours.ts\`; a test compares the two. The first matching row decides. What is *surely* ours is used. What is *possibly* ours is neither used nor voided: a user is asked.

| a shipment at UPS | is ours |
|---|---|
${OURS.map(({ when, verdict }) => `| ${when} | ${verdict} |`).join("\n")}

Only labels that carry the purchase's own reference are voided without a user's request, after the user has given the purchase up, and not those of which the user said that they are something else.
`;

if (import.meta.main) {
  const [before = ""] = (await readFile(WRITES_FILE, "utf8")).split(`\n${HEADING}`);
  await writeFile(WRITES_FILE, before + printOurs());
}
