/** Removes `?connected=`, which shows the notice that a company was just connected. */
export function clearNotice(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete("connected");
  return next;
}
