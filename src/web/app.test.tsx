import { navEntries } from "#web/frame/nav.tsx";
import { signInAddress } from "#web/kit/sign-in-button.tsx";
import { openDraft } from "#web/kit/use-draft.ts";
import {
  acme,
  owner,
  problem,
  recordingReporter,
  renderApp,
  startServer,
  wide,
  userEvent,
} from "#web/test-support.tsx";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";

const server = await startServer();
const signInSentence = "You must sign in with Intuit to access the app.";

function signIn(more: object = {}) {
  server.on("GET /api/v1/user", { json: owner(more) });
  server.on("GET /api/v1/company", { json: { companies: [] } });
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
}

function show(path: string, reporter = recordingReporter().reporter) {
  server.visit(path);
  return renderApp(reporter);
}

const navigation = () => within(screen.getByRole("navigation", { name: "Main" }));
const navTexts = async () => {
  await screen.findByRole("navigation", { name: "Main" });
  const links = within(screen.getByRole("banner")).getAllByRole("link");
  return links.map((link) => link.textContent).filter((text) => text !== "Dockside");
};

const titles: [path: string, heading: string, title: string][] = [
  ["/", "Dockside: Upload a spreadsheet. Get invoices in QuickBooks.", "Home · Dockside"],
  ["/app", "Dockside Upload", "Upload · Dockside"],
  ["/add-in", "Excel Add-In", "Excel Add-In · Dockside"],
  ["/tracking", "Dockside Tracking", "Tracking · Dockside"],
  ["/settings", "Dockside App Settings", "App Settings · Dockside"],
  ["/settings/developers", "Dockside App Settings", "Developers · App Settings · Dockside"],
  ["/settings/data", "Dockside App Settings", "Data & security · App Settings · Dockside"],
  ["/payment-completion", "Recording Payment", "Recording Payment · Dockside"],
  ["/label", "Dockside Shipping Labels", "Shipping Labels · Dockside"],
  ["/orders", "Dockside Orders", "Orders · Dockside"],
  ["/ups-callback", "UPS connection", "UPS connection · Dockside"],
  ["/no-such-page", "Page Not Found", "Page Not Found · Dockside"],
];

test.each(titles)(
  "RT-01 RT-02 RT-03 RT-04 RT-05 RT-06 RT-07 RT-08 RT-09 RT-10 RT-16 %s shows its page and title in the shared frame, with and without a trailing slash",
  async (path, heading, title) => {
    signIn();
    for (const form of new Set([path, path.replace(/\/?$/, "/")])) {
      const page = show(form);
      expect(await screen.findByRole("heading", { level: 1, name: heading })).toBeTruthy();
      await waitFor(() => expect(document.title).toBe(title));
      expect(screen.getAllByRole("banner")).toHaveLength(1);
      expect(screen.getAllByRole("contentinfo")).toHaveLength(1);
      page.unmount();
    }
  },
);

test.each(["/app/", "/app/?form=1", "/contact/", "/no-such-page/"])(
  "UP-45 a file dropped on %s outside a drop target does not open in place of the page; dropped text works",
  async (path) => {
    signIn();
    const page = show(path);
    await screen.findByRole("heading", { level: 1 });
    const isLeftToBrowser = (type: string) =>
      fireEvent.drop(document.body, { dataTransfer: { types: [type] } });
    expect([isLeftToBrowser("Files"), isLeftToBrowser("text/plain")]).toEqual([false, true]);
    page.unmount();
    expect(isLeftToBrowser("Files")).toBe(true);
  },
);

test.each([
  "/get-app/",
  "/disconnect/",
  "/end-user-license-agreement/",
  "/privacy-policy/",
  "/contact/",
  "/controller/",
])("RT-11 %s has its own page", async (path) => {
  signIn();
  show(path);
  expect(await screen.findByRole("heading", { level: 1 })).toBeTruthy();
  expect(screen.queryByText("Page Not Found")).toBeNull();
});

