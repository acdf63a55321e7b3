import { requireRedirect } from "#web/kit/follow-redirect.ts";
import { expect, test } from "vitest";

test("AP-29 AP-31 ER-12 VA-08 a redirect must name an address that begins with http", () => {
  expect(requireRedirect({ redirect: "https://billing.stripe.com/p/session/x" })).toBe(
    "https://billing.stripe.com/p/session/x",
  );
  expect(requireRedirect({ redirect: "http://localhost:3003/p" })).toBe("http://localhost:3003/p");
  for (const redirect of [
    undefined,
    null,
    "",
    "javascript:alert(1)",
    "/settings/",
    "//evil.example",
    "httpx://a",
    7,
    ["https://billing.stripe.com/"],
  ])
    expect(() => requireRedirect({ redirect }), String(redirect)).toThrow("Invalid response from server");
});
