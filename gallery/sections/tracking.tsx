import { PACKAGE_STATES, type PackageState } from "#features/packages/contract.ts";
import type { TrackedDetailsView, TrackedPackageView } from "#features/tracking/contract.ts";
import {
  sampleDetails,
  sampleInvoice,
  sampleMoving,
  samplePackage,
  sampleTracking,
} from "#features/tracking/web/fixtures/tracked.ts";
import { InvoicePane } from "#features/tracking/web/invoice-pane.tsx";
import { Followed } from "#features/tracking/web/page.tsx";
import { trackedInvoiceQuery, trackedQuery, trackingQuery } from "#features/tracking/web/queries.ts";
import { StateChip } from "#features/tracking/web/state-chip.tsx";
import { StatusNotices } from "#features/tracking/web/status-notices.tsx";
import { useSelection } from "#features/tracking/web/use-selection.ts";
import { WatchState } from "#features/tracking/web/watch-state.tsx";
import Box from "@mui/material/Box";
import { Row, Sample } from "../sample.tsx";
import { seedCompany, failure } from "../samples.ts";
import { acme, olive, type QuerySeed, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";

const words = galleryWords.tracking;
const on = { ...acme, tracking: true as const };

const stateIs = (more = {}): QuerySeed => ({
  key: trackingQuery(acme.id).queryKey,
  data: sampleTracking(more),
});
const { queryKey: listKey } = trackedQuery(acme.id, { show: "all", day: null, search: "" });
const listIs = (invoices: readonly unknown[], next: string | null = null): QuerySeed => ({
  key: listKey,
  data: { pages: [{ invoices, next }], pageParams: [null] },
});
const invoiceIs = (of: TrackedDetailsView): QuerySeed => ({
  key: trackedInvoiceQuery(acme.id, of.id).queryKey,
  data: of,
});

const moving = {
  packages: 1,
  delivered: 0,
  local_date: "2026-11-21",
  local_time: "08:40:00",
  at: "2026-11-21T15:40:00Z",
};
const rows = [
  sampleInvoice(),
  sampleInvoice({ ...moving, ...words.rows.exception, state: "exception" }),
  sampleInvoice({ ...moving, ...words.rows.unscanned, state: "label_created", local_date: "2026-11-17" }),
  sampleInvoice({
    ...moving,
    ...words.rows.today,
    state: "out_for_delivery",
    scheduled_on: "2026-11-21",
  }),
  sampleInvoice({
    ...moving,
    ...words.rows.several,
    state: "in_transit",
    packages: 3,
    delivered: 2,
    scheduled_on: "2026-11-24",
  }),
  sampleInvoice({
    ...words.rows.other,
    state: "ended",
    packages: 0,
    delivered: 0,
    tracking_number: "",
    not_followed: ["FedEx"],
  }),
];

const none = { watched: 0, delivered: 0, moving: 0, attention: 0, delayed: 0, without_proof: 0 };
const unseen = sampleMoving({
  state: "unknown",
  activities: [],
  service: "",
  scheduled_on: null,
  polled_at: null,
});

/** The page: with invoices, without, being loaded, and where it can't be read. */
export function TrackingSection() {
  return (
    <>
      {[
        { name: words.page, seeds: [stateIs(), listIs(rows, words.time), invoiceIs(sampleDetails())] },
        {
          name: words.activated,
          seeds: [
            stateIs({
              progress: { polled: 12, of: 128 },
              checked_at: null,
              counts: { ...none, watched: 128 },
            }),
            listIs([sampleInvoice({ ...moving, ...words.rows.today, state: "unknown", local_date: "" })]),
            invoiceIs(sampleDetails({ ...words.rows.today, details: [unseen] })),
          ],
        },
        { name: words.nothing, seeds: [stateIs({ counts: none }), listIs([])] },
        {
          name: words.loading,
          seeds: [
            { key: trackingQuery(acme.id).queryKey, isFetching: true },
            { key: listKey, isFetching: true },
          ],
        },
        {
          name: words.failed,
          seeds: [
            { key: trackingQuery(acme.id).queryKey, error: failure },
            { key: listKey, error: failure },
          ],
        },
      ].map(({ name, seeds }) => (
        <Sample key={name} name={name}>
          <Stage
            session={{ ...olive, company: on }}
            seeds={[seedCompany({ services: ["tracking"] }), ...seeds]}
          >
            <Followed company={on} />
          </Stage>
        </Sample>
      ))}
    </>
  );
}

/** The page of a company without the service, for its admin and for another user, and after it has ended. */
export function TrackingOffSection() {
  const off = stateIs({ state: "off", counts: none, ups_state: "none" });
  return (
    <>
      <Sample name={words.off}>
        <Stage seeds={[seedCompany(), off]}>
          <Followed company={acme} />
        </Stage>
      </Sample>
      <Sample name={words.offForUser}>
        <Stage session={{ ...olive, isCompanyAdmin: false }} seeds={[seedCompany(), off]}>
          <Followed company={acme} />
        </Stage>
      </Sample>
      {(
        [
          ["ended", { state: "off" }],
          ["noAccount", { ups_state: "none" }],
          ["reconnect", { ups_state: "reconnect_needed" }],
          ["fields", { shipping_fields: "off" }],
          ["problem", { problem: words.problemText, problem_at: words.time }],
        ] as const
      ).map(([name, more]) => (
        <Sample key={name} name={words.notices[name]}>
          <Stage seeds={[seedCompany()]}>
            <StatusNotices tracking={sampleTracking(more)} company={acme} />
          </Stage>
        </Sample>
      ))}
    </>
  );
}

/** One invoice in its states, and the part of Settings. */
export function TrackedInvoiceSection() {
  return (
    <>
      <Sample name={words.states}>
        <Row>
          {PACKAGE_STATES.map((state) => (
            <StateChip key={state} state={state} is_delayed={false} />
          ))}
        </Row>
      </Sample>
      {invoices().map(([name, invoice]) => (
        <Sample key={name} name={name}>
          <Stage>
            <Pane invoice={invoice} />
          </Stage>
        </Sample>
      ))}
      {[
        { name: words.settings, seeds: stateIs() },
        {
          name: words.settingsProblem,
          seeds: stateIs({ problem: words.problemText, problem_at: words.time, checked_at: null }),
        },
      ].map(({ name, seeds }) => (
        <Sample key={name} name={name}>
          <Stage seeds={[seeds]}>
            <WatchState realmId={acme.id} />
          </Stage>
        </Sample>
      ))}
    </>
  );
}

function Pane({ invoice }: { invoice: TrackedDetailsView }) {
  const selection = useSelection();
  return (
    <Box sx={{ maxWidth: "44rem" }}>
      <InvoicePane realmId={acme.id} invoice={invoice} selection={selection} hasHeading={false} />
    </Box>
  );
}

function invoices(): [name: string, invoice: TrackedDetailsView][] {
  const proof = (more: Partial<TrackedPackageView["proof"]>) =>
    samplePackage({ proof: { ...samplePackage().proof, attached_at: null, ...more } });
  const nothing = {
    at: null,
    ship_date: null,
    ship_via: null,
    tracking_number: null,
    freight: null,
    freight_problem: "",
    problem: "",
  };
  const late = (state: PackageState, text: string) =>
    sampleMoving({
      state,
      activities: [
        {
          state,
          text,
          place: words.place,
          at: words.time,
          local_date: "2026-11-21",
          local_time: "14:10:00",
          zone: "EST",
        },
        ...sampleMoving().activities,
      ],
    });
  return [
    [words.several, sampleDetails({ details: [samplePackage(), sampleMoving()], state: "in_transit" })],
    [words.waiting, sampleDetails({ details: [proof({ state: "waiting", due_at: words.time })] })],
    [words.made, sampleDetails({ details: [proof({ state: "activity", problem: words.attachOff })] })],
    [words.gone, sampleDetails({ details: [proof({ state: "gone" })] })],
    [words.exception, sampleDetails({ details: [late("exception", words.exceptionText)] })],
    [
      words.unscanned,
      sampleDetails({
        details: [sampleMoving({ state: "not_found", activities: [], scheduled_on: null, service: "" })],
        written: { ...nothing, problem: words.closed },
      }),
    ],
    [
      words.freight,
      sampleDetails({
        written: { ...sampleDetails().written, freight: "$18.50", freight_problem: words.paid },
      }),
    ],
    [words.other, sampleDetails({ details: [], not_followed: ["FedEx", "USPS"], written: nothing })],
  ];
}
