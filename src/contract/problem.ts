import * as z from "zod";

/** Media type of every error response (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/**
 * Error response of every `/api` call. `detail` is always one or more plain sentences for the reader, `code`
 * never changes its meaning, and support asks for `request_id`.
 */
export const problemSchema = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
});

export type Problem = z.output<typeof problemSchema>;
