import { randomBytes, randomUUID } from "node:crypto";

/** The only source of randomness for records, cookies and vendors. */
export type Ids = {
  uuid(): string;
  /** Returns an unguessable text of 256 bits, base64url, for cookies and OAuth state. */
  secret(): string;
};

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString("base64url"),
};
