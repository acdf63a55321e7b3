import { timingSafeEqual } from "node:crypto";
import type { WireRequest } from "../kit/http.ts";
import type { Simulator } from "./simulator.ts";

/** A registered app. `redirectUris` null: any address on http://localhost. */
export type Client = {
  clientId: string;
  secret: string;
  name: string;
  redirectUris: string[] | null;
  /**
   * Addresses of the app in the app store: for opening it, for connecting a company, and after disconnecting.
   */
  launchUrl: string | null;
  connectUrl: string | null;
  disconnectUrl: string | null;
  /** Address for webhooks, and the token that signs them; null: none are sent. */
  webhookUrl: string | null;
  verifierToken: string;
};

export const DEMO_CLIENT: Client = {
  clientId: "dockside-demo",
  secret: "dockside-demo-secret",
  name: "Dockside",
  redirectUris: null,
  launchUrl: null,
  connectUrl: null,
  disconnectUrl: null,
  webhookUrl: null,
  verifierToken: "sim-verifier-token",
};

export function findClient(sim: Simulator, clientId: string): Client | undefined {
  const row = sim.db.prepare("SELECT doc FROM client WHERE client_id = ?").get(clientId);
  return row ? (JSON.parse(String(row["doc"])) as Client) : undefined;
}

export function listClients(sim: Simulator): Client[] {
  return sim.db
    .prepare("SELECT doc FROM client ORDER BY client_id")
    .all()
    .map((row) => JSON.parse(String(row["doc"])) as Client);
}

export function saveClient(sim: Simulator, client: Client): void {
  sim.db
    .prepare("INSERT OR REPLACE INTO client (client_id, doc) VALUES (?, ?)")
    .run(client.clientId, JSON.stringify(client));
}

/** Whether the app registered exactly this address; development apps may use http://localhost. */
export function mayRedirectTo(client: Client, redirectUri: string): boolean {
  if (client.redirectUris) return client.redirectUris.includes(redirectUri);
  return /^http:\/\/localhost(:\d+)?(\/|$)/.test(redirectUri);
}

/** Authenticates an app by Basic credentials or form fields; undefined if they are wrong. */
export function authenticateClient(
  sim: Simulator,
  request: WireRequest,
  form: URLSearchParams,
): Client | undefined {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? "");
  const [id, secret] = basic
    ? Buffer.from(basic[1] ?? "", "base64")
        .toString("utf8")
        .split(":")
        .map(decodePart)
    : [form.get("client_id") ?? "", form.get("client_secret") ?? ""];
  const client = findClient(sim, id ?? "");
  return client && sameText(client.secret, secret ?? "") ? client : undefined;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
