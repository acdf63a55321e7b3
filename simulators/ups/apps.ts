import type { Simulator } from "./simulator.ts";

/** An app registered at UPS's developer portal. `redirectUris` are compared byte for byte. */
export type App = {
  clientId: string;
  secret: string;
  name: string;
  redirectUris: readonly string[];
  /** Receiver of Track Alert, version 2, and the endpoint that gives UPS a token for it. */
  webhook?: { url: string; tokenUrl: string; clientId: string; clientSecret: string };
};

export const DEMO_APP: App = {
  clientId: "dockside-demo",
  secret: "dockside-demo-secret",
  name: "Dockside",
  redirectUris: [],
};

export function saveApp(sim: Simulator, app: App): void {
  sim.db
    .prepare(
      "INSERT INTO app (client_id, doc) VALUES (?, ?) ON CONFLICT (client_id) DO UPDATE SET doc = excluded.doc",
    )
    .run(app.clientId, JSON.stringify(app));
}

export function findApp(sim: Simulator, clientId: string): App | undefined {
  const row = sim.db.prepare("SELECT doc FROM app WHERE client_id = ?").get(clientId);
  return row ? (JSON.parse(String(row["doc"])) as App) : undefined;
}

/** Whether a redirect address is registered. The demo's app takes any address of this machine. */
export const takesRedirect = ({ redirectUris }: App, address: string): boolean =>
  redirectUris.includes(address) ||
  (redirectUris.length === 0 && /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?\/ups-callback\/?$/.test(address));
