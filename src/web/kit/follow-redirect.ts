/** The address that an answer sends the browser to. @throws Error for an answer without one */
export function requireRedirect(reply: { redirect?: unknown }): string {
  const { redirect } = reply;
  if (typeof redirect !== "string" || !/^https?:\/\//.test(redirect))
    throw new Error("Invalid response from server");
  return redirect;
}

/** Sends the browser to where an answer says. @throws Error for an answer without an address */
export function followRedirect(reply: { redirect?: unknown }): void {
  window.location.assign(requireRedirect(reply));
}
