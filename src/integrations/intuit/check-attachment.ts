import { createHash } from "node:crypto";
import { HostNotAllowed, type OutboundFetch } from "#platform/outbound/allowed-hosts.ts";

/** `unread`: the stored file could not be read, which says nothing about it. */
export type FileCheck = "same" | "different" | "unread";

const TIMEOUT_MS = 60_000;

/**
 * Compares a stored file with the one that was sent, by its size and SHA-256. The address is Intuit's text, so it is only
 * followed to hosts that are allowed, without a token, without redirects, and for no more bytes than were sent.
 */
export async function checkAttachment(
  fetch: OutboundFetch,
  uri: string | undefined,
  sent: { size: number; sha256: Uint8Array },
): Promise<FileCheck> {
  if (uri === undefined || !URL.canParse(uri)) return "unread";
  try {
    const response = await fetch(uri, { timeoutMs: TIMEOUT_MS });
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel();
      return "unread";
    }
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      if (size > sent.size) return "different";
      hash.update(chunk);
    }
    return size === sent.size && hash.digest().equals(sent.sha256) ? "same" : "different";
  } catch (error) {
    if (error instanceof HostNotAllowed || error instanceof TypeError || error instanceof DOMException)
      return "unread";
    throw error;
  }
}
