import type { ListRow } from "#features/admin/lists/contract.ts";
import { NONE, time, view, words, company } from "#features/admin/web/columns.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { cancelRun, retryRun } from "#features/health/contract.ts";
import { call } from "#web/kit/api-client.ts";

/** Kinds of runs that end when they are canceled. */
const CANCELABLE = /^(?:invoices\.|labels\.ship$|tracking\.watch$)/;

/** Names the work of a run, and the file, order or address that it is about. */
export function nameRun({ kind, about }: Pick<ListRow<"runs">, "kind" | "about">): string {
  const name = adminWords.runKinds[kind] ?? words(kind.replaceAll(/[.-]/g, "_"));
  return about === "" ? name : `${name}: ${about}`;
}

export const runsView = view("runs", {
  columns: [
    company,
    { head: "Run", cell: nameRun, note: (row) => row.kind },
    {
      head: "State",
      cell: (row) => [words(row.state), row.cause?.replaceAll("_", " ")].filter(Boolean).join(": "),
    },
    { head: "Failures", cell: (row) => (row.failures === 0 ? NONE : String(row.failures)) },
    time("Requested", (row) => row.requested_at),
    time("Due or ended", (row) => row.finished_at ?? row.due_at),
    { head: "Support ID", cell: (row) => row.request_id ?? NONE },
  ],
  actions: [
    {
      label: "Retry now",
      question: (row) => `Start the waiting run now? ${nameRun(row)}`,
      isOffered: (row) => row.state === "waiting",
      change: ({ realm_id, key }, reason) => call(retryRun, { body: { realm_id, id: key, reason } }),
    },
    {
      label: "Cancel",
      question: (row) =>
        `Cancel this run of ${row.company}? ${nameRun(row)}. What is done stays. The company will see that you canceled it.`,
      isOffered: (row) => ["queued", "working", "waiting"].includes(row.state) && CANCELABLE.test(row.kind),
      change: ({ realm_id, key }, reason) => call(cancelRun, { body: { realm_id, id: key, reason } }),
    },
  ],
});
