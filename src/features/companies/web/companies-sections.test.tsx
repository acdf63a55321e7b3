import {
  acme,
  beta,
  openDialogs,
  owner,
  problem,
  renderPage,
  settingsOfAcme,
  startServer,
  userEvent,
} from "#web/test-support.tsx";
import { boot } from "#web/kit/boot.ts";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

const server = await startServer();

beforeEach(openDialogs);

const OLIVE = acme.admin;
const details = {
  ...acme,
  services: ["tracking"],
  connection: "connected",
  authorized_users: ["carl@acme.example", "lena@acme.example", OLIVE],
  invited_users: ["lena@acme.example"],
  settings: settingsOfAcme,
};
const added = { ...details, mailed: true };

async function open(path = "/settings/", company: object = {}) {
  const companies = [
    { ...details, ...company },
    { ...beta, services: [], connection: "connected" },
  ];
  server.on("GET /api/v1/company", { json: { companies } });
  server.on("GET /api/v1/user", { json: owner() });
  server.visit(path);
  renderPage();
  await screen.findByRole("button", { name: /^Users/ });
}

const headers = () =>
  within(screen.getByRole("region", { name: "Company settings" }))
    .getAllByRole("heading", { level: 3 })
    .map((heading) => heading.textContent);

test("SE-12 SE-15 SE-16 SE-17 SE-18 SE-19 SE-20 one section is open, the state of each is exposed, and closing one opens the services", async () => {
  await open();
  const closed = ["Users(click to expand)", "Tracking Service(click to expand)"];
  expect(headers()).toEqual(["Current Services", ...closed]);
  expect(screen.queryByRole("list", { name: "Users of this company", hidden: true })).toBeNull();
  const services = screen.getByRole("button", { name: "Current Services", expanded: true });
  await userEvent.click(services);
  expect(services.getAttribute("aria-expanded")).toBe("true");
  const content = document.getElementById(services.getAttribute("aria-controls") ?? "");
  expect(content?.getAttribute("aria-labelledby")).toBe(services.id);
  await userEvent.click(screen.getByRole("button", { name: /^Users/, expanded: false }));
  expect(headers()).toEqual(["Current Services(click to expand)", "Users", closed[1]]);
  expect(window.location.search).toBe("?section=users");
  expect(screen.getByRole("list", { name: "Users of this company" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Users", expanded: true }));
  expect(headers()).toEqual(["Current Services", ...closed]);
  expect(window.location.search).toBe("");
});

test("SE-14 SE-20 the address opens a section; an unavailable section leaves the services open", async () => {
  await open("/settings/?section=tracking");
  expect(screen.getByRole("button", { name: "Tracking Service", expanded: true })).toBeTruthy();
});

test("SE-14 the tracking section needs the service", async () => {
  await open("/settings/?section=tracking", { services: [] });
  expect(headers()).toEqual(["Current Services", "Users(click to expand)"]);
});

test("US-01 US-02 US-03 US-04 US-05 VA-03 users are listed by email; the current user can't be removed, and an empty email can't be added", async () => {
  await open("/settings/?section=users");
  const rows = within(screen.getByRole("list", { name: "Users of this company" })).getAllByRole("listitem");
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^carl@acme\.example.*Remove/),
    expect.stringMatching(/^lena@acme\.exampleInvited, hasn't accepted yet.*Remove/),
    "olive@acme.exampleYouCompany admin",
  ]);
  // Without a mail server the page promises no mail.
  expect(screen.getByText(/^No mail server is set up/).textContent).toContain(
    `${window.location.origin}/invitation/`,
  );
  expect(screen.queryByText(/get an email with/)).toBeNull();
  const add = screen.getByRole<HTMLButtonElement>("button", { name: "Add User" });
  expect(add.disabled).toBe(true);
  await userEvent.type(screen.getByRole("textbox", { name: "Email of the new user" }), "   ");
  expect(add.disabled).toBe(true);
});

test("US-04 US-05 in a company without an admin a user can remove all users but themselves", async () => {
  await open("/settings/?section=users", { admin: null });
  const rows = within(screen.getByRole("list", { name: "Users of this company" })).getAllByRole("listitem");
  expect(rows.map((row) => within(row).queryByRole("button") !== null)).toEqual([true, true, false]);
});

test("US-06 US-07 US-08 US-10 ER-03 adding a user clears the field for the next one, and a refusal shows the server's sentence", async () => {
  await open("/settings/?section=users");
  const asked: (string | null)[] = [];
  server.on("POST /api/v1/company/user", ({ url }) => {
    const email = url.searchParams.get("email") ?? "";
    asked.push(url.searchParams.get("realm_id"), email);
    if (email === "carl@acme.example")
      return problem(409, "carl@acme.example is already authorized.", "already_authorized");
    return { json: { ...added, authorized_users: [...details.authorized_users, email] } };
  });
  const box = screen.getByRole<HTMLInputElement>("textbox", { name: "Email of the new user" });
  const readings = () => server.requests.filter(({ url }) => url.pathname === "/api/v1/user").length;
  const before = readings();
  await userEvent.fill(box, "nina@acme.example");
  await userEvent.click(screen.getByRole("button", { name: "Add User" }));
  expect(await screen.findByText("nina@acme.example", { selector: "b" })).toBeTruthy();
  await waitFor(() => expect(readings()).toBe(before + 1));
  expect([asked, box.value, document.activeElement]).toEqual([["1", "nina@acme.example"], "", box]);
  expect(screen.getByText("nina@acme.example added.")).toBeTruthy();
  await userEvent.fill(box, "carl@acme.example");
  await userEvent.keyboard("{Enter}");
  const alert = await screen.findByRole("alert", { name: "Error adding user!" });
  expect(alert.textContent).toContain("carl@acme.example is already authorized.");
  expect(box.value).toBe("carl@acme.example");
});

test("US-16 a user who is invited again within a day gets no second email, and Settings says so until one gets an email", async () => {
  Object.assign(boot, { mail: true });
  onTestFinished(() => void Object.assign(boot, { mail: false }));
  await open("/settings/?section=users");
  server.on("POST /api/v1/company/user", ({ url }) => ({
    json: { ...added, mailed: url.searchParams.get("email") === "nina@acme.example" },
  }));
  const add = async (email: string) => {
    await userEvent.fill(screen.getByRole("textbox", { name: "Email of the new user" }), email);
    await userEvent.click(screen.getByRole("button", { name: "Add User" }));
    await screen.findByText(`${email} added.`);
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Add User" }).getAttribute("aria-busy")).toBe("false"),
    );
  };
  await add("carl@acme.example");
  expect(screen.getByText(/^No new email was sent to carl@acme\.example: /).textContent).toMatch(
    new RegExp(
      ` The link of an email from the last 24 hours works again\\. In any case the invitation is at ${window.location.origin}/invitation/ when they sign in\\.$`,
    ),
  );
  await add("nina@acme.example");
  expect(screen.queryByText(/^No new email/)).toBeNull();
});

