import { endpoint } from "#contract/endpoint.ts";
import { lineText } from "#contract/text.ts";
import * as z from "zod";

/** Who may call what is about one company's invoices: its members in group app. Every call names the company. */
export const memberAccess = { kind: "member", group: "app" } as const;
export const realmQuery = z.object({ realm_id: lineText().min(1) });
/** What the calls of a company's members have in common. */
export const memberCall = { access: memberAccess, query: realmQuery };

export const LOOKBACK_DAYS = { default: 30, min: 1, max: 90 } as const;

export const companySettings = z.object({
  contact_email: z.string(),
  ups_account: z.string(),
  attach_pods: z.enum(["true", "false"]),
  invoice_lookback: z.int().min(LOOKBACK_DAYS.min).max(LOOKBACK_DAYS.max),
});

/** A company as Settings knows it; members other than its admin see neither users nor settings. */
export const company = z.object({
  id: z.string(),
  name: z.string(),
  admin: z.string().nullable(),
  services: z.array(z.string()),
  /** `reconnect_needed`: Intuit no longer accepts our authorisation; uploads wait. */
  connection: z.enum(["connected", "reconnect_needed"]),
  authorized_users: z.array(z.string()).optional(),
  settings: companySettings.optional(),
});

export const listCompanies = endpoint({
  method: "GET",
  path: "/api/v1/company",
  summary: "The user's companies",
  access: { kind: "user" },
  response: z.object({ companies: z.array(company) }),
});

export const readRefusal = endpoint({
  method: "GET",
  path: "/api/v1/company/refusal",
  summary: "Why the user who just connected a company was refused; for that user only",
  access: { kind: "user" },
  query: z.object({ refusal: lineText().min(1).max(2000) }),
  response: z.object({ company: z.string(), admin: z.string().nullable() }),
});

export const disconnectCompany = endpoint({
  method: "POST",
  path: "/api/v1/company/disconnect",
  summary: "Ends our access to a company's books; its history here and its books stay",
  access: { kind: "member", admin: true },
  query: realmQuery,
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
export const change = z.object({ realm_id: z.string(), kind: z.enum(["invoices"]) });
export type Change = z.output<typeof change>;

export const followChanges = endpoint({
  method: "GET",
  path: "/api/v1/changes",
  summary: "A stream of server-sent events named change, for the companies of the user",
  access: { kind: "user" },
  response: { mediaType: "text/event-stream" },
});
