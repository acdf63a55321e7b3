import type { ErrorCause } from "#features/telemetry/contract.ts";
import { findCauses } from "#features/telemetry/store.ts";
import type { Ctx } from "#platform/ctx.ts";

/** Causes listed; more than an operator reads. */
const LISTED = 200;
const FRAMES = 12;

/** Lists the causes of kept reports, the latest first. */
export async function listCauses({ db }: Ctx): Promise<ErrorCause[]> {
  const causes = await findCauses(db, LISTED);
  return causes.map(({ requestId, firstAt, lastAt, event, ...cause }) => ({
    ...cause,
    first_at: firstAt.toISOString(),
    last_at: lastAt.toISOString(),
    request_id: requestId,
    user: event.user?.email ?? event.user?.username ?? null,
    stack: (event.exception?.values.at(-1)?.stacktrace?.frames ?? [])
      .toReversed()
      .slice(0, FRAMES)
      .map(
        (frame) =>
          `${frame.function ?? "?"} (${frame.filename ?? "?"}:${frame.lineno ?? "?"}:${frame.colno ?? "?"})`,
      ),
  }));
}
