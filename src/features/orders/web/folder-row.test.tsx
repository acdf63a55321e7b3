import { openAsOwner, openDialogs, problem, startServer, userEvent } from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

const server = await startServer();
beforeEach(openDialogs);
const KEY = `SHA256:${"k".repeat(43)}`;

const folder = (more: object = {}) => ({
  kind: "sftp",
  host: "sftp.example.com",
  port: 22,
  user: "acme",
  auth: "password",
  host_key: KEY,
  folder_in: "in",
  folder_out: "out",
  state: "active",
  problem: "",
  polled_at: "2026-11-20T10:00:00.000Z",
  ...more,
});

const open = async () => {
  await openAsOwner(server, "/settings/developers/?section=folder");
};

test("OI-10 the admin enters an SFTP account, sees the server's key before saving, and confirms it by saving", async () => {
  let saved: object | null = null;
  const sent: object[] = [];
  server.on("GET /api/v1/company/order-folder", () => ({ json: { folder: saved, can_be_local: false } }));
  server.on("POST /api/v1/company/order-folder/host-key", ({ body }) => {
    sent.push(JSON.parse(body) as object);
    return sent.length === 1
      ? problem(409, "The server can't be reached. Check its name and port.")
      : { json: { host_key: KEY } };
  });
  server.on("PUT /api/v1/company/order-folder", ({ body }) => {
    sent.push(JSON.parse(body) as object);
    saved = folder();
    return { json: { folder: saved } };
  });
  await open();
  await userEvent.fill(await screen.findByRole("textbox", { name: "Server" }), "sftp.example.com");
  await userEvent.type(screen.getByRole("textbox", { name: "User" }), "acme");
  await userEvent.type(screen.getByLabelText("Password", { selector: "[type=password]" }), "secret");
  await userEvent.click(screen.getByRole("button", { name: "Check the server" }));
  expect(await screen.findByText("The server can't be reached. Check its name and port.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Check the server" }));
  expect((await screen.findByText(/^The server's key is SHA256:/)).textContent).toContain(KEY);
  await userEvent.click(screen.getByRole("button", { name: "The key matches. Save" }));
  expect(await screen.findByText("Orders are fetched from acme@sftp.example.com:22.")).toBeTruthy();
  const place = { host: "sftp.example.com", port: 22 };
  const account = {
    kind: "sftp",
    ...place,
    user: "acme",
    auth: "password",
    password: "secret",
    host_key: KEY,
  };
  expect(sent).toEqual([place, place, { ...account, folder_in: "in", folder_out: "out" }]);
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("secret");
});

test("OI-09 OI-10 a stopped folder says why, and is removed after a question", async () => {
  let saved: object | null = folder({ state: "stopped", problem: "The server didn't answer in time." });
  server.on("GET /api/v1/company/order-folder", () => ({ json: { folder: saved, can_be_local: true } }));
  server.on("DELETE /api/v1/company/order-folder", () => {
    saved = null;
    return { json: {} };
  });
  await open();
  expect(await screen.findByText("Orders are no longer fetched.")).toBeTruthy();
  expect(screen.getByText("The server didn't answer in time.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Use a folder on this server" })).toBeTruthy();
  const remove = screen.getByRole("button", { name: "Remove the folder" });
  await userEvent.click(remove);
  const question = within(await screen.findByRole("dialog", { name: "Remove the order folder?" }));
  await userEvent.click(question.getByRole("button", { name: "Keep the folder" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByText("Orders are no longer fetched.")).toBeTruthy();
  await userEvent.click(remove);
  expect(await screen.findByText(/no longer fetch orders from acme@sftp\.example\.com:22 or/)).toBeTruthy();
  await userEvent.click(
    within(screen.getByRole("dialog")).getByRole("button", { name: "Remove the folder" }),
  );
  await waitFor(() => expect(screen.getByText(/^No folder is set up\./)).toBeTruthy());
});

test("OI-09 changing a stored password to a private key sends the choice, and doesn't offer to leave the key empty", async () => {
  const sent: object[] = [];
  server.on("GET /api/v1/company/order-folder", () => ({ json: { folder: folder(), can_be_local: false } }));
  server.on("POST /api/v1/company/order-folder/host-key", () => ({ json: { host_key: KEY } }));
  server.on("PUT /api/v1/company/order-folder", ({ body }) => {
    sent.push(JSON.parse(body) as object);
    return problem(400, "Enter the private key of this account. Only a password is stored.");
  });
  await open();
  expect(await screen.findByText("Leave blank to keep the stored one.")).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: "Private key" }));
  expect(screen.queryByText("Leave blank to keep the stored one.")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Check the server" }));
  await userEvent.click(await screen.findByRole("button", { name: "The key matches. Save" }));
  expect(await screen.findByText(/^Enter the private key of this account\./)).toBeTruthy();
  expect(sent).toEqual([expect.objectContaining({ auth: "key" })]);
});
