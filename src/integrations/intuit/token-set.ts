import * as z from "zod";

/** Tokens of one authorization. Both are opaque texts; never log them. */
export type TokenSet = {
  accessToken: string;
  accessExpiresAt: Date;
  refreshToken: string;
  /** When the authorization ends unless it is refreshed before, and when it ends in any case; null when Intuit did not say. */
  idleEndsAt: Date | null;
  hardEndsAt: Date | null;
};

const seconds = z.coerce.number().int().positive();

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: seconds,
  x_refresh_token_expires_in: seconds.optional().catch(undefined),
  x_refresh_token_hard_expires_in: seconds.optional().catch(undefined),
});

/**
 * Reads the token endpoint's answer.
 * @param askedAt moment before the request, so that the end is not set too late
 * @throws z.ZodError when a token or the end is missing
 */
export function readTokenSet(answer: unknown, askedAt: Date): TokenSet {
  const { access_token, refresh_token, expires_in, ...ends } = tokenAnswer.parse(answer);
  const after = (count: number) => new Date(askedAt.getTime() + count * 1000);
  const known = (count: number | undefined) => (count === undefined ? null : after(count));
  return {
    accessToken: access_token,
    accessExpiresAt: after(expires_in),
    refreshToken: refresh_token,
    idleEndsAt: known(ends.x_refresh_token_expires_in),
    hardEndsAt: known(ends.x_refresh_token_hard_expires_in),
  };
}
