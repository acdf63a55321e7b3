import type { ReceivedDocument } from "#web/kit/api-client.ts";
import { documentUrl } from "#web/kit/save-document.ts";
import { kitWords } from "#web/kit/words.ts";

const FRAME = "print-frame";

/**
 * Prints a PDF from the document itself, so that bar codes keep their size: the browser's viewer prints it at 100 %.
 * A browser without a viewer of its own gets it in a new tab.
 * @throws Error with words for the reader when the browser does not let the tab open
 */
export async function printDocument(fetchDocument: () => Promise<ReceivedDocument>): Promise<void> {
  if (navigator.pdfViewerEnabled) return printFrame(documentUrl(await fetchDocument()));
  // Opened before the document is here: later the browser no longer takes it for something the user asked for.
  const tab = window.open("", "_blank");
  if (!tab) throw new Error(kitWords.tabRefused);
  try {
    tab.location.href = documentUrl(await fetchDocument());
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** A frame out of sight: one that is not displayed at all would not start the viewer. */
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
