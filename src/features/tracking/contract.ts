import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import { memberAccess, memberCall, realmQuery } from "#features/companies/contract.ts";
import { dueHours, PACKAGE_STATES, placed, scan } from "#features/packages/contract.ts";
import * as z from "zod";

/** Tracking data stays readable after the service ends. */
const PATH = "/api/v1/tracking";

export const PDF = "application/pdf";

/**
 * `waiting`: delivered, and UPS has no proof yet. `carrier`: UPS's own facts. `activity`: made from the activities, because
 * UPS had no proof. `gone`: UPS keeps proofs for 120 days only.
 */
export const PROOF_STATES = ["none", "waiting", "carrier", "activity", "gone"] as const;
export type ProofState = (typeof PROOF_STATES)[number];

/** `without_proof`: invoices with a delivered package whose proof UPS hasn't provided yet. */
export const SHOWN = ["all", "attention", "moving", "delivered", "without_proof"] as const;
export type Shown = (typeof SHOWN)[number];

/** Zone of a local time: "PST", "UTC-8", or "local time" where UPS names no other; empty without a time. */
const zone = z.string();

export const trackedPackage = z.object({
  number: z.string(),
  state: z.enum(PACKAGE_STATES),
  /** Its problem is a delay of UPS's own, such as by weather. */
  is_delayed: z.boolean(),
  /** "UPS Ground"; empty until UPS names it. */
  service: z.string(),
  delivered: placed.extend({ zone }).nullable(),
  /** Where it was left, and who signed; empty if UPS does not say. */
  left_at: z.string(),
  received_by: z.string(),
  /** Day for which UPS promises it. */
  scheduled_on: z.iso.date().nullable(),
  due_hours: dueHours.nullable(),
  /** Last day to pick it up at an access point. */
  pickup_by: z.iso.date().nullable(),
  /** Its label was made here. UPS's website may show such a package when its API doesn't. */
  is_label: z.boolean(),
  /** Newest first. */
  activities: z.array(scan.extend({ zone })),
  /** Time of UPS's last response about it. */
  polled_at: z.iso.datetime().nullable(),
  proof: z.object({
    state: z.enum(PROOF_STATES),
    /** Time of the next request to UPS for it. */
    due_at: z.iso.datetime().nullable(),
    /** Time at which it was attached to this invoice. */
    attached_at: z.iso.datetime().nullable(),
    /** Why it isn't on the invoice, as a sentence; empty if it is, or will be. */
    problem: z.string(),
  }),
});
export type TrackedPackageView = z.output<typeof trackedPackage>;

/** An invoice of the list, with its packages counted as one row. */
export const trackedInvoice = z.object({
  id: z.string(),
  number: z.string(),
  customer: z.string(),
  /** The most urgent state of its packages; `delivered` only when all are. */
  state: z.enum(PACKAGE_STATES),
  /** Its problem is a delay of UPS's own, such as by weather. */
  is_delayed: z.boolean(),
  packages: z.int(),
  delivered: z.int(),
  /** The first number. */
  tracking_number: z.string(),
  /** Time of the newest scan or, without one, of the label or the last poll. */
  at: z.iso.datetime().nullable(),
  /** Local time at the place of the newest scan: `YYYY-MM-DD` and `HH:MM:SS`, empty without a scan. */
  local_date: z.string(),
  local_time: z.string(),
  zone,
  scheduled_on: z.iso.date().nullable(),
  /** Names of other carriers, whose tracking numbers aren't followed. */
  not_followed: z.array(z.string()),
});
export type TrackedInvoiceView = z.output<typeof trackedInvoice>;

