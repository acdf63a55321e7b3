import { formFields, isForeignForm, redirect, type Reply, type WireRequest } from "../kit/http.ts";
import { html, type Html } from "../kit/html.ts";
import { transaction } from "../kit/sqlite.ts";
import { EVENTS } from "./events.ts";
import { findDelivery, isScanned, moveAlong, nextStep, pastSteps, replan, SCENARIOS } from "./journeys.ts";
import { page } from "./page-layout.ts";
import {
  findPackage,
  findShipment,
  listPackages,
  listShipments,
  savePackage,
  type Package,
  type Shipment,
} from "./records.ts";
import { SERVICES } from "./services.ts";
import type { Simulator } from "./simulator.ts";

const PAGE_SIZE = 25;

/** `/packages`: all shipments, newest first; each package with its events, its label, and two actions. */
export function packagesPage(sim: Simulator, { url }: WireRequest): Reply {
  const find = (url.searchParams.get("find") ?? "").trim();
  const all = listShipments(sim)
    .toReversed()
    .map((shipment) => ({ shipment, packages: listPackages(sim, shipment.id) }))
    .filter((each) => matches(each, find.toUpperCase()));
  const at = Math.max(0, Number(url.searchParams.get("page") ?? 1) - 1) * PAGE_SIZE;
  const now = sim.clock.now().getTime();
  const content = html`<main>
    <p><a href="/">Accounts</a></p>
    <h1>Packages</h1>
    <p class="lead">
      Packages move by themselves with the simulated clock, now
      <time datetime="${new Date(now).toISOString()}">${shownTime(now)}</time>. You can move one forward at
      once.
    </p>
    <form method="get" role="search" class="inline">
      <label>Tracking number, reference or name<input type="text" name="find" value="${find}" /></label>
      <button type="submit">Find</button>
    </form>
    ${all.length === 0 && html`<p class="soft">No packages</p>`}
    <ul class="plain">
      ${all.slice(at, at + PAGE_SIZE).map((each) => shipmentItem(each, now))}
    </ul>
    ${pager({ at, total: all.length, find })}
  </main>`;
  return page({ title: "Packages", content });
}

type Listed = { shipment: Shipment; packages: readonly Package[] };

const matches = ({ shipment, packages }: Listed, find: string): boolean =>
  [
    shipment.shipTo.name,
    ...packages.flatMap(({ tracking, references }) => [tracking, ...references.map(({ value }) => value)]),
  ].some((value) => value.toUpperCase().includes(find));

function pager({ at, total, find }: { at: number; total: number; find: string }): Html | null {
  if (total <= PAGE_SIZE) return null;
  const number = at / PAGE_SIZE + 1;
  const link = (to: number, text: string) =>
    html`<a href="?page=${to}&find=${encodeURIComponent(find)}">${text}</a>`;
  return html`<nav class="row" aria-label="Pages">
    <span>${number > 1 && link(number - 1, "Newer")}</span>
    <span class="soft">${at + 1} to ${Math.min(at + PAGE_SIZE, total)} of ${total}</span>
    <span>${at + PAGE_SIZE < total && link(number + 1, "Older")}</span>
  </nav>`;
}

function shipmentItem({ shipment, packages }: Listed, now: number): Html {
  const { shipTo } = shipment;
  return html`<li>
    <p class="soft">
      To <strong>${shipTo.name}</strong>, ${shipTo.city} ${shipTo.state} ${shipTo.postal} ·
      ${SERVICES[shipment.service]?.name} · ${describeAccounts(shipment)} ·
      <time datetime="${new Date(shipment.createdAt).toISOString()}">${shownTime(shipment.createdAt)}</time>
    </p>
    ${packages.map((pack) => packageItem(pack, now))}
  </li>`;
}

const describeAccounts = ({ account, payer }: Shipment): string =>
  payer.account === account || payer.account === ""
    ? `account ${account}`
    : `account ${account}, billed to ${payer.account}`;

