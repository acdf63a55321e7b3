/** Uploads a recording of the page, in JSON compressed with gzip. The page ignores the answer: a lost one is not repeated. */
export async function sendRecording(recording: object): Promise<void> {
  const packed = new Blob([JSON.stringify(recording)]).stream().pipeThrough(new CompressionStream("gzip"));
  const body = await new Response(packed).blob();
  await fetch("/telemetry/recordings", { method: "POST", body });
}
