import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TRANSITIONS } from "#platform/writes/decide.ts";
import { WRITE_POLICY } from "#platform/writes/policy.ts";

/** Path of the printed table. */
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

How a call that changes a vendor's data is brought to exactly one outcome. Printed from \`src/platform/writes/decide.ts\` by \`node src/platform/writes/print-transitions.ts\`; a test compares the two. For the reasons, see [decision 0015](decisions/0015-writes-and-batches.md).

A write is \`planned\` until its call is sent, then \`sent\`, and ends as \`done\`, \`refused\` or \`unresolved\`. It is *keyed* if the vendor itself refuses a duplicate: an invoice with its own number, the void of one version of an invoice. The first matching row decides.
`;

if (import.meta.main) {
  const before = await readFile(WRITES_FILE, "utf8");
  // Features print their parts behind this one.
  const others = before.slice(before.indexOf("\n## Whether "));
  await writeFile(WRITES_FILE, printTransitions() + others);
}
