import type { ApiAnswer } from "./api-replies.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";

/**
 * Finds the first answer to a request key of a company (`requestid`, or batch requestid and `bId`), kept
 * forever unless the settings let request ids be ignored or forgotten.
 */
export function firstAnswer(sim: Simulator, realmId: string, key: string): ApiAnswer | undefined {
  const { requestIds, requestIdsKeptS } = readSettings(sim);
  if (requestIds === "ignored") return undefined;
  const keptSince = requestIdsKeptS === null ? 0 : sim.clock.now().getTime() - requestIdsKeptS * 1000;
  const row = sim.db
    .prepare("SELECT status, answer FROM replay WHERE realm_id = ? AND request_key = ? AND at >= ?")
    .get(realmId, key, keptSince);
  return (
    row && {
      status: Number(row["status"]),
      body: JSON.parse(String(row["answer"])) as Record<string, unknown>,
    }
  );
}

export function keepAnswer(sim: Simulator, realmId: string, kept: { key: string; answer: ApiAnswer }): void {
  sim.db
    .prepare(
      "INSERT OR REPLACE INTO replay (realm_id, request_key, status, answer, at) VALUES (?, ?, ?, ?, ?)",
    )
    .run(realmId, kept.key, kept.answer.status, JSON.stringify(kept.answer.body), sim.clock.now().getTime());
}

export const singleKey = (requestId: string): string => `s:${requestId}`;
export const batchItemKey = (requestId: string, bId: string): string =>
  `b:${requestId.length}:${requestId}:${bId}`;

/** Whether a request id was answered before, for a single request or a batch; a forgotten one counts. */
export function wasAnswered(sim: Simulator, realmId: string | null, requestId: string | null): boolean {
  if (realmId === null || requestId === null) return false;
  const batch = batchItemKey(requestId, "");
  const row = sim.db
    .prepare(
      `SELECT 1 FROM replay WHERE realm_id = ?1
       AND (request_key = ?2 OR (request_key >= ?3 AND request_key < ?3 || char(1114111))) LIMIT 1`,
    )
    .get(realmId, singleKey(requestId), batch);
  return row !== undefined;
}

/** Removes the stored answers to request ids, of one company or of all. */
export function forgetRequestIds(sim: Simulator, realmId: string | null): void {
  sim.db.prepare("DELETE FROM replay WHERE ?1 IS NULL OR realm_id = ?1").run(realmId);
}
