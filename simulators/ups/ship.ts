import { randomBytes } from "node:crypto";
import { json, type Reply } from "../kit/http.ts";
import { readSetting, writeSetting } from "../kit/sqlite.ts";
import type { Caller } from "./callers.ts";
import { MASK } from "./cie.ts";
import { isRecord } from "./fields.ts";
import { labelPage, makeLabel } from "./labels.ts";
import { planJourney } from "./journeys.ts";
import {
  insertPackage,
  insertShipment,
  type LabelImage,
  type Package,
  type Party,
  type Shipment,
} from "./records.ts";
import { listIn, refuseIfAny, UpsFault, type Problem } from "./replies.ts";
import {
  chargePackage,
  hideCharges,
  needsHandling,
  packageCharges,
  shipmentCharges,
  weigh,
} from "./ship-charges.ts";
import { readShipRequest, type RequestedParty, type ShipRequest } from "./ship-request.ts";
import { checkShipRequest } from "./ship-rules.ts";
import { readSettings } from "./settings.ts";
import type { Simulator } from "./simulator.ts";
import { buildTrackingNumber } from "./tracking-number.ts";

type Call = { version: string; body: unknown; caller: Caller; query: URLSearchParams };

/**
 * Answers POST `/api/shipments/{version}/ship`: one shipment, one label for each package.
 * @throws UpsFault with every rule that the order breaks; nothing is made then
 */
export function ship(sim: Simulator, { version, body, caller, query }: Call): Reply {
  if (!isRecord(body) || !("ShipmentRequest" in body))
    throw new UpsFault(400, "10002", "The request is well formed but not valid: ShipmentRequest is missing.");
  const request = readShipRequest(body);
  refuseIfAny(
    checkShipRequest({
      request,
      accounts: caller.accounts,
      checksCity: query.get("additionaladdressvalidation") === "city",
      now: sim.clock.now(),
    }),
  );
  const sample = readSettings(sim).mode === "cie";
  const { shipment, packages } = makeShipment(sim, request, { caller, sample });
  const format = request.label.format.toUpperCase() as LabelImage["format"];
  if (!sample) insertShipment(sim, shipment);
  const labels = packages.map((pack) => {
    const label = makeLabel(format, { shipment, pack });
    if (!sample) insertPackage(sim, pack, label);
    return { pack, label };
  });
  return json(200, answer({ version, request, shipment, labels }));
}

type Maker = { caller: Caller; sample: boolean };

function makeShipment(sim: Simulator, request: ShipRequest, { caller, sample }: Maker) {
  const numbers = request.packages.map(() =>
    sample ? MASK : buildTrackingNumber(request.shipper.number, request.service, takeSequence(sim)),
  );
  const [id = ""] = numbers;
  const payer = request.charges.find(({ type }) => type === "01")?.payers[0];
  if (!payer) throw new Error("An order without a payer was not refused.");
  const shipment: Shipment = {
    id,
    account: request.shipper.number,
    user: caller.user,
    createdAt: sim.clock.now().getTime(),
    service: request.service,
    shipper: asParty(request.shipper),
    shipFrom: asParty(request.shipFrom ?? request.shipper),
    shipTo: asParty(request.shipTo),
    residential: request.residential,
    isReturn: request.isReturn,
    payer,
    packageCount: numbers.length,
  };
  const { scenario } = readSettings(sim);
  const packages = request.packages.map((pack, at): Package => ({
    tracking: numbers[at] ?? "",
    shipmentId: id,
    number: at + 1,
    ...weigh(pack),
    description: pack.description,
    references: pack.references.length > 0 ? pack.references : request.references,
    ...(pack.signature === "" ? {} : { signature: pack.signature }),
    scenario,
    steps: planJourney(scenario, shipment.createdAt),
    voidedAt: null,
  }));
  return { shipment, packages };
}

function asParty({ name, attention, phone, lines, ...place }: RequestedParty): Party {
  const { city, state, postal, country } = place;
  return { name, attention, phone: phone ?? "", lines, city, state, postal, country };
}

/** Next number of the simulator's labels. It starts high, so that numbers look used. */
export function takeSequence(sim: Simulator): number {
  const next = readSetting<number>(sim.db, "label_sequence") ?? 1_000_001;
  writeSetting(sim.db, "label_sequence", next + 1);
  return next;
}

type Purchase = {
  version: string;
  request: ShipRequest;
  shipment: Shipment;
  labels: readonly { pack: Package; label: LabelImage }[];
};

function answer({ version, request, shipment, labels }: Purchase): object {
  const own = shipment.payer.kind === "shipper";
  const negotiated = request.asksNegotiated && own;
  const charges = request.packages
    .map((pack) => chargePackage(request, pack))
    .map((each) => (own ? each : hideCharges(each)));
  return {
    ShipmentResponse: {
      Response: {
        ResponseStatus: { Code: "1", Description: "Success" },
        Alert: listIn(version, alerts(request, own)),
        TransactionReference: {
          ...(request.context === "" ? {} : { CustomerContext: request.context }),
          TransactionIdentifier: randomBytes(11).toString("hex"),
        },
      },
      ShipmentResults: {
        ...shipmentCharges(request, charges, { version, negotiated }),
        ShipmentIdentificationNumber: shipment.id,
        PackageResults: listIn(
          version,
          labels.map(({ pack, label }, at) => ({
            TrackingNumber: pack.tracking,
            ...packageCharges(request, charges[at] ?? { base: 0, options: 0, items: [] }, {
              version,
              negotiated,
            }),
            ShippingLabel: shownLabel(pack, label),
          })),
        ),
        ...receipt(request, version),
      },
    },
  };
}

const shownLabel = ({ tracking }: Package, label: LabelImage) => ({
  ImageFormat: { Code: label.format, Description: label.format },
  GraphicImage: label.content.toString("base64"),
  ...(label.format === "ZPL"
    ? {}
    : { HTMLImage: Buffer.from(labelPage(tracking, label)).toString("base64") }),
});

function alerts(request: ShipRequest, own: boolean): { Code: string; Description: string }[] {
  const found: Problem[] = [];
  if (request.asksNegotiated && !own)
    found.push({
      code: "120900",
      message: "User Id and Shipper Number combination is not qualified to receive negotiated rates",
    });
  if (request.packages.some((pack) => needsHandling(weigh(pack))))
    found.push({ code: "129001", message: "Additional Handling has automatically been set on a package" });
  return found.map(({ code, message }) => ({ Code: code, Description: message }));
}

/** A declared value that needs a signed receipt. */
const HIGH_VALUE = 999;

function receipt({ packages }: ShipRequest, version: string): object {
  if (!packages.some(({ declaredValue }) => Number(declaredValue) >= HIGH_VALUE)) return {};
  const page = "<html><body><h1>High value report, simulated</h1><p>Print two copies.</p></body></html>";
  const entry = {
    ImageFormat: { Code: "HTML", Description: "HTML" },
    GraphicImage: Buffer.from(page).toString("base64"),
  };
  return { ControlLogReceipt: listIn(version, [entry]) };
}
