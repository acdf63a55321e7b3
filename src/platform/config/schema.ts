import * as z from "zod";
import { foldEmail } from "#platform/email.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import { WRITE_POLICY } from "#platform/writes/policy.ts";

/** Version in package.json. */
const VERSION = "0.1.0";

const integer = (from: number, to: number) => {
  const error = `it must be a whole number from ${from} to ${to}`;
  return z.coerce.number({ error }).int(error).min(from, error).max(to, error);
};
const port = integer(1, 65_535);
/** An address without a path: pages are at its root. */
const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (isWeb && url.href === `${url.origin}/`) return url.origin;
  const message = isWeb
    ? `it must be an address without a path: set it to ${url.origin}`
    : "it must begin with http:// or https://, like https://dockside.example";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});
/** Recordings cross other networks sealed; without TLS they may only stay on this machine. */
const sealedOrigin = origin.pipe(
  z.string().regex(/^(https:\/\/|http:\/\/localhost(:|$))/, "it must begin with https://"),
);
const flag = z.enum(["true", "false"]).transform((text) => text === "true");
const list = z.string().transform((text) => text.split(",").map(foldEmail).filter(Boolean));
const urlOrNone = z
  .string()
  .trim()
  .pipe(z.union([z.literal("").transform(() => null), z.url()]));

const word = z.string().min(1);
const stripeKey = (...kinds: readonly string[]) =>
  z
    .string()
    .regex(
      new RegExp(`^(${kinds.join("|")})_(test|live)_\\w+$`),
      `it must begin with ${kinds[0]}_test_ or ${kinds[0]}_live_`,
    );
/** Two, for rotation. */
const secrets = z
  .string()
  .transform((text) => text.split(",").map((entry) => entry.trim()))
  .pipe(z.array(z.string().startsWith("whsec_")).min(1).max(2));

/**
 * Parser of every variable; none is required to start. `.env.example` explains each one, and `npm run check`
 * compares the names.
 */