test("RT-17 when the page changes the focus moves to the heading", async () => {
  signIn();
  show("/settings/");
  await navTexts();
  await userEvent.click(navigation().getByRole("link", { name: "Excel Add-In" }));
  const heading = await screen.findByRole("heading", { level: 1, name: "Excel Add-In" });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test.each([
  ["a guest", problem(401, "Sign in.")],
  ["an owner", { json: owner() }],
])("FR-03 the top bar is announced as busy until the session of %s is known", async (_, answer) => {
  const known = Promise.withResolvers<void>();
  signIn();
  server.on("GET /api/v1/user", { ...answer, wait: known.promise });
  show("/no-such-page");
  await screen.findByRole("heading", { level: 1, name: "Page Not Found" });
  expect(screen.getByRole("banner").getAttribute("aria-busy")).toBe("true");
  known.resolve();
  await waitFor(() => expect(screen.getByRole("banner").getAttribute("aria-busy")).toBe("false"));
  expect(screen.getByRole("banner").querySelectorAll("a, button").length).toBeGreaterThan(1);
});

test("FR-02 the brand leads to the landing page", async () => {
  signIn();
  show("/settings/");
  expect(screen.getByRole("link", { name: "Dockside" }).getAttribute("href")).toBe("/");
});

test("FR-03 FR-04 FR-05 FR-06 FR-07 FR-08 FR-09 FR-10 FR-11 FR-12 each viewer sees exactly the entries they may use, in order", async () => {
  const cases: [string[], string[]][] = [
    [
      ["app", "brainchild", "admin"],
      ["Invoices", "Excel Add-In", "Labels", "Orders", "Settings", "Admin", "Sign out"],
    ],
    [["app"], ["Invoices", "Excel Add-In", "Settings", "Sign out"]],
    [["brainchild"], ["Excel Add-In", "Labels", "Orders", "Settings", "Sign out"]],
    [[], ["Excel Add-In", "Settings", "Sign out"]],
  ];
  for (const [groups, texts] of cases) {
    signIn({ groups });
    const page = show("/");
    expect(await navTexts()).toEqual(texts);
    page.unmount();
  }
});

test("FR-05 FR-06 without the flag the add-in has no link; its page stays", async () => {
  const labels = (addInLink: boolean) =>
    navEntries({ signedIn: true, groups: [], hasTracking: false, addInLink }).map(({ label }) => label);
  expect([labels(true), labels(false)]).toEqual([
    ["Excel Add-In", "Settings", "Sign out"],
    ["Settings", "Sign out"],
  ]);
});

test("FR-11 FR-17 guests get only the sign-in button, no entries", async () => {
  server.on("GET /api/v1/user", problem(401, signInSentence));
  show("/");
  const button = await within(screen.getByRole("banner")).findByRole("link", { name: "Sign in with Intuit" });
  expect(button.getAttribute("href")).toBe("/login/");
  expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
});

test.each(["/app/", "/label/"])("FR-18 the top bar of %s has no sign-in button", async (path) => {
  server.on("GET /api/v1/user", problem(401, signInSentence));
  show(path);
  await screen.findByText(signInSentence);
  expect(within(screen.getByRole("banner")).queryByRole("link", { name: "Sign in with Intuit" })).toBeNull();
});

test("FR-13 the entry of the current page is marked", async () => {
  signIn();
  show("/settings");
  await navTexts();
  const marked = navigation()
    .getAllByRole("link")
    .filter((link) => link.getAttribute("aria-current") === "page");
  expect(marked.map((link) => link.textContent)).toEqual(["Settings"]);
});

test("FR-13 Sign out isn't marked, also where it is confirmed", async () => {
  wide(false);
  signIn();
  show("/logout/confirm/");
  await userEvent.click(await screen.findByRole("button", { name: "Menu" }));
  const entry = navigation().getByRole("link", { name: "Sign out" });
  expect(entry.getAttribute("aria-current")).toBeNull();
});

test("FR-15 on narrow screens a menu button opens the same entries, and Escape closes it", async () => {
  wide(false);
  signIn({ groups: ["app"] });
  show("/settings/");
  const menu = await screen.findByRole("button", { name: "Menu" });
  expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
  await userEvent.click(menu);
  expect(await navTexts()).toEqual(["Invoices", "Excel Add-In", "Settings", "Sign out"]);
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe("Invoices");
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
  expect(document.activeElement).toBe(menu);
});

test("FR-21 FR-22 the sign-in address carries the path to come back to", () => {
  expect([signInAddress(), signInAddress("/label/?ups=1")]).toEqual([
    "/login/",
    "/login/?next=%2Flabel%2F%3Fups%3D1",
  ]);
});

test("FR-23 FR-28 while the session is unknown there are neither entries nor sign-in, only a named spinner", async () => {
  let answer: (value?: unknown) => void = () => undefined;
  server.on("GET /api/v1/user", { json: owner(), wait: new Promise((resolve) => (answer = resolve)) });
  server.on("GET /api/v1/company", { json: { companies: [] } });
  show("/settings/");
  expect(await screen.findByRole("progressbar", { name: "Loading your account" })).toBeTruthy();
  expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Sign in with Intuit" })).toBeNull();
  answer();
  await navTexts();
});

test("FR-24 FR-25 FR-26 the footer has its three links and the trademark notices", async () => {
  signIn();
  show("/");
  const footer = within(screen.getByRole("contentinfo"));
  const hrefs = footer.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
  expect(hrefs).toEqual([
    ["License", "/end-user-license-agreement/"],
    ["Privacy", "/privacy-policy/"],
    ["Contact", "/contact/"],
  ]);
  expect(
    footer.getByText(/^Intuit and QuickBooks are trademarks of Intuit Inc\. UPS is a trademark/).textContent,
  ).toBe(
    "Intuit and QuickBooks are trademarks of Intuit Inc. UPS is a trademark of United Parcel Service of America, Inc. " +
      "Excel is a trademark of the Microsoft group of companies. Dockside is not affiliated with them.",
  );
});

test("FR-27 the copyright line has the current year, also when that is 2031", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2031-06-01T12:00:00Z") });
  try {
    signIn();
    show("/");
    expect(within(screen.getByRole("contentinfo")).getByText("© 2031 Dockside")).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  "/app",
  "/add-in",
  "/tracking/?invoice=1",
  "/settings",
  "/settings/developers/?section=webhooks",
  "/payment-completion",
  "/label/?ups=1",
  "/orders/?order=1",
  "/ups-callback",
])(
  "FR-29 FR-30 FR-31 a guest on %s is asked to sign in and comes back to the same path and query",
  async (path) => {
    server.on("GET /api/v1/user", problem(401, signInSentence));
    show(path);
    await screen.findByText(signInSentence);
    const button = within(screen.getByRole("main")).getByRole("link", { name: "Sign in with Intuit" });
    expect(button.getAttribute("href")).toBe(`/login/?next=${encodeURIComponent(path)}`);
  },
);

test("FR-32 a session that could not be loaded shows the error, Try again, and the sign-in below", async () => {
  server.on("GET /api/v1/user", problem(403, "This user is locked."));
  show("/settings/");
  expect(await screen.findByText("Error!")).toBeTruthy();
  expect(screen.getByText("This user is locked.")).toBeTruthy();
  expect(screen.getByText(signInSentence)).toBeTruthy();
  signIn();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "Connected Companies" })).toBeTruthy();
});

