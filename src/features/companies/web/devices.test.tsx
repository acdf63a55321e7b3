import { openAsOwner, startServer, userEvent } from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

const device = (id: string, name: string, isThis = false) => ({
  id: id.repeat(64),
  name,
  signed_in_at: "2026-11-20T10:00:00.000Z",
  last_seen_at: "2026-11-22T10:00:00.000Z",
  is_this: isThis,
});

test("SE-25 devices are listed with their last use, and one or all others can be signed out", async () => {
  let devices = [device("a", "Chrome on Mac", true), device("b", "Safari on iPhone"), device("c", "")];
  const ended: string[] = [];
  server.on("GET /api/v1/user/devices", () => ({ json: { devices } }));
  server.on("DELETE /api/v1/user/devices", ({ url }) => {
    const id = url.searchParams.get("id") ?? "";
    ended.push(id);
    devices = devices.filter((each) => each.is_this || (id !== "others" && each.id !== id));
    return { json: { signed_out: 1 } };
  });
  await openAsOwner(server, "/settings/data/?section=devices");
  const rows = async () =>
    within(await screen.findByRole("list", { name: "Signed-in devices" })).getAllByRole("listitem");
  const [here, phone, unknown] = await rows();
  expect(here?.textContent).toMatch(/^Chrome on MacThis devicesigned in /);
  expect(within(here as HTMLElement).queryByRole("button")).toBeNull();
  expect(phone?.textContent).toMatch(/^Safari on iPhoneLast used .*Sign out/);
  expect(unknown?.textContent).toMatch(/^API client or script/);
  await userEvent.click(screen.getByRole("button", { name: /^Sign out all others/ }));
  await screen.findByText("1 device was signed out");
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  expect(ended).toEqual(["others"]);
});

test("SE-25 signing out one device leaves the others signed in and keeps the keyboard focus in the list", async () => {
  let devices = [
    device("a", "Chrome on Mac", true),
    device("b", "Safari on iPhone"),
    device("c", "Edge on Windows"),
  ];
  server.on("GET /api/v1/user/devices", () => ({ json: { devices } }));
  server.on("DELETE /api/v1/user/devices", ({ url }) => {
    devices = devices.filter(({ id }) => id !== url.searchParams.get("id"));
    return { json: { signed_out: 1 } };
  });
  await openAsOwner(server, "/settings/data/?section=devices");
  (await screen.findByRole("button", { name: /^Sign out Safari on iPhone/ })).focus();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByText("Safari on iPhone")).toBeNull());
  expect(screen.getByText("Edge on Windows", { selector: "b" })).toBeTruthy();
  await waitFor(() =>
    expect(document.activeElement?.closest("ul")?.getAttribute("aria-label")).toBe("Signed-in devices"),
  );
});
