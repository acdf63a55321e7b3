import { WRITE_POLICY } from "#platform/writes/policy.ts";
import { resolve } from "node:path";
import * as z from "zod";
import type { Group } from "#contract/endpoint.ts";
import { VARIABLES, type Variables } from "#platform/config/schema.ts";
import { readSecretFiles, SECRETS } from "#platform/config/secret-files.ts";
import { objectsChecks, readObjects } from "#platform/config/objects.ts";
import { readLogRocket, readRecorder, recorderChecks } from "#platform/config/recorders.ts";
import { stripeChecks, readStripe } from "#platform/config/stripe.ts";
import { readAlertClient, readUps, upsChecks } from "#platform/config/ups.ts";

/** All faults of the configuration, one sentence each. */
export class ConfigFaults extends Error {
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[]) {
    super(sentences.join("\n"));
    this.name = "ConfigFaults";
    this.sentences = sentences;
  }
}

const MB = 1024 * 1024;

/** Polling interval for unannounced work: two index searches. */
const RUN_POLL_MS = 1_000;

type Defaults = { ediPartnerUrl: string | null; groupMembers: Record<Group, readonly string[]> };

/** Defaults for missing variables with a simulated Intuit: the demo users by group, and an example. */
const DEMO_DEFAULTS: Defaults = {
  ediPartnerUrl: "https://edi-partner.example/",
  groupMembers: {
    app: ["owner@acme.example", "clerk@acme.example", "platform@dockside.example", "new@newcomer.example"],
    brainchild: ["owner@acme.example", "labels@acme.example", "platform@dockside.example"],
    admin: ["platform@dockside.example"],
  },
};
const REAL_DEFAULTS: Defaults = {
  ediPartnerUrl: null,
  groupMembers: { app: ["*"], brainchild: [], admin: [] },
};

/** Opens the invoice in its own company, whichever one is open in the browser. */
const INVOICE_PATH = "app/login?pagereq=invoice%3FtxnId%3D{id}&deeplinkcompanyid={realm}";

const INTUIT_HOSTS = {
  sandbox: {
    discoveryUrl: "https://developer.api.intuit.com/.well-known/openid_sandbox_configuration",
    apiBaseUrl: "https://sandbox-quickbooks.api.intuit.com",
    invoicePage: `https://app.sandbox.qbo.intuit.com/${INVOICE_PATH}`,
  },
  production: {
    discoveryUrl: "https://developer.api.intuit.com/.well-known/openid_configuration",
    apiBaseUrl: "https://quickbooks.api.intuit.com",
    invoicePage: `https://qbo.intuit.com/${INVOICE_PATH}`,
  },
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from environment variables, and secrets also from files; most empty variables count as missing.
 * @throws ConfigFaults with all faults at once
 */
export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const variables = readVariables(readSecretFiles(environment, faults), faults);
  faults.push(...faultsBetween(variables));
  if (faults.length > 0) throw new ConfigFaults(faults);
  return assemble(variables as Variables);
}

/** Finds contradictory variables. An unreadable variable is already reported and is missing here. */
function faultsBetween(variables: Partial<Variables>): string[] {
  const { INTUIT_CLIENT_ID, INTUIT_CLIENT_SECRET, PUBLIC_URL } = variables;
  const simulated = !INTUIT_CLIENT_ID;
  // Real books are reached only over HTTPS, and from an Admin page that is not open to everyone.
  const isProduction = variables.INTUIT_ENVIRONMENT === "production";
  const checks: [boolean | undefined, string][] = [
    [
      simulated !== !INTUIT_CLIENT_SECRET,
      "INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET go together: set both, or neither for the simulated Intuit.",
    ],
    ...(simulated ? portsGivenTwice(variables) : []),
    [
      !variables.SMTP_URL !== !variables.MAIL_FROM,
      "SMTP_URL and MAIL_FROM go together: set both, or neither.",
    ],
    [
      Boolean(variables.MIGRATION_DATABASE_URL) && !("DATABASE_URL" in variables && variables.DATABASE_URL),
      "MIGRATION_DATABASE_URL needs DATABASE_URL: set both, or neither for the embedded database.",
    ],
    ...objectsChecks(variables),
    ...recorderChecks(variables),
    ...stripeChecks(variables),
    ...upsChecks(variables),
    [
      simulated && PUBLIC_URL !== undefined && !isLocal(PUBLIC_URL),
      "PUBLIC_URL is not a local address, so the simulated Intuit is refused: set INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET.",
    ],
    [
      isProduction && simulated,
      "INTUIT_ENVIRONMENT is production, so the simulated Intuit is refused: set INTUIT_CLIENT_ID and INTUIT_CLIENT_SECRET.",
    ],
    [
      isProduction && "PUBLIC_URL" in variables && !PUBLIC_URL?.startsWith("https:"),
      "INTUIT_ENVIRONMENT is production, so PUBLIC_URL must begin with https: set it to the address that users type.",
    ],
    [
      isProduction && variables.GROUP_ADMIN?.includes("*"),
      "INTUIT_ENVIRONMENT is production, so GROUP_ADMIN cannot be *: list the emails of those who run this product.",
    ],
  ];
  return checks.flatMap(([isFault, sentence]) => (isFault ? [sentence] : []));
}

