import type { ApiAnswer } from "./api-replies.ts";
import type { Simulator } from "./simulator.ts";

/** The first answer to a request key of a company (`requestid`, or batch requestid and `bId`), kept for good. */
export function firstAnswer(sim: Simulator, realmId: string, key: string): ApiAnswer | undefined {
  const row = sim.db
    .prepare("SELECT status, answer FROM replay WHERE realm_id = ? AND request_key = ?")
    .get(realmId, key);
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
      "INSERT OR IGNORE INTO replay (realm_id, request_key, status, answer, at) VALUES (?, ?, ?, ?, ?)",
    )
    .run(realmId, kept.key, kept.answer.status, JSON.stringify(kept.answer.body), sim.clock.now().getTime());
}

export const singleKey = (requestId: string): string => `s:${requestId}`;
export const batchItemKey = (requestId: string, bId: string): string =>
  `b:${requestId.length}:${requestId}:${bId}`;
