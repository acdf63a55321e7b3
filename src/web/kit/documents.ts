import type { ReceivedDocument } from "#web/kit/api-client.ts";
import { kitWords } from "#web/kit/words.ts";

/** Saves a received document under the server's name for it, else under `fallbackName`. */
export function saveDocument(received: ReceivedDocument, fallbackName: string) {
  const link = document.createElement("a");
  link.href = documentUrl(received);
  link.download = received.filename ?? fallbackName;
  link.click();
}

/** Address of a received document, valid for a minute: by then the browser has read the bytes. */
function documentUrl({ blob }: ReceivedDocument): string {
  const url = URL.createObjectURL(blob);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return url;
}

const FRAME = "print-frame";

/**
 * Prints a PDF from the document itself, so that bar codes keep their size: the browser's viewer prints it at 100 %.
 * A browser without a PDF viewer gets it in a new tab.
 * @throws Error with text for the user when the browser blocks the tab
 */
export async function printDocument(fetchDocument: () => Promise<ReceivedDocument>): Promise<void> {
  if (navigator.pdfViewerEnabled) return printFrame(documentUrl(await fetchDocument()));
  // Opened before the document arrives: later the browser would block it as a pop-up.
  const tab = window.open("", "_blank");
  if (!tab) throw new Error(kitWords.tabRefused);
  try {
    tab.location.href = documentUrl(await fetchDocument());
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** Prints from a frame out of sight; a frame that is not displayed would not start the viewer. */
async function printFrame(address: string): Promise<void> {
  document.getElementById(FRAME)?.remove();
  const frame = document.createElement("iframe");
  frame.id = FRAME;
  frame.title = kitWords.print;
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  frame.style.cssText = "position:fixed;right:0;bottom:0;width:1px;height:1px;border:0;opacity:0";
  frame.src = address;
  await new Promise((resolve) => {
    frame.addEventListener("load", resolve, { once: true });
    document.body.append(frame);
  });
  frame.contentWindow?.focus();
  frame.contentWindow?.print();
}