/** Ports of this machine that are assigned to two services. */
function portsGivenTwice(variables: Partial<Variables>): [boolean, string][] {
  const names = ["PORT", "SIM_INTUIT_PORT", "SIM_UPS_PORT", "SIM_STRIPE_PORT", "SIM_MAIL_PORT"] as const;
  const pairs = names.flatMap((name, index) => names.slice(index + 1).map((other) => [name, other] as const));
  return pairs.map(([name, other]) => [
    variables[name] !== undefined && variables[name] === variables[other],
    `${name} and ${other} are both ${variables[name]}: give each a port of its own.`,
  ]);
}

/** Meaningful if set and empty; any other empty variable counts as missing. */
const TAKES_EMPTY: ReadonlySet<string> = new Set(["EDI_PARTNER_URL", "SERVICES_FOR_SALE"]);

function readVariables(environment: Environment, faults: string[]): Partial<Variables> {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(VARIABLES)) {
    const value = environment[name];
    const result = z.safeParse(schema, TAKES_EMPTY.has(name) ? value : value || undefined);
    if (result.success) values[name] = result.data;
    else {
      const reasons = result.error.issues.map(({ message }) => message).join("; ");
      faults.push(`${SECRETS.has(name) ? name : `${name} is "${value}"`}: ${reasons}.`);
    }
  }
  return values as Partial<Variables>;
}

export type Config = ReturnType<typeof assemble>;

function assemble(variables: Variables) {
  const simulated = !variables.INTUIT_CLIENT_ID;
  const defaults = simulated ? DEMO_DEFAULTS : REAL_DEFAULTS;
  const publicUrl = variables.PUBLIC_URL ?? `http://localhost:${variables.PORT}`;
  /** Null where no UPS accounts are connected: with real companies, until keys of UPS are set. */
  const ups = readUps(variables, publicUrl);
  return {
    port: variables.PORT,
    host: variables.HOST,
    publicUrl,
    /** Proxies in front of us that report their client in X-Forwarded-For. */
    proxies: variables.TRUST_PROXY,
    callsPerMinute: variables.CALLS_PER_MINUTE,
    dataDir: resolve(variables.DATA_DIR),
    objects: readObjects(variables),
    uploadRetentionDays: variables.UPLOAD_RETENTION_DAYS,
    exportRetentionDays: variables.EXPORT_RETENTION_DAYS,
    /** Bytes that a company may store, by kind. */
    storage: {
      workbooks: variables.STORAGE_WORKBOOKS_MB * MB,
      orders: variables.STORAGE_ORDERS_MB * MB,
      labels: variables.STORAGE_LABELS_MB * MB,
      exports: variables.STORAGE_EXPORTS_MB * MB,
    },
    deletionGraceDays: variables.COMPANY_DELETION_GRACE_DAYS,
    backupRetentionDays: variables.BACKUP_RETENTION_DAYS,
    databaseUrl: variables.DATABASE_URL ?? null,
    /** The same database for a user who may change its tables; null if DATABASE_URL's may. */
    migrationUrl: variables.MIGRATION_DATABASE_URL ?? null,
    /** A replica for lists of operators, exports and backups; null to read them from the database itself. */
    replicaUrl: variables.REPLICA_DATABASE_URL ?? null,
    /** Synchronous standbys that the database should have; 0 for none. */
    standbys: variables.DATABASE_STANDBYS,
    roles: variables.ROLES,
    logLevel: variables.LOG_LEVEL,
    /** Name of this version in error reports. */
    release: variables.RELEASE,
    /** Project of error reports at a server of the operator's own; null keeps them in our database. */
    sentryDsn: variables.SENTRY_DSN ?? null,
    recorder: readRecorder(variables),
    logRocket: readLogRocket(variables),
    /** Secret of callers of other machines that read metrics; null if there are none. */
    metricsToken: variables.METRICS_TOKEN ?? null,
    runs: {
      slots: variables.RUN_SLOTS,
      leaseMs: variables.RUN_LEASE_MS,
      sliceMs: variables.RUN_SLICE_MS,
      pollMs: RUN_POLL_MS,
    },
    sealingKeys: variables.SEALING_KEYS ?? null,
    product: variables.PRODUCT_NAME,
    retailer: variables.RETAILER_NAME,
    orderFolders: {
      base: variables.ORDER_FOLDERS === undefined ? null : resolve(variables.ORDER_FOLDERS),
      allowPrivate: variables.SFTP_PRIVATE_HOSTS,
      answerMs: variables.SFTP_ANSWER_MS,
    },
    ediPartnerUrl:
      variables.EDI_PARTNER_URL === undefined ? defaults.ediPartnerUrl : variables.EDI_PARTNER_URL,
    addInLink: variables.ADD_IN_LINK,
    /**
     * E-mails by group, `*` for everyone. Groups are given at sign-in; a start removes those no longer
     * configured.
     */
    groupMembers: {
      app: variables.GROUP_APP ?? defaults.groupMembers.app,
      brainchild: variables.GROUP_BRAINCHILD ?? defaults.groupMembers.brainchild,
      admin: variables.GROUP_ADMIN ?? defaults.groupMembers.admin,
    },
    intuit: readIntuit(variables, publicUrl),
    /** Null if nothing is sold: with real companies, until Stripe keys are set. */
    stripe: readStripe(variables),
    ups,
    alertClient: readAlertClient(variables),
    billing: {
      trialDays: variables.BILLING_TRIAL_DAYS,
      graceDays: variables.BILLING_GRACE_DAYS,
      // Nothing can be followed without UPS, so no company pays for it there.
      forSale: variables.SERVICES_FOR_SALE.filter((service) => service !== "tracking" || ups !== null),
    },
    shipWaitsMs: variables.SHIP_WAITS_MS,
    writePolicy: {
      ...WRITE_POLICY,
      firstLookMs: variables.WRITE_FIRST_LOOK_MS,
      vendorLimitMs: variables.WRITE_VENDOR_LIMIT_MS,
      indexLagMs: variables.WRITE_INDEX_LAG_MS,
      outageMs: variables.WRITE_OUTAGE_MS,
    },
    /** Ports of the simulators to run, null if the real service is configured. */
    simulators: simulated
      ? {
          intuitPort: variables.SIM_INTUIT_PORT,
          stripePort: variables.STRIPE_SECRET_KEY ? null : variables.SIM_STRIPE_PORT,
          upsPort: variables.UPS_CLIENT_ID ? null : variables.SIM_UPS_PORT,
          mailPort: variables.SIM_MAIL_PORT,
        }
      : null,
    mail: readMail(variables),
  };
}