test("FR-42 when the session ends on a page, it asks to sign in and says why", async () => {
  signIn();
  server.on("GET /api/v1/invoices", problem(401, signInSentence));
  show("/app/?x=1");
  const button = await within(screen.getByRole("main")).findByRole("link", { name: "Sign in with Intuit" });
  expect(button.getAttribute("href")).toBe("/login/?next=%2Fapp%2F%3Fx%3D1");
  await waitFor(() => expect(screen.getAllByText(signInSentence)).toHaveLength(2));
  expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
});

test("FR-43 the first keyboard stop is the skip link, and it leads into the page", async () => {
  signIn();
  show("/settings/");
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe("Skip to main content");
  await userEvent.keyboard("{Enter}");
  expect(document.activeElement).toBe(screen.getByRole("main"));
});

test("NF-01 NF-02 NF-03 NF-04 NF-05 NF-06 the 404 page names the path as text, without its query", async () => {
  signIn();
  show("/%3Cb%3Ebold?x=1");
  expect(await screen.findByText("404")).toBeTruthy();
  expect(screen.getByText("This page could not be located.")).toBeTruthy();
  expect(screen.getByText('Is there a typo in "/<b>bold"?')).toBeTruthy();
  expect(within(screen.getByRole("main")).getByRole("link").getAttribute("href")).toBe("/");
});

