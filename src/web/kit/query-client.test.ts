// @vitest-environment jsdom
import { ApiError } from "#web/kit/api-error.ts";
import { createQueryClient, queryKeys, shouldRetry } from "#web/kit/query-client.ts";
import { recordingReporter } from "#web/test-support.tsx";
import { expect, test } from "vitest";

const failure = (status: number | null) =>
  new ApiError({ message: "m", status, code: null, requestId: null });

test("QC-01 QC-02 QC-03 QC-04 QC-05 queries are kept for half an hour, are fresh for fifteen minutes, and ignore window focus", () => {
  const client = createQueryClient(recordingReporter().reporter);
  expect(client.getDefaultOptions().queries).toMatchObject({
    gcTime: 1_800_000,
    staleTime: 900_000,
    refetchOnMount: true,
    refetchOnReconnect: true,
    refetchOnWindowFocus: false,
  });
});

test("QC-06 a status in the 400s is never retried", () => {
  expect([400, 401, 404, 429, 499].map((status) => shouldRetry(0, failure(status)))).toEqual(
    Array(5).fill(false),
  );
  expect([399, 500, 503].map((status) => shouldRetry(0, failure(status)))).toEqual([true, true, true]);
});

test("HA-05 a call that failed because the database is away is repeated for a minute", () => {
  const away = new ApiError({ message: "m", status: 503, code: "database_unavailable", requestId: null });
  const { retry, retryDelay } =
    createQueryClient(recordingReporter().reporter).getDefaultOptions().queries ?? {};
  if (typeof retry !== "function" || typeof retryDelay !== "function") throw new Error("No functions.");
  let [failures, waitedMs] = [0, 0];
  for (; retry(failures, away); failures += 1) waitedMs += retryDelay(failures, away);
  expect([failures, waitedMs]).toEqual([12, 60_000]);
  expect([0, 1].map((count) => retryDelay(count, failure(500)))).toEqual([1_000, 2_000]);
});

test("QC-07 QC-08 QC-09 a steady failure gives three requests, with or without a status", async () => {
  for (const status of [500, null]) {
    const client = createQueryClient(recordingReporter().reporter);
    let requests = 0;
    const queryFn = () => {
      requests++;
      return Promise.reject(failure(status));
    };
    // The wait between attempts is the library's; the count is ours.
    await client.prefetchQuery({ queryKey: ["x"], queryFn, retryDelay: 0, retry: shouldRetry });
    expect(requests).toBe(3);
    client.clear();
  }
});

test("QC-10 a mutation is never retried automatically", () => {
  expect(createQueryClient(recordingReporter().reporter).getDefaultOptions().mutations?.retry).toBe(false);
});

test("FR-42 a 401 from any call ends the session on screen, and is not reported", async () => {
  const { reporter, reported } = recordingReporter();
  const client = createQueryClient(reporter);
  await client.prefetchQuery({ queryKey: queryKeys.user, queryFn: () => ({ email: "a@b.example" }) });
  const gone = failure(401);
  await client.prefetchQuery({ queryKey: ["other"], queryFn: () => Promise.reject(gone) });
  expect(client.getQueryState(queryKeys.user)).toMatchObject({ status: "error", error: gone });
  expect(reported).toEqual([]);
  client.clear();
});

test.each([
  ["RP-01", "Failed to load Stripe.js"],
  ["RP-02", "Stripe.js not available"],
])("%s a browser that blocks the payment script is not reported: %s", async (_id, message) => {
  const { reporter, reported } = recordingReporter();
  const client = createQueryClient(reporter);
  const fail = (text: string) => () => Promise.reject(new Error(text));
  await client.prefetchQuery({ queryKey: ["ours"], queryFn: fail("Ours"), retry: false });
  await client.prefetchQuery({ queryKey: ["stripe"], queryFn: fail(message), retry: false });
  expect(reported).toEqual([new Error("Ours")]);
  client.clear();
});

test("RP-08 RP-11 a failed query is reported, an empty error object is not", async () => {
  const { reporter, reported } = recordingReporter();
  const client = createQueryClient(reporter);
  const bad = failure(500);
  await client.prefetchQuery({ queryKey: ["a"], queryFn: () => Promise.reject(bad), retry: false });
  await client.prefetchQuery({ queryKey: ["b"], queryFn: () => Promise.reject({}), retry: false });
  expect(reported).toEqual([bad]);
  client.clear();
});