export const VARIABLES = {
  PORT: port.default(3000),
  HOST: z.string().default("localhost"),
  PUBLIC_URL: origin.optional(),
  TRUST_PROXY: integer(0, 9).default(0),
  CALLS_PER_MINUTE: integer(60, 1_000_000).default(HTTP_LIMITS.callsPerMinute),
  DATA_DIR: word.default("data"),
  UPLOAD_RETENTION_DAYS: integer(30, 36_500).default(400),
  EXPORT_RETENTION_DAYS: integer(1, 365).default(7),
  STORAGE_WORKBOOKS_MB: integer(1, 1_000_000).default(5_120),
  STORAGE_ORDERS_MB: integer(1, 1_000_000).default(5_120),
  STORAGE_LABELS_MB: integer(1, 1_000_000).default(5_120),
  STORAGE_EXPORTS_MB: integer(1, 1_000_000).default(10_240),
  COMPANY_DELETION_GRACE_DAYS: integer(0, 3_650).default(30),
  BACKUP_RETENTION_DAYS: integer(1, 36_500).default(30),
  OBJECTS_S3_ENDPOINT: origin.optional(),
  OBJECTS_S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      "it must be a bucket's name: 3 to 63 small letters, digits, dots and dashes",
    )
    .optional(),
  OBJECTS_S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, "it must be a region's name, like us-east-1")
    .default("us-east-1"),
  OBJECTS_S3_KEY_ID: word.optional(),
  OBJECTS_S3_SECRET: word.optional(),
  OBJECTS_S3_TIMEOUT_MS: integer(100, 600_000).default(30_000),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  MIGRATION_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REPLICA_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_STANDBYS: integer(0, 20).default(0),
  ROLES: list.pipe(z.array(z.enum(["web", "worker"])).min(1)).default(["web", "worker"]),
  RUN_SLOTS: integer(1, 100).default(12),
  RUN_LEASE_MS: integer(500, 600_000).default(6_000),
  RUN_SLICE_MS: integer(50, 600_000).default(5_000),
  RELEASE: z
    .string()
    .regex(/^[\w.@+-]{1,100}$/, "it may have letters, digits and . @ + - _")
    .default(`dockside@${VERSION}`),
  SENTRY_DSN: z
    .url({ protocol: /^https?$/ })
    .regex(/^\w+:\/\/\w+@[^/]+(\/[\w-]+)*\/\d+$/, "it must look like https://key@host/1")
    .optional(),
  RECORDER: flag.default(true),
  RECORDER_APP_ID: word.default("own/dockside"),
  RECORDER_SAMPLED_PREFIX: word.default("au2drp/"),
  RECORDER_SAMPLE_RATE: z.coerce.number().min(0).max(1).default(0.25),
  LOGROCKET_APP_ID: z
    .string()
    .regex(/^[\w-]+\/[\w-]+$/, "it must look like org/app, as LogRocket's settings show it")
    .optional(),
  // Defaults from the package logrocket 12.4.0 (setup.js): scriptOrigin and scriptIngest of its npm build.
  LOGROCKET_SCRIPT_ORIGIN: sealedOrigin.default("https://cdn.logr-in.com"),
  LOGROCKET_INGEST_ORIGIN: sealedOrigin.default("https://r.logr-in.com"),
  METRICS_TOKEN: z.string().min(16, "it must have at least 16 characters").optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("warn"),
  SEALING_KEYS: word.optional(),
  PRODUCT_NAME: word.default("Dockside"),
  RETAILER_NAME: word.default("Home Improvement"),
  EDI_PARTNER_URL: urlOrNone.optional(),
  ADD_IN_LINK: flag.default(true),
  GROUP_APP: list.optional(),
  GROUP_BRAINCHILD: list.optional(),
  GROUP_ADMIN: list.optional(),
  INTUIT_CLIENT_ID: word.optional(),
  INTUIT_CLIENT_SECRET: word.optional(),
  INTUIT_ENVIRONMENT: z.enum(["sandbox", "production"]).default("sandbox"),
  INTUIT_READ_TIMEOUT_MS: integer(100, 125_000).default(30_000),
  INTUIT_WRITE_TIMEOUT_MS: integer(100, 125_000).default(125_000),
  INTUIT_VERIFIER_TOKEN: word.optional(),
  INTUIT_MONTHLY_READS: integer(1, 1_000_000_000).default(500_000),
  WRITE_FIRST_LOOK_MS: integer(0, 600_000).default(WRITE_POLICY.firstLookMs),
  WRITE_VENDOR_LIMIT_MS: integer(0, 3_600_000).default(WRITE_POLICY.vendorLimitMs),
  WRITE_INDEX_LAG_MS: integer(0, 3_600_000).default(WRITE_POLICY.indexLagMs),
  /** Milliseconds from a call of UPS without an answer to each search for its labels. */
  SHIP_WAITS_MS: z
    .string()
    .regex(/^\d{1,7}(,\d{1,7}){0,9}$/)
    .default("10000,60000,300000,1800000")
    .transform((list) => list.split(",").map(Number)),
  WRITE_OUTAGE_MS: integer(0, 3_600_000).default(WRITE_POLICY.outageMs),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: word.optional(),
  SIM_MAIL_PORT: port.default(3025),
  STRIPE_SECRET_KEY: stripeKey("sk", "rk").optional(),
  STRIPE_PUBLISHABLE_KEY: stripeKey("pk").optional(),
  STRIPE_WEBHOOK_SECRETS: secrets.optional(),
  SERVICES_FOR_SALE: list.default(["tracking"]),
  BILLING_TRIAL_DAYS: integer(0, 365).default(14),
  BILLING_GRACE_DAYS: integer(0, 60).default(14),
  UPS_CLIENT_ID: word.optional(),
  UPS_CLIENT_SECRET: word.optional(),
  UPS_ALERT_CLIENT_ID: word.optional(),
  UPS_ALERT_CLIENT_SECRET: word.optional(),
  ORDER_FOLDERS: word.optional(),
  SFTP_PRIVATE_HOSTS: flag.default(false),
  SFTP_ANSWER_MS: integer(100, 120_000).default(20_000),
  UPS_ENVIRONMENT: z.enum(["test", "production"]).default("test"),
  SIM_INTUIT_PORT: port.default(3001),
  SIM_UPS_PORT: port.default(3002),
  SIM_STRIPE_PORT: port.default(3003),
} as const satisfies Record<string, z.ZodType>;

export type Variables = { [Name in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[Name]> };
