import { endpoint } from "#contract/endpoint.ts";
import { filledText, lineText, multilineText } from "#contract/text.ts";
import * as z from "zod";

export const CONTACT_TOPICS = ["upload", "tracking", "labels", "billing", "other"] as const;

/** Maximum lengths of a message's texts, in characters. */
export const CONTACT_LIMITS = { name: 100, email: 200, message: 5_000, supportId: 100 } as const;

/** Largest message: every field at its limit, and every character escaped to six bytes in JSON. */
const MAX_MESSAGE_BYTES = 40_000;

export const contactMessage = z.object({
  name: filledText(CONTACT_LIMITS.name),
  email: lineText()
    .trim()
    .min(1)
    .max(CONTACT_LIMITS.email)
    .regex(/^[^\s@]+@[^\s@]+$/, "must be an email address"),
  topic: z.enum(CONTACT_TOPICS),
  message: multilineText().trim().min(1).max(CONTACT_LIMITS.message),
  support_id: lineText().trim().max(CONTACT_LIMITS.supportId).default(""),
});
export type ContactMessage = z.output<typeof contactMessage>;

export const sendMessage = endpoint({
  method: "POST",
  path: "/api/v1/contact",
  summary: "Sends a message to the operators",
  access: { kind: "public" },
  gate: { of: "guests", maxBytes: MAX_MESSAGE_BYTES },
  body: contactMessage,
  response: z.object({}),
});
