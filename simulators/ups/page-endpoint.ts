import type { Reply, WireRequest } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { styleSheet } from "../kit/page-style.ts";
import { labelView } from "./page-label.ts";
import { page } from "./page-layout.ts";
import { packageAction, packagesPage } from "./page-packages.ts";
import { signIn } from "./page-sign-in.ts";
import type { Simulator } from "./simulator.ts";
import { ACCOUNTS, USERS } from "./users.ts";

/** Answers what browsers open: accounts, packages and their labels, and the sign-in page. */
export function pageEndpoint(sim: Simulator, request: WireRequest): Reply {
  const { method, url } = request;
  const [, noun = "", id = "", action = ""] = url.pathname.split("/");
  if (url.pathname === "/_assets/simulated.css") return styleSheet();
  if (url.pathname === "/lasso/signin") return signIn(sim, request);
  if (noun === "packages" && method === "POST")
    return packageAction(sim, { request, id, action }) ?? nothing();
  if (method !== "GET") return nothing();
  if (url.pathname === "/") return homePage();
  if (url.pathname === "/packages") return packagesPage(sim, request);
  return (noun === "labels" ? labelView(sim, id) : undefined) ?? nothing();
}

const homePage = (): Reply =>
  page({
    title: "Accounts",
    content: html`<main>
      <h1>Accounts</h1>
      <p class="lead">Shipper accounts of this simulator, and who may use them.</p>
      <p><a href="/packages">Packages</a></p>
      <div class="scroll" role="region" aria-label="Accounts" tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col">Name</th>
              <th scope="col">ZIP code</th>
              <th scope="col">UPS IDs</th>
            </tr>
          </thead>
          <tbody>
            ${ACCOUNTS.map(
              ({ number, name, postalCode }) =>
                html`<tr>
                  <td>${number}</td>
                  <td>${name}</td>
                  <td>${postalCode}</td>
                  <td>
                    ${USERS.filter(({ accounts }) => accounts.includes(number))
                      .map((user) => user.name)
                      .join(", ")}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </main>`,
  });

const nothing = (): Reply =>
  page({
    title: "Not found",
    status: 404,
    content: html`<main class="narrow"><h1>Not found</h1></main>`,
  });
