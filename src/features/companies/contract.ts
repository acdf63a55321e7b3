import { endpoint } from "#contract/endpoint.ts";
import { filledText, lineText } from "#contract/text.ts";
import * as z from "zod";

/** Access for members of a company in group app. Every call names the company. */
export const memberAccess = { kind: "member", group: "app" } as const;
export const realmQuery = z.object({ realm_id: lineText().min(1) });
/** Common part of calls by a company's members. */
export const memberCall = { access: memberAccess, query: realmQuery };

/** Services of a company besides uploading invoices. */
export const SERVICES = ["tracking"] as const;
export type Service = (typeof SERVICES)[number];

export const LOOKBACK_DAYS = { default: 30, min: 1, max: 90 } as const;

/** `reconnect_needed`: UPS no longer accepts our authorization for the account. */
export const UPS_STATES = ["none", "connected", "reconnect_needed"] as const;
export type UpsState = (typeof UPS_STATES)[number];

const flag = z.enum(["true", "false"]);

export const companySettings = z.object({
  contact_email: z.string(),
  ups_account: z.string(),
  ups_state: z.enum(UPS_STATES),
  /** Whether proofs of delivery are attached to invoices. */
  attach_pods: flag,
  /** Whether attached proofs go along when QuickBooks mails the invoice. */
  pods_on_send: flag,
  /** Whether an invoice gets one file for all of its packages. */
  pods_together: flag,
  /** Whether the price of a UPS label made here is put on its invoice as the shipping amount. */
  freight_on_invoices: flag,
  invoice_lookback: z.int().min(LOOKBACK_DAYS.min).max(LOOKBACK_DAYS.max),
});

/** `reconnect_needed`: Intuit no longer accepts our authorization; uploads wait. */
const connectionState = z.enum(["connected", "reconnect_needed"]);

/** A company in Settings; only its admin sees users and settings. */
export const company = z.object({
  id: z.string(),
  name: z.string(),
  admin: z.string().nullable(),
  /** Active services. */
  services: z.array(z.enum(SERVICES)),
  connection: connectionState,
  /** Time when Intuit ends the connection; present in the last 30 days before. */
  reconnect_by: z.iso.datetime().optional(),
  /** Active services paid by a subscription. */
  paid_services: z.array(z.enum(SERVICES)).optional(),
  /** Time until which an unpaid service stays on; absent if everything is paid. */
  unpaid_until: z.iso.datetime().optional(),
  authorized_users: z.array(z.string()).optional(),
  /** Invited users who have not accepted yet. */
  invited_users: z.array(z.string()).optional(),
  settings: companySettings.optional(),
  /** Who connected the UPS account, and when: `by` is null for a former user. `used_at` is up to ten minutes behind. */
  ups_connection: z
    .object({ by: z.string().nullable(), at: z.iso.datetime(), used_at: z.iso.datetime() })
    .optional(),
});

export type CompanyView = z.output<typeof company>;

export const listCompanies = endpoint({
  method: "GET",
  path: "/api/v1/company",
  summary: "Lists the user's companies",
  access: { kind: "user" },
  response: z.object({ companies: z.array(company) }),
});

/** Common part of calls by a company's admin. */
export const adminCall = { access: { kind: "member", admin: true }, query: realmQuery } as const;
const userQuery = realmQuery.extend({ email: lineText().min(1).max(254) });

/** Excludes the UPS account, which is set by connecting it. */
export const settingsChange = companySettings
  .omit({ ups_account: true, ups_state: true })
  .extend({ contact_email: lineText().max(254) })
  .partial()
  .strict();
export type SettingsChange = z.output<typeof settingsChange>;

export const changeSettings = endpoint({
  ...adminCall,
  method: "PUT",
  path: "/api/v1/company",
  summary: "Changes only the settings of a company that are sent",
  body: settingsChange,
  response: company,
});

export const addUser = endpoint({
  ...adminCall,
  method: "POST",
  path: "/api/v1/company/user",
  summary: "Invites a user to a company by email; they join when they accept",
  /** `undo`: token of a removal to undo; the user is restored and gets no mail. */
  query: userQuery.extend({ undo: lineText().min(1).max(4000).optional() }),
  /** `mailed`: false if no mail goes to them, for example because they got one within the last 24 hours. */
  response: company.extend({ mailed: z.boolean() }),
});

