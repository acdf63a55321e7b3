import type { FoundRecording } from "#features/telemetry/store-recordings.ts";
import { escapeHtml } from "#platform/escape-html.ts";

/**
 * Allows style elements, as no other page's policy does: a replay writes the recorded ones into a frame of this document,
 * which has its policy. The frame runs no script.
 */
export const PLAYER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  // No address: a forged recording would have the operator's browser call it.
  "img-src data:",
  "font-src 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Events that a replay starts from: the page's address and size, then its content. */
const MIN_EVENTS = 2;

const STYLE = `
.player { max-width: none; }
.player .stage { position: relative; overflow: hidden; margin: 16px 0; border: 1px solid var(--line); border-radius: 6px; background: #fff; }
.player .replayer-wrapper { transform-origin: 0 0; }
.player iframe { border: 0; }
.player .controls { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: center; }
.player .controls input { flex: 1 1 16rem; min-height: 44px; accent-color: var(--on); }
.player button { min-width: 96px; min-height: 44px; padding: 8px 20px; font: inherit; font-weight: 700; color: #fff; background: #198754; border: 0; border-radius: 6px; cursor: pointer; }
.player :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;

const startTime = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "long",
  timeZone: "UTC",
});

type Played = { recording: FoundRecording; events: readonly object[]; product: string };

/** Draws the page that plays a recording: `player.js` there reads the events from it. */
export function drawPlayer({ recording, events, product }: Played): string {
  const { page, userEmail, title, release, startedAt } = recording;
  const facts = [userEmail ?? "guest", startTime.format(startedAt), release].map(escapeHtml).join(" · ");
  const stage = `<div class="controls">
<button type="button" id="play">Play</button>
<input type="range" id="place" min="0" value="0" step="100" aria-label="Place in the recording">
<output id="time"></output>
</div>
<div class="stage" id="stage"></div>
<script type="application/json" id="events">${JSON.stringify(events).replaceAll("<", String.raw`\u003c`)}</script>
<script src="/rrweb.js"></script>
<script src="/player.js"></script>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Recording · ${escapeHtml(product)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/fonts.css">
<link rel="stylesheet" href="/plain.css">
<script src="/before-script.js"></script>
<style>${STYLE}</style>
</head>
<body class="plain">
<header><a class="brand" href="/controller/recordings"><span>${escapeHtml(product)}</span></a></header>
<main class="player">
<h1>Recording of ${escapeHtml(page)}</h1>
<p>${facts}</p>
<p>${escapeHtml(title ?? "The error report of this recording was deleted.")}</p>
<p>All text is replaced with x, and pictures are left out, before anything leaves a user's browser.</p>
${events.length < MIN_EVENTS ? "<p>This recording is too short to play.</p>" : stage}
</main>
</body>
</html>
`;
}