function packageItem(pack: Package, now: number): Html {
  const past = pastSteps(pack, now).toReversed();
  const next = nextStep(pack, now);
  return html`<details id="${pack.tracking}">
    <summary>
      <strong>${pack.tracking}</strong>
      <span class="tag ${tagStyle(pack, now)}"
        >${past[0] ? EVENTS[past[0].event].description.trim() : "New"}</span
      >
    </summary>
    <p class="soft">
      ${pack.weightLb} lb, ${pack.lengthIn}×${pack.widthIn}×${pack.heightIn} in
      ${pack.references.map(({ code, value }) => html` · ${code} ${value}`)} ·
      <a href="/labels/${pack.tracking}">Label of ${pack.tracking}</a>
    </p>
    <ul>
      ${past.map(
        ({ at, event }) =>
          html`<li>
            <time datetime="${new Date(at).toISOString()}">${shownTime(at)}</time>
            ${EVENTS[event].description}
          </li>`,
      )}
    </ul>
    ${
      next &&
      html`<form method="post" action="/packages/${pack.tracking}/advance">
          <p>Next: ${EVENTS[next.event].description.trim()}, ${shownTime(next.at)}</p>
          <button type="submit">Move ${pack.tracking} forward</button>
        </form>
        ${
          !isScanned(pack, now) &&
          html`<form method="post" action="/packages/${pack.tracking}/void">
            <button type="submit">Void ${pack.tracking}</button>
          </form>`
        }
        ${scenarioForm(pack)}`
    }
  </details>`;
}

function scenarioForm({ tracking, scenario }: Package): Html {
  return html`<details>
    <summary>Script: ${scenario.replaceAll("_", " ")}</summary>
    <form method="post" action="/packages/${tracking}/scenario">
      <fieldset>
        <legend>Script of ${tracking}</legend>
        ${Object.keys(SCENARIOS).map(
          (name) =>
            html`<label class="choice">
              <input type="radio" name="scenario" value="${name}" ${name === scenario && html`checked`} />
              ${name.replaceAll("_", " ")}
            </label>`,
        )}
      </fieldset>
      <button type="submit">Follow this script</button>
    </form>
  </details>`;
}

function tagStyle(pack: Package, now: number): string {
  if (pack.voidedAt !== null) return "open";
  return findDelivery(pack, now) ? "good" : "";
}

const TIME = new Intl.DateTimeFormat("en-US", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "America/New_York",
});
const shownTime = (at: number): string => `${TIME.format(at)} ET`;

type Action = { request: WireRequest; id: string; action: string };

/** Moves a package forward, voids it, or gives it another script. @returns undefined for an unknown package or action */
export function packageAction(sim: Simulator, { request, id, action }: Action): Reply | undefined {
  if (isForeignForm(request)) return refused("This form came from another site.");
  const pack = findPackage(sim, id);
  const shipment = pack && findShipment(sim, pack.shipmentId);
  if (!shipment) return undefined;
  const now = sim.clock.now().getTime();
  const form = formFields(request.body);
  if (action === "advance") {
    const moved = moveAlong(pack, now);
    if (!moved) return refused("Nothing more happens to this package.");
    transaction(sim.db, () => savePackage(sim, moved));
  } else if (action === "void") {
    if (isScanned(pack, now)) return refused("UPS has this package.");
    transaction(sim.db, () => savePackage(sim, { ...pack, voidedAt: now }));
  } else if (action === "scenario") {
    const scenario = form.get("scenario") ?? "";
    if (!(scenario in SCENARIOS)) return refused("There is no such script.");
    transaction(sim.db, () => savePackage(sim, replan(pack, { scenario, createdAt: shipment.createdAt })));
  } else return undefined;
  return redirect(`/packages#${id}`, 303);
}

const refused = (reason: string): Reply =>
  page({
    title: "Not possible",
    status: 400,
    content: html`<main class="narrow">
      <h1>That wasn't possible</h1>
      <p class="alert" role="alert">${reason}</p>
      <p><a href="/packages">All packages</a></p>
    </main>`,
  });
