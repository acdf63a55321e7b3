/** Removes the notice of a new connection (`?connected=`) from an address; it is shown until the user goes on. */
export function clearNotice(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete("connected");
  return next;
}
