import { WRITE_POLICY } from "#platform/writes/policy.ts";
import { resolve } from "node:path";
import * as z from "zod";
import {
  VARIABLES,
  type Config,
  type IntuitPlace,
  type Variable,
  type Variables,
} from "#platform/config/schema.ts";

/** Everything wrong with the configuration, one sentence each. */
export class ConfigFaults extends Error {
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[]) {
    super(sentences.join("\n"));
    this.name = "ConfigFaults";
    this.sentences = sentences;
  }
}

/** A look for work that nobody announced: two searches by index. */
const RUN_POLL_MS = 1_000;

/** E-mails of the demo people by group; they stand in where no group is configured and Intuit is simulated. */
const DEMO_GROUPS = {
  app: ["owner@acme.example", "clerk@acme.example", "platform@dockside.example", "new@newcomer.example"],
  brainchild: ["owner@acme.example", "labels@acme.example", "platform@dockside.example"],
  admin: ["platform@dockside.example"],
};

/** Opens the invoice in its own company, whichever the browser is in. */
const INVOICE_OF_COMPANY = "app/login?pagereq=invoice%3FtxnId%3D{id}&deeplinkcompanyid={realm}";

const INTUIT_HOSTS = {
  sandbox: {
    discoveryUrl: "https://developer.api.intuit.com/.well-known/openid_sandbox_configuration",
    apiBaseUrl: "https://sandbox-quickbooks.api.intuit.com",
    invoicePage: `https://app.sandbox.qbo.intuit.com/${INVOICE_OF_COMPANY}`,
  },
  production: {
    discoveryUrl: "https://developer.api.intuit.com/.well-known/openid_configuration",
    apiBaseUrl: "https://quickbooks.api.intuit.com",
    invoicePage: `https://qbo.intuit.com/${INVOICE_OF_COMPANY}`,
  },
};

/**
 * Reads the configuration from environment variables; of most an empty one counts as absent.
 * @throws ConfigFaults naming every fault at once
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const variables = readVariables(environment, faults);
  const publicUrl = variables.PUBLIC_URL ?? `http://localhost:${variables.PORT ?? ""}`;
  faults.push(...faultsBetween(variables));
  if (faults.length > 0) throw new ConfigFaults(faults);
  return assemble(variables as Variables, publicUrl);
}

/** What does not go together. A variable that could not be read is reported already and is absent here. */
function faultsBetween(variables: Partial<Variables>): string[] {
  const faults: string[] = [];
  const simulated = !variables.INTUIT_CLIENT_ID;
  if (Boolean(variables.INTUIT_CLIENT_ID) !== Boolean(variables.INTUIT_CLIENT_SECRET)) {
    faults.push(
      "INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET go together: set both, or neither for the simulated Intuit.",
    );
  }
  if (simulated && variables.PORT !== undefined && variables.PORT === variables.SIM_INTUIT_PORT) {
    faults.push(`PORT and SIM_INTUIT_PORT are both ${variables.PORT}: give each a port of its own.`);
  }
  if (simulated && variables.PUBLIC_URL && !isLocal(variables.PUBLIC_URL)) {
    faults.push(
      "PUBLIC_URL is not a local address, so the simulated Intuit is refused: set INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET.",
    );
  }
  if (variables.INTUIT_ENVIRONMENT === "production") faults.push(...faultsOfProduction(variables));
  return faults;
}

/** Real books are reached over HTTPS only, and by an Admin page that not everybody may open. */
function faultsOfProduction(variables: Partial<Variables>): string[] {
  const { INTUIT_CLIENT_ID, PUBLIC_URL, GROUP_ADMIN } = variables;
  const faults: string[] = [];
  if (!INTUIT_CLIENT_ID) {
    faults.push(
      "INTUIT_ENVIRONMENT is production, so the simulated Intuit is refused: set INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET.",
    );
  }
  if ("PUBLIC_URL" in variables && !PUBLIC_URL?.startsWith("https:")) {
    faults.push(
      "INTUIT_ENVIRONMENT is production, so PUBLIC_URL must begin with https: set it to the address that users type.",
    );
  }
  if (GROUP_ADMIN?.includes("*")) {
    faults.push(
      "INTUIT_ENVIRONMENT is production, so GROUP_ADMIN cannot be *: list the emails of those who run this product.",
    );
  }
  return faults;
}

