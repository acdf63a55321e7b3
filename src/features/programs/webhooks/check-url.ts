import type { WebhooksCtx } from "#features/programs/webhooks/ctx.ts";
import { badRequest } from "#platform/errors.ts";
import { findAddress } from "#platform/outbound/public-address.ts";

/**
 * Checks an address that an admin typed. It is checked again at each attempt, because a name can get another address.
 * @returns the address as it is stored
 * @throws AppError 400 if it is none, isn't https, has a password, or can't or may not be reached
 */
export async function checkUrl(
  { reach, resolve }: Pick<WebhooksCtx, "reach" | "resolve">,
  text: string,
): Promise<string> {
  const url = URL.parse(text);
  const isPlain = url?.protocol === "http:" && reach === "loopback";
  if (!url || (url.protocol !== "https:" && !isPlain))
    throw badRequest("webhook_not_https", "Enter an address that begins with https://.");
  if (url.username !== "" || url.password !== "")
    throw badRequest("webhook_has_password", "Enter the address without a user name and password.");
  const found = await findAddress(hostIn(url), reach, resolve);
  if ("fault" in found)
    throw found.fault === "private"
      ? badRequest(
          "webhook_private",
          "This address is in a private network. Enter one on the public internet.",
        )
      : badRequest("webhook_unknown", "There is no server with this name. Check the address.");
  url.hash = "";
  return url.href;
}

const hostIn = ({ hostname }: URL) => hostname.replaceAll(/[[\]]/g, "");
