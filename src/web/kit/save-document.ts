import type { ReceivedDocument } from "#web/kit/api-client.ts";

/** Saves a received document under the server's name for it, else under `fallbackName`. */
export function saveDocument({ blob, filename }: ReceivedDocument, fallbackName: string) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = filename ?? fallbackName;
  link.click();
  // The download has its own hold on the bytes once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
