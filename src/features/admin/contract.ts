import { endpoint } from "#contract/endpoint.ts";
import * as z from "zod";

export const resetDemo = endpoint({
  method: "POST",
  path: "/api/v1/demo/reset",
  summary: "Resets the demo and its simulated services; only where they run",
  access: { kind: "user", group: "app" },
  response: z.object({}),
});
