import { readFileSync } from "node:fs";
import { join } from "node:path";
import { json, send, type Reply, type WireRequest } from "../kit/http.ts";
import { serveLocally } from "../kit/serve.ts";

const SCRIPT = readFileSync(join(import.meta.dirname, "logger.js"), "utf8");
const MAX_BYTES = 16 * 1024 * 1024;

/** Misbehavior of all requests from then on. `silent`: no answer. `huge`: more than anyone should read. */
export type LogRocketFault = "error" | "redirect" | "silent" | "huge";

/** A request that arrived, complete. */
export type LogRocketCall = Pick<WireRequest, "method" | "headers"> & {
  path: string;
  query: string;
  text: string;
};

/** Starts LogRocket's CDN and its ingest, at one origin. @param port 0 for any free port */
export async function startLogRocket({ port }: { port: number }) {
  const calls: LogRocketCall[] = [];
  let fault: LogRocketFault | null = null;
  const server = await serveLocally({
    port,
    limit: MAX_BYTES,
    failure: (status, reason) => json(status, { error: reason }),
    answer: ({ method, url, headers, body }, response) => {
      calls.push({ method, path: url.pathname, query: url.search, headers, text: body.toString("utf8") });
      if (fault === "silent") return;
      send(response, fault ? misbehave(fault) : answer(method, url));
    },
  });
  return {
    url: server.url,
    close: () => server.close(),
    /** Requests that arrived, in their order. */
    calls,
    /** Makes all requests misbehave, or none. */
    setFault: (next: LogRocketFault | null) => void (fault = next),
  };
}

export type LogRocketSimulator = Awaited<ReturnType<typeof startLogRocket>>;

/** The vendor's answers set cookies of the vendor. */
const COOKIE = { "set-cookie": "vendor=1; Path=/" };

function answer(method: string, { pathname, searchParams }: URL): Reply {
  if (method === "GET" && pathname === "/logger-1.min.js")
    return { status: 200, headers: { "content-type": "application/javascript", ...COOKIE }, body: SCRIPT };
  if (method !== "POST" || !["/i", "/s"].includes(pathname)) return json(404, { error: "not found" });
  return searchParams.get("a") ? json(200, { ok: true }, COOKIE) : json(400, { error: "no app" });
}

function misbehave(fault: Exclude<LogRocketFault, "silent">): Reply {
  if (fault === "error") return json(500, { error: "made" });
  if (fault === "redirect") return { status: 302, headers: { location: "http://localhost:1/" }, body: "" };
  return { status: 200, headers: { "content-type": "text/plain" }, body: Buffer.alloc(9 * 1024 * 1024, 97) };
}
