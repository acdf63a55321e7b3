/** Returns the redirect address of a reply. @throws Error if there is none */
export function requireRedirect(reply: { redirect?: unknown }): string {
  const { redirect } = reply;
  if (typeof redirect !== "string" || !/^https?:\/\//.test(redirect))
    throw new Error("Invalid response from server");
  return redirect;
}

/** Navigates to the redirect address of a reply. @throws Error if there is none */
export function followRedirect(reply: { redirect?: unknown }): void {
  window.location.assign(requireRedirect(reply));
}
