import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import * as z from "zod";

/** Who may call what is about one company's invoices: its members in group app. Every call names the company. */
export const memberAccess = { kind: "member", group: "app" } as const;
export const realmQuery = z.object({ realm_id: lineText().min(1) });
/** What the calls of a company's members have in common. */
export const memberCall = { access: memberAccess, query: realmQuery };

/** What a company may use beside uploading invoices. */
export const SERVICES = ["tracking"] as const;
export type Service = (typeof SERVICES)[number];

export const LOOKBACK_DAYS = { default: 30, min: 1, max: 90 } as const;

export const companySettings = z.object({
  contact_email: z.string(),
  ups_account: z.string(),
  attach_pods: z.enum(["true", "false"]),
  invoice_lookback: z.int().min(LOOKBACK_DAYS.min).max(LOOKBACK_DAYS.max),
});

/** `reconnect_needed`: Intuit no longer accepts our authorization; uploads wait. */
const connectionState = z.enum(["connected", "reconnect_needed"]);

/** A company as Settings knows it; members other than its admin see neither users nor settings. */
export const company = z.object({
  id: z.string(),
  name: z.string(),
  admin: z.string().nullable(),
  /** Those that are active. */
  services: z.array(z.enum(SERVICES)),
  connection: connectionState,
  /** When Intuit ends the connection for good, in the last 30 days before. */
  reconnect_by: z.iso.datetime().optional(),
  /** Those of them that a subscription pays for. */
  paid_services: z.array(z.enum(SERVICES)).optional(),
  /** Until when a service stays on though its renewal was not paid; absent while nothing is owed. */
  unpaid_until: z.iso.datetime().optional(),
  authorized_users: z.array(z.string()).optional(),
  /** Those of them who have not signed in since they were added. */
  invited_users: z.array(z.string()).optional(),
  settings: companySettings.optional(),
});

export type CompanyView = z.output<typeof company>;

export const listCompanies = endpoint({
  method: "GET",
  path: "/api/v1/company",
  summary: "The user's companies",
  access: { kind: "user" },
  response: z.object({ companies: z.array(company) }),
});

/** What the calls of a company's admin have in common. */
export const adminCall = { access: { kind: "member", admin: true }, query: realmQuery } as const;
const userQuery = realmQuery.extend({ email: lineText().min(1).max(254) });

/** The UPS account is not among them: connecting it proves it. */
export const settingsChange = companySettings
  .omit({ ups_account: true })
  .extend({ contact_email: lineText().max(254) })
  .partial()
  .strict();
export type SettingsChange = z.output<typeof settingsChange>;

export const changeSettings = endpoint({
  ...adminCall,
  method: "PUT",
  path: "/api/v1/company",
  summary: "Changes settings of a company: those that are sent, and no other",
  body: settingsChange,
  response: company,
});

export const addUser = endpoint({
  ...adminCall,
  method: "POST",
  path: "/api/v1/company/user",
  summary: "Lets whoever signs in with an e-mail work in a company",
  /** `undo`: of a removal that this brings back; whoever was removed is a user again, and gets no mail. */
  query: userQuery.extend({ undo: lineText().min(1).max(4000).optional() }),
  response: company,
});

export const removeUser = endpoint({
  ...adminCall,
  method: "DELETE",
  path: "/api/v1/company/user",
  summary: "Ends the access of a user to a company, from their next request on",
  query: userQuery,
  /** `undo` brings back who was removed, for a minute, when it is sent with the call that adds them. */
  response: company.extend({ undo: z.string() }),
});

export const handOver = endpoint({
  ...adminCall,
  method: "POST",
  path: "/api/v1/company/admin",
  summary: "Makes another user of a company its admin",
  query: userQuery,
  response: company,
});

export const changeService = endpoint({
  method: "PUT",
  path: "/api/v1/admin/service",
  summary:
    "Grants a service to a company without payment, or ends what was granted, with a reason; for those who run the product",
  access: { kind: "user", group: "admin" },
  body: z.strictObject({
    realm_id: lineText().min(1),
    service: z.enum(SERVICES),
    state: z.enum(["active", "ended"]),
    /** The last moment of an active one; without it there is none. */
    until: z.iso.datetime().nullable().default(null),
    reason: lineText().trim().min(1).max(500),
  }),
  response: z.object({}),
});
export type ServiceChange = z.output<typeof changeService.body>;

export const readRefusal = endpoint({
  method: "GET",
  path: "/api/v1/company/refusal",
  summary: "Why the user who just connected a company was refused; for that user only",
  access: { kind: "user" },
  query: z.object({ refusal: lineText().min(1).max(2000) }),
  response: z.object({ company: z.string(), admin: z.string().nullable() }),
});

export const readConnection = endpoint({
  method: "GET",
  path: "/api/v1/company/connection",
  summary: "Asks Intuit whether it still honors the connection of a company",
  access: { kind: "member" },
  query: realmQuery,
  /** `unknown` while Intuit does not answer. */
  response: z.object({ connection: z.enum([...connectionState.options, "unknown"]) }),
});

export const disconnectCompany = endpoint({
  method: "POST",
  path: "/api/v1/company/disconnect",
  summary: "Ends our access to a company's books; its history here and its books stay",
  access: { kind: "member", admin: true },
  query: realmQuery,
  /** What becomes of its subscriptions: by default they end when what is paid is used up. */
  body: z.object({ subscriptions: z.enum(["end", "keep"]) }).nullish(),
  response: z.object({
    disconnected_at: z.iso.datetime(),
    /** Uploads that are not finished; they go on when the company is connected again. */
    waiting_uploads: z.int().min(0),
  }),
});

export const switchCompany = endpoint({
  method: "POST",
  path: "/api/v1/user/company",
  summary: "Makes a company the session's default, for calls that name none",
  access: { kind: "member" },
  query: realmQuery,
  response: z.object({}),
});

/** An entry of the change stream: something of this kind changed in this company; read it again. */
export const change = z.object({ realm_id: z.string(), kind: z.enum(["invoices", "companies"]) });
export type Change = z.output<typeof change>;

export const followChanges = endpoint({
  method: "GET",
  path: "/api/v1/changes",
  summary: "A stream of server-sent events named change, for the companies of the user",
  access: { kind: "user" },
  response: { mediaType: "text/event-stream" },
});
