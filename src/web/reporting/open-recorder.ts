import { boot } from "#web/kit/boot.ts";
import { sendRecording } from "#web/kit/send-recording.ts";
import type { ReportedUser } from "#web/kit/reporter.ts";
import { createEventWindow, type RecordedEvent, WINDOW_EVENTS } from "#web/reporting/event-window.ts";
import { BLOCKED, hideContents, hideText } from "#web/reporting/hide-contents.ts";
import { isRefusalToPage } from "#web/reporting/rules-recorder.ts";
import { record } from "rrweb";

/** Uploads of one page: a page that fails again and again tells no more. */
const UPLOADS = 3;

export type Recorder = {
  /** Names the user from now on; null after their session. */
  identify(user: ReportedUser | null): void;
  /** Joins the recording to an error report. */
  upload(report: { id: string; user: ReportedUser | null }): Promise<void>;
};

/**
 * Records the page in memory, without what it says: texts become x, and inputs, attributes, frames and
 * pictures are left out. Nothing leaves the page until an error is reported.
 * @param onFailure called with failures of the recorder itself
 */
export function openRecorder(onFailure: (error: unknown) => void): Recorder {
  const events = createEventWindow();
  let uploads = 0;
  record({
    emit: (event) => events.add(hideContents(event as RecordedEvent)),
    // The window holds at least one complete picture of the page, from which a replay starts.
    checkoutEveryNth: WINDOW_EVENTS / 2,
    maskAllInputs: true,
    maskTextSelector: "*",
    maskTextFn: hideText,
    blockSelector: BLOCKED.join(", "),
    slimDOMOptions: "all",
    sampling: { mousemove: false, scroll: 500, input: "last" },
    errorHandler: (error) => {
      // Thrown on, to the page's own call.
      if (isRefusalToPage(error)) return false;
      onFailure(error);
      // Handled: it must not fail the page.
      return true;
    },
  });
  return {
    // An upload names its user.
    identify: () => undefined,
    async upload({ id, user }) {
      const taken = uploads < UPLOADS ? events.take() : [];
      if (taken.length === 0) return;
      uploads += 1;
      // Later events need a new picture of the page to start from.
      record.takeFullSnapshot(true);
      await sendRecording({ id, user, page: window.location.pathname, release: boot.release, events: taken });
    },
  };
}