/**
 * Reads the mail server and sender address; null if no mail is sent. With a simulated Intuit, mail is
 * simulated too.
 */
function readMail({ SMTP_URL, MAIL_FROM, INTUIT_CLIENT_ID, SIM_MAIL_PORT, PRODUCT_NAME }: Variables) {
  if (SMTP_URL && MAIL_FROM) return { url: SMTP_URL, from: MAIL_FROM };
  if (INTUIT_CLIENT_ID) return null;
  return { url: `smtp://localhost:${SIM_MAIL_PORT}`, from: `${PRODUCT_NAME} <no-reply@dockside.example>` };
}

/** Reads Intuit's addresses, real or simulated, and our credentials. */
function readIntuit(variables: Variables, publicUrl: string) {
  const simulator = !variables.INTUIT_CLIENT_ID;
  return {
    ...(simulator
      ? simulatedIntuit(`http://localhost:${variables.SIM_INTUIT_PORT}`)
      : INTUIT_HOSTS[variables.INTUIT_ENVIRONMENT]),
    clientId: variables.INTUIT_CLIENT_ID ?? "dockside-demo",
    clientSecret: variables.INTUIT_CLIENT_SECRET ?? "dockside-demo-secret",
    /** Must equal a registered address exactly. */
    redirectUri: `${publicUrl}/oauth/intuit/callback`,
    /** Maximum time of one call to the Accounting API. */
    timeoutsMs: { read: variables.INTUIT_READ_TIMEOUT_MS, write: variables.INTUIT_WRITE_TIMEOUT_MS },
    /** Signs the app's webhooks; null without webhooks. */
    verifierToken: variables.INTUIT_VERIFIER_TOKEN ?? (simulator ? "sim-verifier-token" : null),
    /** Reads that Intuit allows all companies together in a month; it refuses more. */
    monthlyReads: variables.INTUIT_MONTHLY_READS,
    /** Allows http on this machine. */
    simulator,
  };
}

/** Addresses of a simulated Intuit at an origin. */
export const simulatedIntuit = (origin: string) => ({
  discoveryUrl: `${origin}/.well-known/openid_sandbox_configuration`,
  apiBaseUrl: origin,
  invoicePage: `${origin}/qbo/{realm}#invoice-{id}`,
});

const isLocal = (url: string) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
