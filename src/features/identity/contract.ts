import { endpoint, GROUPS } from "#contract/endpoint.ts";
import * as z from "zod";

/** A company as the session knows it. `admin` is the admin's e-mail, null when none is set. */
export const sessionCompany = z.object({ id: z.string(), name: z.string(), admin: z.string().nullable() });
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

/** What a page knows of its user: of the companies only the one it starts with, and how many there are. */
export type PageUser = UserData & { company_count: number };

export const getUser = endpoint({
  method: "GET",
  path: "/api/v1/user",
  summary: "The signed-in user with the companies they may work in",
  access: { kind: "user" },
  response: userData,
});
