/** Loosely typed JSON of an answer, for inspecting it. */
export type Doc = { [name: string | number]: Doc };
export type Answer = { status: number; headers: Headers; text: string; body: Doc };

/** Calls a simulator as a test does: redirects are answers, and a body that is no JSON is `{}`. */
export async function call(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: "manual", ...init });
  const text = await response.text();
  const isJson = (response.headers.get("content-type") ?? "").includes("json") && text !== "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson ? JSON.parse(text) : {}) as Doc,
  };
}
