import * as z from "zod";
import { WRITE_POLICY } from "#platform/writes/policy.ts";

const integer = (from: number, to: number) => {
  const error = `it must be a whole number from ${from} to ${to}`;
  return z.coerce.number({ error }).int(error).min(from, error).max(to, error);
};
const port = integer(1, 65_535);
const origin = z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin);
const flag = z.enum(["true", "false"]).transform((text) => text === "true");
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean),
);
const urlOrNone = z
  .string()
  .trim()
  .pipe(z.union([z.literal("").transform(() => null), z.url()]));

/**
 * Every variable the product reads: what it means, and how it is read. Nothing is needed to start.
 * `.env.example` lists the same names; `npm run check` compares them.
 */
export const VARIABLES = {
  PORT: { about: "Port of the application.", schema: port.default(3000) },
  HOST: {
    about: "Address to listen on; 0.0.0.0 to be reached from other machines.",
    schema: z.string().default("localhost"),
  },
  PUBLIC_URL: {
    about: "Address people type, without a path. Default: http://localhost and the port.",
    schema: origin.optional(),
  },
  TRUST_PROXY: {
    about: "How many proxies in front of us write X-Forwarded-For; 0 when people reach us directly.",
    schema: integer(0, 9).default(0),
  },
  DATA_DIR: {
    about: "Folder of the embedded database and the stored files.",
    schema: z.string().min(1).default("data"),
  },
  UPLOAD_RETENTION_DAYS: {
    about: "Days until the file of an upload is removed; what was posted stays on record.",
    schema: integer(30, 36_500).default(400),
  },
  DATABASE_URL: {
    about:
      "PostgreSQL 15 or newer of your own, postgres://…; without it an embedded one is run below DATA_DIR.",
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  },
  ROLES: {
    about: "What this process does: web, worker, or both.",
    schema: list.pipe(z.array(z.enum(["web", "worker"])).min(1)).default(["web", "worker"]),
  },
  RUN_SLOTS: {
    about: "Uploads and undos one worker process works on at a time, each of another company.",
    schema: integer(1, 100).default(12),
  },
  RUN_LEASE_MS: {
    about: "A worker process that is silent this long (ms) is dead, and others take up its work.",
    schema: integer(500, 600_000).default(6_000),
  },
  RUN_SLICE_MS: {
    about: "How long (ms) an upload keeps its slot while other companies wait for one.",
    schema: integer(50, 600_000).default(5_000),
  },
  LOG_LEVEL: {
    about: "fatal, error, warn, info, debug or silent.",
    schema: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("warn"),
  },
  SEALING_KEYS: {
    about:
      "Keys that seal stored tokens, id:base64 of 32 bytes, comma separated, the first seals. Default: made once below DATA_DIR.",
    schema: z.string().min(1).optional(),
  },
  PRODUCT_NAME: { about: "Name of the product on screen.", schema: z.string().min(1).default("Dockside") },
  RETAILER_NAME: {
    about: "Name of the retail customer on the Labels page.",
    schema: z.string().min(1).default("Home Improvement"),
  },
  EDI_PARTNER_URL: {
    about:
      "Address of the EDI partner on the landing page; empty hides the panel. Default: an example with the simulated Intuit, else none.",
    schema: urlOrNone.optional(),
    takesEmpty: true,
  },
  ADD_IN_LINK: { about: "false hides the Excel Add-In link.", schema: flag.default(true) },
  GROUP_APP: {
    about: "E-mails that join group app (Invoices) at first sign-in; * for everyone.",
    schema: list.optional(),
  },
  GROUP_BRAINCHILD: {
    about: "E-mails that join group brainchild (Labels) at first sign-in; * for everyone.",
    schema: list.optional(),
  },
  GROUP_ADMIN: { about: "E-mails that join group admin (Admin) at first sign-in.", schema: list.optional() },
  INTUIT_CLIENT_ID: {
    about: "Client id of your app at Intuit; without it the simulated Intuit is used.",
    schema: z.string().min(1).optional(),
  },
  INTUIT_CLIENT_SECRET: {
    about: "Client secret of your app at Intuit.",
    schema: z.string().min(1).optional(),
  },
  INTUIT_ENVIRONMENT: {
    about: "sandbox or production, with INTUIT_CLIENT_ID.",
    schema: z.enum(["sandbox", "production"]).default("sandbox"),
  },
  INTUIT_READ_TIMEOUT_MS: {
    about: "Milliseconds after which a call to Intuit that only reads is given up.",
    schema: integer(100, 125_000).default(30_000),
  },
  INTUIT_WRITE_TIMEOUT_MS: {
    about:
      "The same of a call that writes. Intuit itself gives up after 120 seconds: less leaves more in doubt.",
    schema: integer(100, 125_000).default(125_000),
  },
  WRITE_FIRST_LOOK_MS: {
    about: "How soon an invoice whose answer was lost is first searched in QuickBooks.",
    schema: integer(0, 600_000).default(WRITE_POLICY.firstLookMs),
  },
  WRITE_VENDOR_LIMIT_MS: {
    about: "How long QuickBooks may still work on a call that it has not answered; not below its own 120 s.",
    schema: integer(0, 3_600_000).default(WRITE_POLICY.vendorLimitMs),
  },
  WRITE_INDEX_LAG_MS: {
    about: "How long a search in QuickBooks may not show what was just written.",
    schema: integer(0, 3_600_000).default(WRITE_POLICY.indexLagMs),
  },
  WRITE_OUTAGE_MS: {
    about: "How long work waits while QuickBooks answers nothing.",
    schema: integer(0, 3_600_000).default(WRITE_POLICY.outageMs),
  },
  SIM_INTUIT_PORT: { about: "Port of the simulated Intuit.", schema: port.default(3001) },
} as const satisfies Record<string, Variable>;

/** A variable that is there and empty counts as absent, except where its emptiness says something. */
export type Variable = { about: string; schema: z.ZodType; takesEmpty?: true };

export type Variables = { [Name in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[Name]["schema"]> };
