import type { IncomingHttpHeaders } from "node:http";
import type { LogRocket, LogRocketUpload } from "#integrations/logrocket/client.ts";
import { AppError, forbidden } from "#platform/errors.ts";

/** Headers that go along; cookies and authorization never do, nor the user's address. */
const PASSED = ["content-type", "content-encoding", "user-agent"];

type FromPage = { to: LogRocketUpload["to"]; url: string; headers: IncomingHttpHeaders; body: Buffer };

/**
 * Passes on what LogRocket's script in one of our pages sends, and answers as LogRocket does, without its headers.
 * @param fromPage.url address of the request, whose query goes along
 * @returns null while LogRocket doesn't answer
 * @throws AppError 403 for another app
 */
export async function passToLogRocket(
  logRocket: LogRocket,
  { to, url, headers, body }: FromPage,
): Promise<{ status: number; body: Buffer } | null> {
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  // Its script names the app in the query of each upload.
  if (new URLSearchParams(query).getAll("a").some((app) => app !== logRocket.appId))
    throw forbidden("other_app", "Recordings of other apps aren't accepted here.");
  const passed = PASSED.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return logRocket.send({
    to,
    query,
    headers: Object.fromEntries(passed),
    body: new Uint8Array(body ?? []),
  });
}

/** Answered, not thrown: an outage of LogRocket isn't a failure of ours. */
export const logRocketSilent = () =>
  new AppError({
    status: 503,
    code: "recorder_unavailable",
    detail: "LogRocket isn't responding. The page works without it.",
    retryAfterSeconds: 30,
  });
