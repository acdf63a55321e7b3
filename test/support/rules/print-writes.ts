import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OURS } from "#features/shipping/rules-ours.ts";
import { TRANSITIONS } from "#platform/writes/decide.ts";
import { WRITE_POLICY } from "#platform/writes/policy.ts";

/** Path of the printed tables. */
export const WRITES_FILE = join(import.meta.dirname, "../../../docs/writes.md");

/** Prints the transitions and delays of writes as a document. */
export function printTransitions(): string {
  const rows = TRANSITIONS.map(
    ({ state, evidence, when = "", does }) => `| ${state} | ${evidence} | ${when} | ${does} |`,
  );
  const waits = Object.entries(WRITE_POLICY).map(([name, value]) => `| \`${name}\` | ${String(value)} |`);
  return `${INTRODUCTION}
| state | evidence | when | then |
|---|---|---|---|
${rows.join("\n")}

## Delays and limits

For the reasons, see \`src/platform/writes/policy.ts\`. Times are in milliseconds.

| name | value |
|---|---|
${waits.join("\n")}
`;
}

const INTRODUCTION = `# Writes

How a call that changes a vendor's data is brought to exactly one outcome. Printed from \`src/platform/writes/decide.ts\` by \`node runtime/scripts/run.mjs test/support/rules/print-writes.ts\`; a test compares the two. For the reasons, see [decision 0015](decisions/0015-writes-and-batches.md).

A write is \`planned\` until its call is sent, then \`sent\`, and ends as \`done\`, \`refused\` or \`unresolved\`. It is *keyed* if the vendor itself refuses a duplicate: an invoice with its own number, the void of one version of an invoice. The first matching row decides.
`;

/** The part of `docs/writes.md` about shipments at UPS. */
export const printOurs = (): string => `
## Whether a shipment at UPS is ours

A purchase that may have been made is searched for at UPS: by the numbers that UPS named in its answer, then by its own reference, and by the PO number only if these find nothing. Before its call, UPS is searched by the PO number. Printed from \`src/features/shipping/rules-ours.ts\` by \`node runtime/scripts/run.mjs test/support/rules/print-writes.ts\`; a test compares the two. The first matching row decides. What is *surely* ours is used. What is *possibly* ours is neither used nor voided: a user is asked.

| a shipment at UPS | is ours |
|---|---|
${OURS.map(({ when, verdict }) => `| ${when} | ${verdict} |`).join("\n")}

Only labels that carry the purchase's own reference are voided without a user's request, after the user has given the purchase up, and not those that the user said are something else.
`;

if (import.meta.main) await writeFile(WRITES_FILE, printTransitions() + printOurs());
