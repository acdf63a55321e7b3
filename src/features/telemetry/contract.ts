import { endpoint } from "#contract/endpoint.ts";
import * as z from "zod";

/** Where our pages find LogRocket's script and send what it records; short, because blockers refuse its name. */
export const LOGROCKET_PATH = "/t/l";

export const readRecording = endpoint({
  method: "GET",
  path: "/api/v1/admin/recordings/:recording_id",
  summary: "Reads the events of a recording, in the format of rrweb",
  access: { kind: "user", group: "admin" },
  params: z.object({ recording_id: z.string().regex(/^[0-9a-f]{32}$/, "must be the id of a recording") }),
  response: z.object({
    events: z.array(z.object({ type: z.int(), timestamp: z.number(), data: z.unknown() })),
  }),
});

export const playRecording = endpoint({
  method: "GET",
  path: "/api/v1/admin/recordings/:recording_id/player",
  summary: "Draws the page that plays a recording",
  access: { kind: "user", group: "admin" },
  params: z.object({ recording_id: z.string().regex(/^[0-9a-f]{32}$/, "must be the id of a recording") }),
  response: { mediaType: "text/html" },
});
