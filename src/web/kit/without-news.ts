/** That a company was just connected (`?connected=`) is news until the user goes on. */
export function withoutNews(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete("connected");
  return next;
}