export const tracking = z.object({
  /** `off`: the company has no service. */
  state: z.enum(["on", "off"]),
  /** State of the connection to UPS; without one, nothing is tracked. */
  ups_state: z.enum(["none", "connected", "reconnect_needed"]),
  /** QuickBooks drops shipping fields if the company has turned them off. */
  shipping_fields: z.enum(["on", "off", "unknown"]),
  counts: z.object({
    watched: z.int(),
    delivered: z.int(),
    moving: z.int(),
    attention: z.int(),
    /** Invoices of `attention` whose problem is a delay of UPS's own. */
    delayed: z.int(),
    /** Delivered packages whose proof UPS hasn't provided yet. */
    without_proof: z.int(),
  }),
  /**
   * Packages of recent days, by the local day of their delivery or newest scan, newest day first. Days without packages
   * are left out.
   */
  days: z.array(
    z.object({
      day: z.iso.date(),
      delivered: z.int(),
      attention: z.int(),
      delayed: z.int(),
      without_proof: z.int(),
    }),
  ),
  /** Packages that still wait for their first poll after the service was turned on; null once done. */
  progress: z.object({ polled: z.int(), of: z.int() }).nullable(),
  checked_at: z.iso.datetime().nullable(),
  next_check_at: z.iso.datetime().nullable(),
  /** When the invoice changes that QuickBooks reported will be read, since reads are limited; null if none are pending. */
  changes_read_at: z.iso.datetime().nullable(),
  /** Time from which a check may be requested again; null if it is allowed now. */
  check_allowed_at: z.iso.datetime().nullable(),
  /** The last problem as a sentence; empty without one. */
  problem: z.string(),
  problem_at: z.iso.datetime().nullable(),
});
export type TrackingView = z.output<typeof tracking>;

export const readTracking = endpoint({
  ...memberCall,
  method: "GET",
  path: PATH,
  summary: "Returns the state of tracking for a company, and how many packages are in each state",
  response: tracking,
});

export const listTracked = endpoint({
  ...memberCall,
  access: { ...memberAccess, keys: ["read"] },
  method: "GET",
  path: `${PATH}/invoices`,
  summary:
    "Lists invoices with packages, ordered by state, most urgent first, then newest scan, 50 at a time",
  /**
   * `q`: part of a customer, an invoice number or a tracking number. `day`: of a package's delivery or newest scan.
   * `after`: the cursor of the page before.
   */
  query: realmQuery.extend({
    show: z.enum(SHOWN).default("all"),
    day: z.iso.date().optional(),
    q: lineText().max(100).default(""),
    after: lineText().max(200).optional(),
  }),
  response: z.object({ invoices: z.array(trackedInvoice), next: z.string().nullable() }),
});

const invoiceParams = z.object({ invoice_id: lineText().min(1).max(40) });

export const readTracked = endpoint({
  ...memberCall,
  access: { ...memberAccess, keys: ["read"] },
  method: "GET",
  path: `${PATH}/invoices/:invoice_id`,
  summary: "Reads an invoice with its packages, their activities, and what was written on it",
  params: invoiceParams,
  response: trackedInvoice.extend({
    /** Address of the invoice in QuickBooks. */
    url: z.url(),
    details: z.array(trackedPackage),
    /** Values that we wrote on the invoice, and when; null for those that it already had. */
    written: z.object({
      at: z.iso.datetime().nullable(),
      ship_date: z.iso.date().nullable(),
      ship_via: z.string().nullable(),
      tracking_number: z.string().nullable(),
      /** "$18.50": the shipping amount; null without one of ours. */
      freight: z.string().nullable(),
      /** Why the price of a label made here isn't the shipping amount, as a sentence; empty if nothing is wrong. */
      freight_problem: z.string(),
      /** Why nothing could be written, as a sentence. */
      problem: z.string(),
    }),
  }),
});
export type TrackedDetailsView = z.output<(typeof readTracked)["response"]>;

/** Sends the proof of delivery of a package as PDF; 404 while there is none. */
export const readProof = endpoint({
  ...memberCall,
  access: { ...memberAccess, keys: ["read"] },
  method: "GET",
  path: `${PATH}/packages/:number/proof`,
  summary: "Downloads the proof of delivery of a package as PDF",
  params: z.object({ number: lineText().min(1).max(40) }),
  response: { mediaType: PDF },
});

/** Sends one PDF with the invoice, order, label, notice, scans and proof, as far as they are stored. */
export const readPack = endpoint({
  ...memberCall,
  method: "GET",
  path: `${PATH}/invoices/:invoice_id/pack`,
  summary: "Downloads one PDF with everything about an invoice's delivery",
  params: invoiceParams,
  cost: "heavy",
  response: { mediaType: PDF },
});

export const checkNow = endpoint({
  ...memberCall,
  method: "POST",
  path: `${PATH}/check`,
  summary: "Asks UPS about the company's open packages now, at most once a minute",
  status: 202,
  response: z.object({}),
});
