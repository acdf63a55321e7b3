import type { ReceivedDocument } from "#web/kit/api-client.ts";
import { kitWords } from "#web/kit/words.ts";

/** Saves a received document under the server's name, else under `fallbackName`. */
export function saveDocument(received: ReceivedDocument, fallbackName: string) {
  const link = document.createElement("a");
  link.href = documentUrl(received);
  link.download = received.filename ?? fallbackName;
  link.click();
}

/** Creates an address for a received document, valid for a minute, by which time the browser has read it. */
function documentUrl({ blob }: ReceivedDocument): string {
  const url = URL.createObjectURL(blob);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return url;
}

const FRAME = "print-frame";

/**
 * Prints a PDF from the document itself, so that barcodes keep their size: the browser's viewer prints it at
 * 100%. A browser without a PDF viewer gets it in a new tab.
 * @throws Error with text for the user if the browser blocks the tab
 */
export async function printDocument(fetchDocument: () => Promise<ReceivedDocument>): Promise<void> {
  if (!navigator.pdfViewerEnabled) return openDocument(fetchDocument);
  const received = await fetchDocument();
  if (!isShown(received)) return saveDocument(received, kitWords.print);
  return printFrame(documentUrl(received));
}

/** Browsers neither show nor print other documents, such as commands for a thermal printer: those are saved. */
const isShown = ({ blob }: ReceivedDocument) => blob.type.startsWith("application/pdf");

/**
 * Shows a document in a new tab.
 * @throws Error with text for the user if the browser blocks the tab
 */
export async function openDocument(fetchDocument: () => Promise<ReceivedDocument>): Promise<void> {
  // Opened before the document arrives: later the browser would block it as a pop-up.
  const tab = window.open("", "_blank");
  if (!tab) throw new Error(kitWords.tabRefused);
  try {
    const received = await fetchDocument();
    if (isShown(received)) tab.location.href = documentUrl(received);
    else {
      tab.close();
      saveDocument(received, kitWords.print);
    }
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** Prints from an off-screen frame; a frame with `display: none` would not start the viewer. */
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
