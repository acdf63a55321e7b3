import * as z from "zod";

/** Tokens of one authorisation. Both are opaque texts; never log them. */
export type TokenSet = {
  accessToken: string;
  accessExpiresAt: Date;
  refreshToken: string;
  /** Rolling end, about 100 days after the last use. */
  refreshExpiresAt: Date;
  /** End for good, about five years after the consent; null when Intuit does not say. */
  refreshHardExpiresAt: Date | null;
};

const seconds = z.coerce.number().int().positive();

const tokenAnswer = z.looseObject({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: seconds,
  x_refresh_token_expires_in: seconds,
  x_refresh_token_hard_expires_in: seconds.optional(),
});

/**
 * Reads the token endpoint's answer.
 * @param askedAt moment before the request, so that no end is set too late
 * @throws z.ZodError when a token or an end is missing
 */
export function readTokenSet(answer: unknown, askedAt: Date): TokenSet {
  const tokens = tokenAnswer.parse(answer);
  const after = (count: number) => new Date(askedAt.getTime() + count * 1000);
  const hard = tokens.x_refresh_token_hard_expires_in;
  return {
    accessToken: tokens.access_token,
    accessExpiresAt: after(tokens.expires_in),
    refreshToken: tokens.refresh_token,
    refreshExpiresAt: after(tokens.x_refresh_token_expires_in),
    refreshHardExpiresAt: hard === undefined ? null : after(hard),
  };
}
