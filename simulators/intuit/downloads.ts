import { createHmac, timingSafeEqual } from "node:crypto";
import type { Reply, WireRequest } from "../kit/http.ts";
import { readSetting, writeSetting } from "../kit/sqlite.ts";
import type { ApiCall } from "./api-call.ts";
import { notFound } from "./api-fault.ts";
import type { Simulator } from "./simulator.ts";

const LIFETIME_MS = 900_000;

/** Creates a signed address of a file, valid for 15 minutes. */
export function temporaryUrl(sim: Simulator, realmId: string, id: string): string {
  const expires = sim.clock.now().getTime() + LIFETIME_MS;
  return `${sim.publicUrl}/dl/${realmId}/${id}?Expires=${expires}&Signature=${signature(sim, `${realmId}/${id}/${expires}`)}`;
}

/** GET /download/{id}: the temporary address as plain text. @throws ApiFault 610 */
export function downloadLink(call: ApiCall, id: string): Reply {
  const { sim, company } = call;
  if (!sim.books.get(company.realmId, "Attachable", id)) throw notFound();
  call.tally.reads += 1;
  return {
    status: 200,
    headers: { "content-type": "text/plain;charset=utf-8" },
    body: temporaryUrl(sim, company.realmId, id),
  };
}

/** GET /dl/…: the file itself, for any caller with the address; 403 if it has expired or was altered. */
export function serveFile(sim: Simulator, request: WireRequest): Reply {
  const [, , realmId = "", id = ""] = request.url.pathname.split("/");
  const expires = request.url.searchParams.get("Expires") ?? "";
  const given = Buffer.from(request.url.searchParams.get("Signature") ?? "");
  const wanted = Buffer.from(signature(sim, `${realmId}/${id}/${expires}`));
  const genuine = given.length === wanted.length && timingSafeEqual(given, wanted);
  const row = sim.db.prepare("SELECT content FROM file WHERE realm_id = ? AND id = ?").get(realmId, id);
  if (!genuine || Number(expires) < sim.clock.now().getTime() || !row) {
    return {
      status: 403,
      headers: { "content-type": "application/xml" },
      body: "<Error><Code>AccessDenied</Code></Error>",
    };
  }
  const entity = sim.books.get(realmId, "Attachable", id);
  return {
    status: 200,
    headers: {
      "content-type": String(entity?.["ContentType"] ?? "application/octet-stream"),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    },
    body: Buffer.from(row["content"] as Uint8Array),
  };
}

function signature(sim: Simulator, text: string): string {
  let secret = readSetting<string>(sim.db, "download_secret");
  if (secret === undefined) {
    secret = crypto.randomUUID();
    writeSetting(sim.db, "download_secret", secret);
  }
  return createHmac("sha256", secret).update(text).digest("base64url");
}
