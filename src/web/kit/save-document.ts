import type { ReceivedDocument } from "#web/kit/api-client.ts";

/** Saves a received document under the server's name for it, else under `fallbackName`. */
export function saveDocument(received: ReceivedDocument, fallbackName: string) {
  const link = document.createElement("a");
  link.href = documentUrl(received);
  link.download = received.filename ?? fallbackName;
  link.click();
}

/** An address of a received document, for a minute: by then whoever shows or saves it has read the bytes. */
export function documentUrl({ blob }: ReceivedDocument): string {
  const url = URL.createObjectURL(blob);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return url;
}
