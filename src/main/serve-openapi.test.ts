import { expect, test } from "vitest";
import { startApp } from "../../test/support/start-app.ts";
import { openApiText } from "../../test/support/print-openapi.ts";

test("the description of all calls is served to programs that are not signed in", async () => {
  const app = await startApp({ worker: false });
  for (let time = 0; time < 3; time += 1) {
    const reply = await app.browser().request("/api/openapi.json");
    expect([reply.status, reply.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    expect(reply.text).toBe(openApiText());
  }
});