test("Admin looks like a missing page to users outside the admin group", async () => {
  signIn({ groups: ["app"] });
  show("/controller/");
  expect(await screen.findByText("Page Not Found")).toBeTruthy();
});

test("CO-03 CO-11 switching makes the company current, stores its id and notifies the server", async () => {
  signIn();
  show("/settings/");
  const other = await screen.findByRole("radio", { name: "Beta Supply" });
  await userEvent.click(other);
  expect(window.localStorage.getItem("realmId")).toBe("2");
  await waitFor(() => {
    const call = server.requests.find(({ url }) => url.pathname === "/api/v1/user/company");
    expect([call?.method, call?.url.search, call?.realm]).toEqual(["POST", "?realm_id=2", "2"]);
  });
  await waitFor(() => expect(screen.getByText("Now working in Beta Supply")).toBeTruthy());
});

test("CO-08 with no match the first company becomes current and its id is stored", async () => {
  window.localStorage.setItem("realmId", "77");
  signIn();
  show("/settings/");
  await screen.findByRole("radio", { name: "Acme Tools", checked: true });
  await waitFor(() => expect(window.localStorage.getItem("realmId")).toBe("1"));
});

test("CO-06 without companies the stored id is removed", async () => {
  window.localStorage.setItem("realmId", "77");
  signIn({ companies: [] });
  show("/settings/");
  await screen.findByText("You have no companies connected.");
  await waitFor(() => expect(window.localStorage.getItem("realmId")).toBeNull());
});

test("the company menu is in the bar once there are two companies", async () => {
  signIn();
  const two = show("/");
  const menu = await screen.findByRole("combobox", { name: "Company" });
  await userEvent.selectOptions(menu, "Beta Supply");
  expect(window.localStorage.getItem("realmId")).toBe("2");
  two.unmount();
  signIn({ companies: [acme] });
  show("/");
  await navTexts();
  expect(screen.queryByRole("combobox", { name: "Company" })).toBeNull();
});

test("LG-04 a failed sign-in shows its reason, the next steps, and the support id", async () => {
  server.on("GET /api/v1/user", problem(401, signInSentence));
  show("/login/failed?reason=expired&support_id=abc-1&next=%2Flabel%2F");
  expect(await screen.findByRole("heading", { level: 1, name: "Sign-in did not complete" })).toBeTruthy();
  const main = within(screen.getByRole("main"));
  expect(main.getByText("That sign-in link expired. Please sign in again.")).toBeTruthy();
  expect(main.getByRole("link", { name: "Try again" }).getAttribute("href")).toBe("/login/?next=%2Flabel%2F");
  expect(main.getByRole("link", { name: "Home" })).toBeTruthy();
  expect(main.getByText("abc-1")).toBeTruthy();
});

test("LO-02 an old signed-out address shows nothing to a user who has signed in again, and keeps their drafts", async () => {
  signIn();
  openDraft("contact.message").keep("Hello");
  show("/?signed_out=1");
  await navTexts();
  await screen.findByRole("heading", { level: 1 });
  expect(screen.queryByText("You are signed out.")).toBeNull();
  expect(openDraft("contact.message").get()).toBe("Hello");
});

test("LO-02 an old signed-out address keeps the drafts of a user who signed in again while the server fails", async () => {
  server.on("GET /api/v1/user", problem(500, "Something failed."));
  openDraft("contact.message").keep("Hello");
  show("/?signed_out=1");
  await waitFor(() => expect(server.requests).not.toEqual([]));
  await waitFor(() => expect(document.querySelector("[aria-busy=true]")).toBeNull());
  expect(openDraft("contact.message").get()).toBe("Hello");
});

test("LO-02 after signing out the landing page says so; the confirmation posts to /logout/", async () => {
  server.on("GET /api/v1/user", problem(401, signInSentence));
  const home = show("/?signed_out=1");
  expect((await screen.findAllByText("You are signed out.")).length).toBeGreaterThan(0);
  home.unmount();
  show("/logout/confirm");
  const button = await screen.findByRole("button", { name: "Sign out" });
  const form = button.closest("form");
  expect([form?.getAttribute("method"), form?.getAttribute("action")]).toEqual(["post", "/logout/"]);
});
