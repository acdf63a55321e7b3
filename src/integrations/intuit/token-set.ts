import * as z from "zod";

/** Tokens of one authorization. Both are opaque texts; never log them. */
export type TokenSet = { accessToken: string; accessExpiresAt: Date; refreshToken: string };

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.coerce.number().int().positive(),
});

/**
 * Reads the token endpoint's answer.
 * @param askedAt moment before the request, so that the end is not set too late
 * @throws z.ZodError when a token or the end is missing
 */
export function readTokenSet(answer: unknown, askedAt: Date): TokenSet {
  const { access_token, refresh_token, expires_in } = tokenAnswer.parse(answer);
  return {
    accessToken: access_token,
    accessExpiresAt: new Date(askedAt.getTime() + expires_in * 1000),
    refreshToken: refresh_token,
  };
}
