import { endpoint } from "#contract/endpoint.ts";
import { filledText, lineText, multilineText } from "#contract/text.ts";
import { adminCall } from "#features/companies/contract.ts";
import * as z from "zod";

const host = lineText()
  .trim()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9.:-]*$/, "must be the name of a server");
const port = z.int().min(1).max(65_535).default(22);
/** A path at the company's own server; "." and ".." aren't allowed in it. */
const path = lineText()
  .trim()
  .min(1)
  .max(200)
  .regex(/^(?!.*(?:^|\/)\.\.?(?:\/|$))/, "must not have the parts . or ..");

const folder = z.object({
  kind: z.enum(["sftp", "local"]),
  host: z.string(),
  port: z.int(),
  user: z.string(),
  auth: z.enum(["password", "key", ""]),
  /** Fingerprint of the server's key, as OpenSSH writes it: "SHA256:…". */
  host_key: z.string(),
  folder_in: z.string(),
  folder_out: z.string(),
  /** `failing`: tried again by itself. `stopped`: not asked until it is saved again. */
  state: z.enum(["active", "failing", "stopped"]),
  /** Why it fails; empty while it works. */
  problem: z.string(),
  polled_at: z.iso.datetime().nullable(),
});
export type OrderFolder = z.output<typeof folder>;

export const readFolder = endpoint({
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/order-folder",
  summary: "Returns a company's order folder, and whether fetching from it works",
  /** `can_be_local`: the operator offers folders of its own machine. */
  response: z.object({ folder: folder.nullable(), can_be_local: z.boolean() }),
});

export const readServerKey = endpoint({
  ...adminCall,
  cost: "heavy",
  method: "POST",
  path: "/api/v1/company/order-folder/host-key",
  readsOnly: true,
  summary: "Returns the fingerprint of an SFTP server's key, for the admin to compare before saving",
  body: z.strictObject({ host, port }),
  response: z.object({ host_key: z.string() }),
});

/** An account without a secret keeps the one that is stored, if server, user and `auth` are the same. */
export const sftpFolder = z.strictObject({
  kind: z.literal("sftp"),
  host,
  port,
  user: filledText(100),
  /** How to sign in; by default the secret's way, or the stored one. */
  auth: z.enum(["password", "key"]).optional(),
  password: lineText().min(1).max(200).optional(),
  private_key: multilineText().min(1).max(20_000).optional(),
  host_key: lineText().regex(/^SHA256:[A-Za-z0-9+/]{43}$/, "must be a fingerprint, SHA256:…"),
  folder_in: path.default("in"),
  folder_out: path.default("out"),
});
export type SftpInput = z.output<typeof sftpFolder>;

export const saveFolder = endpoint({
  ...adminCall,
  cost: "heavy",
  method: "PUT",
  path: "/api/v1/company/order-folder",
  summary: "Checks and saves a company's order folder, and starts fetching orders",
  body: z.union([sftpFolder, z.strictObject({ kind: z.literal("local") })]),
  response: z.object({ folder }),
});

export const removeFolder = endpoint({
  ...adminCall,
  method: "DELETE",
  path: "/api/v1/company/order-folder",
  summary: "Stops fetching a company's orders and removes the account; repeating it is harmless",
  response: z.object({}),
});
