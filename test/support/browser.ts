import type { Endpoint } from "#contract/endpoint.ts";
import { MACHINE_TIME, type Stepping } from "./stepped-clock.ts";
import type { Intuit } from "./intuit.ts";

export type Reply = {
  status: number;
  headers: Headers;
  text: string;
  json(): unknown;
  location: string | null;
};
type RequestOptions = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | FormData | Uint8Array<ArrayBuffer>;
};

/** An HTTP client that keeps cookies like a browser and follows nothing by itself. */
export type Browser = {
  request(path: string, options?: RequestOptions): Promise<Reply>;
  /** Calls an endpoint of the contract by its own method and path. */
  call(endpoint: Endpoint, options?: CallOptions): Promise<Reply>;
  /** Calls an endpoint that answers with a document. */
  download(endpoint: Endpoint, options?: CallOptions): Promise<Uint8Array>;
  /** Signs in through the simulated Intuit without its pages. @returns the path the product sent us to */
  signIn(email: string, next?: string): Promise<string>;
  /** Connects a company through the simulated Intuit without its pages. @returns the path the product sent us to */
  connect(email: string, realmId: string, next?: string): Promise<string>;
  cookies: Map<string, string>;
  /** Lets all that is due in the next seconds happen at the product. */
  settle: Stepping["settle"];
};

type CallOptions = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  json?: unknown;
  file?: { name: string; bytes: Uint8Array };
};

/** @param clock moves as far as an answer takes; by default the machine's */
export function createBrowser(origin: string, intuit: Intuit, clock: Stepping = MACHINE_TIME): Browser {
  const cookies = new Map<string, string>();

  const request = async (path: string, options: RequestOptions = {}): Promise<Reply> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(cookie ? { cookie } : {}), origin, ...options.headers };
    const [response, text] = await clock.during(
      fetch(new URL(path, origin), { redirect: "manual", ...options, headers }).then(
        async (answer) => [answer, await readText(answer)] as const,
      ),
    );
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => readJson(response.status, text),
      location: response.headers.get("location"),
    };
  };

  const call = (endpoint: Endpoint, options: CallOptions = {}) => {
    const { path, init } = toRequest(endpoint, options);
    return request(path, init);
  };

  const download = async (endpoint: Endpoint, options: CallOptions = {}) => {
    const { path, init } = toRequest(endpoint, options);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...init.headers, cookie, origin };
    const read = async () => (await fetch(new URL(path, origin), { ...init, headers })).bytes();
    return clock.during(read());
  };

  const throughIntuit = async (start: string, grant: { email: string; realmId?: string }) => {
    const first = expectAdmitted(await request(start));
    const authorize = new URL(first.location ?? "", origin);
    const code = await intuit.grant({
      ...grant,
      scope: authorize.searchParams.get("scope") ?? "",
      redirectUri: authorize.searchParams.get("redirect_uri") ?? "",
    });
    const answer = new URLSearchParams({ code, state: authorize.searchParams.get("state") ?? "" });
    if (grant.realmId) answer.set("realmId", grant.realmId);
    const last = expectAdmitted(await request(`/oauth/intuit/callback?${answer}`));
    return last.location ?? "";
  };

  return {
    settle: clock.settle,
    request,
    call,
    download,
    cookies,
    signIn: (email, next) =>
      throughIntuit(next ? `/login/?next=${encodeURIComponent(next)}` : "/login/", { email }),
    connect: (email, realmId, next) =>
      throughIntuit(next ? `/get-app/connect?next=${encodeURIComponent(next)}` : "/get-app/connect", {
        email,
        realmId,
      }),
  };
}

function readJson(status: number, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`Status ${status} with another body than JSON: ${text.slice(0, 80)}`);
  }
}

/** Else a test whose sign-ins are more than one address may start goes on with a user or a company that never came. */
function expectAdmitted(reply: Reply): Reply {
  if (reply.status === 429) throw new Error(`A sign-in was refused: ${reply.text}`);
  return reply;
}

function toRequest(endpoint: Endpoint, options: CallOptions): { path: string; init: RequestOptions } {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(options.params?.[name] ?? ""),
  );
  const query = options.query ? `?${new URLSearchParams(options.query)}` : "";
  return { path: `${path}${query}`, init: { method: endpoint.method, ...encodeBody(options) } };
}

function encodeBody(options: CallOptions): RequestOptions {
  if (options.file) {
    const body = new FormData();
    if (options.json !== undefined) body.set("body", JSON.stringify(options.json));
    body.set("file", new Blob([new Uint8Array(options.file.bytes)]), options.file.name);
    return { body, ...(options.headers ? { headers: options.headers } : {}) };
  }
  if (options.json !== undefined) {
    return {
      body: JSON.stringify(options.json),
      headers: { "content-type": "application/json", ...options.headers },
    };
  }
  return options.headers ? { headers: options.headers } : {};
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";");
  const [name = "", value = ""] = pair.split(/=(.*)/s);
  const expired = attributes.some(
    (attribute) => /max-age=0$/i.test(attribute.trim()) || /expires=Thu, 01 Jan 1970/i.test(attribute),
  );
  if (expired || !value) cookies.delete(name);
  else cookies.set(name, value);
}

/** The complete body; for a stream that never ends, only its beginning. */
async function readText(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response.text();
  await response.body?.cancel();
  return "";
}
