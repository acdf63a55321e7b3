import { expect } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { problemSchema } from "#contract/problem.ts";
import { ENDPOINTS } from "../../src/main/endpoints.ts";
import { NO_ID } from "./sample-endpoints.ts";

/** One raw request: nothing is added to the headers, neither cookies nor an origin. */
export type RawRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | FormData;
};

export const callName = ({ method, path }: Endpoint) => `${method} ${path}`;
export const changesState = ({ method }: Endpoint) => method !== "GET";

/** Required query parameters besides the company. */
const SAMPLE_QUERY = { revision: "1" };

/** A value that isn't an id. */
const SAMPLES: Readonly<Record<string, string>> = { seq: "1", format: "csv" };

/** A path about a company; an id that exists nowhere, unless one is given, in place of each id, and 0 for a number. */
export function samplePath(endpoint: Endpoint, realmId?: string, id = NO_ID): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_match, name: string) => SAMPLES[name] ?? id);
  if (realmId === undefined) return path;
  const asked = Object.entries(SAMPLE_QUERY).filter(([name]) => name in (endpoint.query?.shape ?? {}));
  return `${path}?${new URLSearchParams({ realm_id: realmId, ...Object.fromEntries(asked) })}`;
}

/** Calls each endpoint and lists the answers, as `status code`; every refusal must be a proper problem. */
export async function askAll(
  origin: string,
  request: (endpoint: Endpoint) => { path: string; init: RawRequest },
  endpoints: readonly Endpoint[] = ENDPOINTS,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const endpoint of endpoints) {
    const { path, init } = request(endpoint);
    const response = await fetch(new URL(path, origin), {
      redirect: "manual",
      method: endpoint.method,
      ...init,
    });
    answers[callName(endpoint)] = `${response.status} ${await readCode(response)}`.trim();
  }
  return answers;
}

/** The same answer for every endpoint. */
export const everywhere = (answer: string, endpoints: readonly Endpoint[] = ENDPOINTS) =>
  Object.fromEntries(endpoints.map((endpoint) => [callName(endpoint), answer]));

async function readCode(response: Response): Promise<string> {
  if (response.status >= 400) return expectProblem(response.headers, await response.text()).code;
  // A stream of events has no end; its first lines are answer enough.
  await response.body?.cancel();
  return "";
}

/**
 * ER-27, AP-38: a refusal is a problem document whose detail is a sentence without anything of our inside, whose code
 * is one snake_case word and whose request id is the one of the header.
 */
export function expectProblem(headers: Headers, text: string) {
  expect(headers.get("content-type")).toContain("application/problem+json");
  const problem = problemSchema.parse(JSON.parse(text));
  expect(problem.detail).toMatch(/^[\p{Lu}\d"][^{}]*[.?!]$/su);
  expect(problem.detail).not.toMatch(
    /node_modules|\bat \S+:\d+|\.ts\b|Error:|undefined|null|select |\[object/i,
  );
  expect(problem.code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(problem.request_id).toBe(headers.get("x-request-id"));
  return problem;
}