test("FR-42 unsaved input in Settings survives the end of the session", async () => {
  await open("/settings/?section=users");
  server.on("POST /api/v1/company/user", problem(401, "Sign in."));
  const box = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Email of the new user" });
  await userEvent.fill(await box(), "nina@acme.example");
  await userEvent.keyboard("{Enter}");
  await screen.findByRole("heading", { level: 2, name: "Your session ended" });
  cleanup();
  await open("/settings/?section=users");
  expect((await box()).value).toBe("nina@acme.example");
  server.on("POST /api/v1/company/user", { json: added });
  await userEvent.click(screen.getByRole("button", { name: "Add User" }));
  await waitFor(async () => expect((await box()).value).toBe(""));
  const contact = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Contact email" });
  const days = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Look back (days)" });
  await userEvent.click(screen.getByRole("button", { name: /^Tracking Service/ }));
  await userEvent.type(await contact(), "x");
  await userEvent.clear(days());
  await userEvent.type(days(), "45");
  cleanup();
  await open("/settings/?section=tracking");
  expect([(await contact()).value, days().value]).toEqual([`${OLIVE}x`, "45"]);
  server.on("PUT /api/v1/company", { json: details });
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(days().value).toBe("30"));
});

test("US-09 US-11 US-14 ER-03 a removal can be undone; a refusal shows the server's sentence", async () => {
  await open("/settings/?section=users");
  const calls: string[] = [];
  const without = { ...details, authorized_users: [OLIVE, "lena@acme.example"] };
  server.on("DELETE /api/v1/company/user", ({ url }) => {
    calls.push(`remove ${url.searchParams.get("email")}`);
    return calls.length > 2
      ? problem(500, "Something went wrong.")
      : { json: { ...without, undo: "v1.sealed" } };
  });
  server.on("POST /api/v1/company/user", ({ url }) => {
    calls.push(`add ${url.searchParams.get("email")}, undoing ${url.searchParams.get("undo")}`);
    return { json: added };
  });
  await userEvent.click(screen.getByRole("button", { name: /^Remove carl@acme\.example/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByRole("button", { name: /^Remove carl@acme\.example/ })).toBeTruthy();
  expect(calls).toEqual(["remove carl@acme.example", "add carl@acme.example, undoing v1.sealed"]);
  await userEvent.click(screen.getByRole("button", { name: /^Remove lena@acme\.example/ }));
  const alert = await screen.findByRole("alert", { name: "Error removing user!" });
  expect(alert.textContent).toContain("Something went wrong.");
});

test("US-14 the focus moves to Undo after a removal, and stays in the list after undo", async () => {
  await open("/settings/?section=users");
  server.on("DELETE /api/v1/company/user", {
    json: { ...details, authorized_users: [OLIVE, "lena@acme.example"], undo: "v1.sealed" },
  });
  server.on("POST /api/v1/company/user", { json: added });
  screen.getByRole("button", { name: /^Remove carl@acme\.example/ }).focus();
  await userEvent.keyboard("{Enter}");
  const undo = await screen.findByRole("button", { name: "Undo" });
  await waitFor(() => expect(document.activeElement).toBe(undo));
  await userEvent.keyboard("{Enter}");
  await screen.findByRole("button", { name: /^Remove carl@acme\.example/ });
  const users = screen.getByRole("list", { name: "Users of this company" });
  await waitFor(() => expect(document.activeElement).toBe(users));
});

test("US-14 the answer to a removal takes the keyboard from no other control", async () => {
  await open("/settings/?section=users");
  const { promise: wait, resolve: answer } = Promise.withResolvers<void>();
  const left = [OLIVE, "lena@acme.example"];
  server.on("DELETE /api/v1/company/user", {
    json: { ...details, authorized_users: left, undo: "v1.sealed" },
    wait,
  });
  await userEvent.click(screen.getByRole("button", { name: /^Remove carl@acme\.example/ }));
  const box = screen.getByRole<HTMLInputElement>("textbox", { name: "Email of the new user" });
  await userEvent.click(box);
  answer();
  await screen.findByRole("button", { name: "Undo" });
  await waitFor(() => expect(screen.queryByText("carl@acme.example", { selector: "b" })).toBeNull());
  expect(document.activeElement).toBe(box);
});

test("US-14 the row of a user being removed is busy, and the removal can be undone for ten seconds", async () => {
  await open("/settings/?section=users");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  // The waiting test advances the clock at each poll, so no time passes after the awaited state.
  vi.stubGlobal("jest", vi);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  let answer = () => {};
  const wait = new Promise<void>((resolve) => (answer = resolve));
  const left = [OLIVE, "lena@acme.example"];
  server.on("DELETE /api/v1/company/user", {
    json: { ...details, authorized_users: left, undo: "v1.sealed" },
    wait,
  });
  const remove = screen.getByRole("button", { name: /^Remove carl@acme\.example/ });
  fireEvent.click(remove);
  await waitFor(() => expect(remove.getAttribute("aria-busy")).toBe("true"));
  answer();
  await screen.findByRole("button", { name: "Undo" });
  act(() => void vi.advanceTimersByTime(9_000));
  expect(screen.getByRole("button", { name: "Undo" })).toBeTruthy();
  act(() => void vi.advanceTimersByTime(1_000));
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("US-18 the admin hands the company over after confirmation, to a user who has signed in", async () => {
  await open("/settings/?section=users");
  const to: (string | null)[] = [];
  server.on("POST /api/v1/company/admin", ({ url }) => {
    to.push(url.searchParams.get("email"));
    const { settings: _settings, authorized_users: _users, invited_users: _invited, ...member } = details;
    return { json: { ...member, admin: "carl@acme.example" } };
  });
  await userEvent.click(screen.getByRole("button", { name: "Transfer admin role" }));
  const dialog = within(
    await screen.findByRole("dialog", { name: "Who should be the admin of Acme Tools?" }),
  );
  expect(dialog.getAllByRole("option").map((option) => option.textContent)).toEqual(["carl@acme.example"]);
  await userEvent.click(dialog.getByRole("button", { name: "Transfer" }));
  await waitFor(() => expect(to).toEqual(["carl@acme.example"]));
});

test("TR-01 TR-02 TR-05 TR-06 TR-07 TR-08 TR-09 TR-11 TR-12 TR-13 QC-14 VA-02 VA-04 VA-06 only changed and valid settings are sent", async () => {
  await open("/settings/?section=tracking");
  const sent: unknown[] = [];
  let now: Record<string, unknown> = settingsOfAcme;
  server.on("PUT /api/v1/company", ({ body }) => {
    const change = JSON.parse(body) as object;
    sent.push(change);
    now = { ...now, ...change };
    return { json: { ...details, settings: now } };
  });
  const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
  const press = async (name: string) => {
    await waitFor(() => expect(button(name).getAttribute("aria-busy")).toBe("false"));
    await userEvent.click(button(name));
  };
  const contact = screen.getByRole("textbox", { name: "Contact email" });
  expect([button("Update contact").disabled, button("Save").disabled]).toEqual([true, true]);
  await userEvent.type(contact, "x");
  expect(button("Update contact").disabled).toBe(false);
  await userEvent.type(contact, "{Backspace}");
  expect(button("Update contact").disabled).toBe(true);
  const readings = () => server.requests.filter(({ url }) => url.pathname === "/api/v1/user").length;
  const before = readings();
  const days = screen.getByRole<HTMLInputElement>("textbox", { name: "Look back (days)" });
  const leaveWith = async (typed: string) => {
    await userEvent.clear(days);
    if (typed !== "") await userEvent.type(days, typed);
    await userEvent.tab();
    return [typed, days.value, button("Save").disabled];
  };
  for (const wrong of ["0", "-1", "", "91", "1.5", "abc"])
    expect(await leaveWith(wrong)).toEqual([wrong, "30", true]);
  const announced = document.querySelector("[aria-live=polite]");
  await waitFor(() =>
    expect(announced?.textContent?.trim()).toBe("Track invoices dated within this many days (1–90)."),
  );
  for (const right of ["1", "90", "45"]) expect(await leaveWith(right)).toEqual([right, right, false]);
  expect(await leaveWith("")).toEqual(["", "45", false]);
  await press("Save");
  await waitFor(() => expect(sent).toEqual([{ invoice_lookback: 45 }]));
  expect((await screen.findAllByText("Settings saved.")).length).toBeGreaterThan(0);
  await userEvent.click(screen.getByRole("checkbox", { name: "Attach proofs of delivery to invoices" }));
  await press("Save");
  await waitFor(() => expect(sent[1]).toEqual({ attach_pods: "true" }));
  await userEvent.clear(contact);
  await userEvent.fill(contact, "ops@acme.example");
  await press("Update contact");
  await waitFor(() => expect(sent[2]).toEqual({ contact_email: "ops@acme.example" }));
  await waitFor(() => expect(readings()).toBe(before + 3));
});

test("SE-21 ER-04 TR-20 a refused setting shows the server's sentence beside it, in any form", async () => {
  await open("/settings/?section=tracking");
  server.on(
    "PUT /api/v1/company",
    problem(400, "Enter an email address in the format name@example.com.", "invalid_email"),
  );
  const contact = screen.getByRole("textbox", { name: "Contact email" });
  await userEvent.clear(contact);
  await userEvent.fill(contact, "ops at acme");
  await userEvent.click(screen.getByRole("button", { name: "Update contact" }));
  expect((await screen.findByRole("alert")).textContent).toContain(
    "Enter an email address in the format name@example.com.",
  );
  server.on("PUT /api/v1/company", { status: 400, text: '{"detail":{"contact_email":"unknown"}}' });
  await userEvent.click(screen.getByRole("button", { name: "Update contact" }));
  expect(await screen.findByText('{"contact_email":"unknown"}')).toBeTruthy();
  server.on("PUT /api/v1/company", problem(402, "Tracking Service isn't active."));
  const tracked = within(screen.getByRole("form", { name: "What is tracked" }));
  await userEvent.click(tracked.getByRole("checkbox", { name: "Attach proofs of delivery to invoices" }));
  await userEvent.click(tracked.getByRole("button", { name: "Save" }));
  expect((await tracked.findByRole("alert")).textContent).toContain("Tracking Service isn't active.");
});

test("SE-22 loading details reserve their space; a failure is shown beside the companies, and a retry loads them", async () => {
  let answer = () => {};
  const wait = new Promise<void>((resolve) => (answer = resolve));
  server.on("GET /api/v1/company", { ...problem(403, "Locked for a moment."), wait });
  server.on("GET /api/v1/user", { json: owner() });
  server.visit("/settings/");
  renderPage();
  expect(await screen.findByRole("progressbar", { name: "Loading the company's settings" })).toBeTruthy();
  answer();
  const failure = await screen.findByRole("group", { name: "Error!" });
  expect(failure.textContent).toContain("Locked for a moment.");
  expect(screen.queryByRole("heading", { level: 3 })).toBeNull();
  server.on("GET /api/v1/company", { json: { companies: [details] } });
  await userEvent.click(within(failure).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(headers()[0]).toBe("Current Services"));
  expect(screen.queryByText("Locked for a moment.")).toBeNull();
});

test("SE-23 a save in progress completes for its own company after switching, and does not show in the other's form", async () => {
  const both = [acme, { ...beta, admin: OLIVE }];
  const companies = both.map((each) => ({ ...details, ...each }));
  server.on("GET /api/v1/company", { json: { companies } });
  server.on("GET /api/v1/user", { json: owner({ companies: both }) });
  let answer = () => {};
  const wait = new Promise<void>((resolve) => (answer = resolve));
  const saved: (string | null)[] = [];
  server.on("PUT /api/v1/company", ({ url, realm }) => {
    saved.push(url.searchParams.get("realm_id"), realm);
    return { json: { ...details, settings: { ...settingsOfAcme, invoice_lookback: 45 } }, wait };
  });
  server.visit("/settings/?section=tracking");
  renderPage();
  const days = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Look back (days)" });
  await screen.findByRole("textbox", { name: "Look back (days)" });
  await userEvent.clear(days());
  await userEvent.type(days(), "45");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(saved).toEqual(["1", "1"]));
  await userEvent.click(screen.getByRole("radio", { name: "Beta Supply" }));
  expect(days().value).toBe("30");
  answer();
  await waitFor(() => expect(screen.getAllByText("Settings saved.").length).toBeGreaterThan(0));
  expect([days().value, screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled]).toEqual([
    "30",
    true,
  ]);
  await userEvent.click(screen.getByRole("radio", { name: "Acme Tools" }));
  expect(days().value).toBe("45");
  expect(saved).toHaveLength(2);
});