/** Variables whose value may hold a password or a key; a fault is described without it. */
const SECRETS: ReadonlySet<string> = new Set(["DATABASE_URL", "SEALING_KEYS", "INTUIT_CLIENT_SECRET"]);

const described = (name: string, value: string | undefined) =>
  SECRETS.has(name) ? name : `${name} is "${value}"`;

function readVariables(
  environment: Readonly<Record<string, string | undefined>>,
  faults: string[],
): Partial<Variables> {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, takesEmpty }] of Object.entries<Variable>(VARIABLES)) {
    const result = z.safeParse(schema, takesEmpty ? environment[name] : environment[name] || undefined);
    if (result.success) values[name] = result.data;
    else
      faults.push(
        `${described(name, environment[name])}: ${result.error.issues.map((issue) => issue.message).join("; ")}.`,
      );
  }
  return values as Partial<Variables>;
}

function assemble(variables: Variables, publicUrl: string): Config {
  const simulated = !variables.INTUIT_CLIENT_ID;
  return {
    port: variables.PORT,
    host: variables.HOST,
    publicUrl,
    proxies: variables.TRUST_PROXY,
    dataDir: resolve(variables.DATA_DIR),
    uploadRetentionDays: variables.UPLOAD_RETENTION_DAYS,
    databaseUrl: variables.DATABASE_URL ?? null,
    roles: variables.ROLES,
    logLevel: variables.LOG_LEVEL,
    runs: {
      slots: variables.RUN_SLOTS,
      leaseMs: variables.RUN_LEASE_MS,
      sliceMs: variables.RUN_SLICE_MS,
      pollMs: RUN_POLL_MS,
    },
    sealingKeys: variables.SEALING_KEYS ?? null,
    product: variables.PRODUCT_NAME,
    retailer: variables.RETAILER_NAME,
    ediPartnerUrl: partnerOf(variables, simulated),
    addInLink: variables.ADD_IN_LINK,
    groupMembers: {
      app: variables.GROUP_APP ?? (simulated ? DEMO_GROUPS.app : ["*"]),
      brainchild: variables.GROUP_BRAINCHILD ?? (simulated ? DEMO_GROUPS.brainchild : []),
      admin: variables.GROUP_ADMIN ?? (simulated ? DEMO_GROUPS.admin : []),
    },
    intuit: intuitPlace(variables, publicUrl),
    writePolicy: {
      ...WRITE_POLICY,
      firstLookMs: variables.WRITE_FIRST_LOOK_MS,
      vendorLimitMs: variables.WRITE_VENDOR_LIMIT_MS,
      indexLagMs: variables.WRITE_INDEX_LAG_MS,
      outageMs: variables.WRITE_OUTAGE_MS,
    },
    simulators: simulated ? { intuitPort: variables.SIM_INTUIT_PORT } : null,
  };
}

/** Customers of a real service are not shown an example. */
function partnerOf({ EDI_PARTNER_URL: said }: Variables, simulated: boolean): string | null {
  if (said !== undefined) return said;
  return simulated ? "https://edi-partner.example/" : null;
}

function intuitPlace(variables: Variables, publicUrl: string): IntuitPlace {
  const redirectUri = `${publicUrl}/oauth/intuit/callback`;
  const timeoutsMs = {
    read: variables.INTUIT_READ_TIMEOUT_MS,
    write: variables.INTUIT_WRITE_TIMEOUT_MS,
  };
  const { INTUIT_CLIENT_ID: clientId, INTUIT_CLIENT_SECRET: clientSecret } = variables;
  if (clientId && clientSecret) {
    return {
      ...INTUIT_HOSTS[variables.INTUIT_ENVIRONMENT],
      clientId,
      clientSecret,
      redirectUri,
      timeoutsMs,
      simulator: false,
    };
  }
  return {
    ...simulatedIntuit(`http://localhost:${variables.SIM_INTUIT_PORT}`),
    clientId: "dockside-demo",
    clientSecret: "dockside-demo-secret",
    redirectUri,
    timeoutsMs,
    simulator: true,
  };
}

/** Addresses of a simulated Intuit at an origin. */
export const simulatedIntuit = (origin: string) => ({
  discoveryUrl: `${origin}/.well-known/openid_sandbox_configuration`,
  apiBaseUrl: origin,
  invoicePage: `${origin}/qbo/{realm}#invoice-{id}`,
});

const isLocal = (url: string) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
