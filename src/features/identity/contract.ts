import { endpoint, GROUPS } from "#contract/endpoint.ts";
import * as z from "zod";

/** A company in the session. `admin` is the admin's e-mail; null if none is set. */
export const sessionCompany = z.object({
  id: z.string(),
  name: z.string(),
  admin: z.string().nullable(),
  /** IANA name: the company's pages show times in it. */
  time_zone: z.string(),
  /** Present while its Tracking Service is on. */
  tracking: z.literal(true).optional(),
});
export type SessionCompany = z.output<typeof sessionCompany>;

export const userData = z.object({
  first_name: z.string(),
  last_name: z.string(),
  username: z.string(),
  email: z.string(),
  groups: z.array(z.enum(GROUPS)),
  companies: z.array(sessionCompany),
});
export type UserData = z.output<typeof userData>;

/**
 * User data embedded in a page: only the company it starts with, whether it is the first of their list, and the number
 * of companies.
 */
export type PageUser = UserData & { company_count: number; company_is_first: boolean };

export const device = z.object({
  id: z.string(),
  /** "Firefox on Windows"; empty if unknown. */
  name: z.string(),
  signed_in_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  /** The device that sent the request. */
  is_this: z.boolean(),
});
export type Device = z.output<typeof device>;

export const listDevices = endpoint({
  method: "GET",
  path: "/api/v1/user/devices",
  summary: "Lists the devices the user is signed in on",
  access: { kind: "user" },
  response: z.object({ devices: z.array(device) }),
});

export const signOutDevices = endpoint({
  method: "DELETE",
  path: "/api/v1/user/devices",
  summary: "Signs the user out on one device, or on all others",
  access: { kind: "user" },
  query: z.object({
    id: z.union([z.literal("others"), z.string().regex(/^[0-9a-f]{64}$/, "must be the id of a device")]),
  }),
  response: z.object({ signed_out: z.int().min(0) }),
});

export const getUser = endpoint({
  method: "GET",
  path: "/api/v1/user",
  summary: "Returns the signed-in user with the companies they can work in",
  access: { kind: "user" },
  response: userData,
});
