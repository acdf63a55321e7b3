/**
 * Removes the notice of a new connection (`?connected=`) from an address; shown until the user navigates on.
 */
export function clearNotice(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete("connected");
  return next;
}