export const removeUser = endpoint({
  ...adminCall,
  method: "DELETE",
  path: "/api/v1/company/user",
  summary: "Removes a user from a company, effective with their next request",
  query: userQuery,
  /** `undo` restores the user within a minute if sent with the call that adds them. */
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

/** An open invitation; `by` and `admin` are e-mails. */
export const invitation = z.object({
  id: z.uuid(),
  company: z.string(),
  email: z.string(),
  by: z.string().nullable(),
  admin: z.string().nullable(),
  invited_at: z.iso.datetime(),
});
export type InvitationView = z.output<typeof invitation>;
/** The id is in the mail and works only for its recipient. */
const invitationQuery = z.object({ invitation: z.uuid() });

export const listInvitations = endpoint({
  method: "GET",
  path: "/api/v1/invitations",
  summary: "Lists the open invitations for the email the user signed in with",
  access: { kind: "user" },
  response: z.object({ invitations: z.array(invitation) }),
});

export const readInvitation = endpoint({
  method: "GET",
  path: "/api/v1/invitation",
  summary: "Reads an open invitation, for anyone with its link",
  access: { kind: "public" },
  query: invitationQuery,
  response: invitation,
});

export const acceptInvitation = endpoint({
  method: "POST",
  path: "/api/v1/invitation/accept",
  summary: "Makes the invited user a member of the company; only for the user with the invited email",
  access: { kind: "user" },
  query: invitationQuery,
  response: z.object({ realm_id: z.string() }),
});

export const declineInvitation = endpoint({
  method: "POST",
  path: "/api/v1/invitation/decline",
  summary: "Declines an invitation, for anyone with its link",
  access: { kind: "public" },
  gate: { of: "guests", maxBytes: 1_000 },
  query: invitationQuery,
  response: z.object({}),
});

export const leaveCompany = endpoint({
  method: "POST",
  path: "/api/v1/company/leave",
  summary: "Ends the user's own membership of a company",
  access: { kind: "member" },
  query: realmQuery,
  response: z.object({}),
});

export const changeService = endpoint({
  method: "PUT",
  path: "/api/v1/admin/service",
  summary: "Grants a service to a company without payment, or ends a grant, with a reason; for operators",
  access: { kind: "user", group: "admin" },
  body: z.strictObject({
    realm_id: lineText().min(1),
    service: z.enum(SERVICES),
    state: z.enum(["active", "ended"]),
    /** End of an active service; null for no end. */
    until: z.iso.datetime().nullable().default(null),
    reason: filledText(500),
  }),
  response: z.object({}),
});
export type ServiceChange = z.output<typeof changeService.body>;

export const readRefusal = endpoint({
  method: "GET",
  path: "/api/v1/company/refusal",
  summary: "Returns why connecting a company was refused; only for the user who tried",
  access: { kind: "user" },
  query: z.object({ refusal: lineText().min(1).max(2000) }),
  response: z.object({ company: z.string(), admin: z.string().nullable() }),
});

export const readConnection = endpoint({
  method: "GET",
  path: "/api/v1/company/connection",
  summary: "Checks with Intuit whether a company's connection still works",
  access: { kind: "member" },
  query: realmQuery,
  /** `unknown` while Intuit does not answer. */
  response: z.object({ connection: z.enum([...connectionState.options, "unknown"]) }),
});

export const disconnectCompany = endpoint({
  method: "POST",
  path: "/api/v1/company/disconnect",
  summary: "Disconnects a company from QuickBooks; its history here and its books stay",
  access: { kind: "member", admin: true },
  query: realmQuery,
  /** Subscriptions end with the paid period by default. */
  body: z.object({ subscriptions: z.enum(["end", "keep"]) }).nullish(),
  response: z.object({
    disconnected_at: z.iso.datetime(),
    /** Unfinished uploads; they continue after reconnecting. */
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

export const CHANGE_KINDS = ["invoices", "companies", "tracking", "orders"] as const;

/** An event of the change stream: data of this kind changed in this company and should be refetched. */
export const change = z.object({
  realm_id: z.string(),
  kind: z.enum(CHANGE_KINDS),
});
export type Change = z.output<typeof change>;

export const followChanges = endpoint({
  method: "GET",
  path: "/api/v1/changes",
  summary: "Streams server-sent events named change for the user's companies",
  access: { kind: "user" },
  response: { mediaType: "text/event-stream" },
});

export const resetDemo = endpoint({
  method: "POST",
  path: "/api/v1/demo/reset",
  summary: "Resets the demo and its simulated services; only where they run",
  access: { kind: "user", group: "app" },
  response: z.object({}),
});
