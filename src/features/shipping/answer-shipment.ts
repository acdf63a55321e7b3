import type { Audited } from "#features/audit/index.ts";
import { callUps } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { readTyped, toStranger } from "#features/shipping/find-purchase.ts";
import { toRecovered } from "#features/shipping/shipment-result.ts";
import { requestLabels } from "#features/shipping/request-labels.ts";
import { saveMade } from "#features/shipping/runs.ts";
import { findHeldNumbers } from "#features/shipping/store-search.ts";
import {
  changeShipment,
  findShipment,
  publishShipments,
  type ShipmentId,
  type StoredShipment,
  type Stranger,
} from "#features/shipping/store.ts";
import { lockOrder, settleOrder } from "#features/orders/index.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { AppError, badRequest, conflict, notFound } from "#platform/errors.ts";

type Answer = {
  answer: "create_again" | "tracking_number" | "not_ours" | "void_theirs";
  trackingNumber: string;
  by: string;
};

/**
 * Settles a purchase whose outcome neither UPS's answer nor any search shows, as a user says: the order is open again,
 * or its labels are those of a tracking number, which UPS must give. A shipment that UPS has under the PO number, and that the
 * user says is something else, stays as it is or is voided; labels are made for the order then.
 * @throws AppError 404 for an unknown purchase; 409 for one that is settled, what UPS refuses, or a number whose label has another
 * consignee, which is asked about then; 400 for a number without usable labels
 */
export async function answerShipment(
  ctx: ShippingCtx & Audited,
  id: ShipmentId,
  { answer, trackingNumber, by }: Answer,
): Promise<void> {
  const found = await findShipment(ctx.db, id);
  if (!found) throw notFound("We can't find these labels. Reload the page.");
  if (found.state !== "asked") throw settled();
  const isStranger = answer === "not_ours" || answer === "void_theirs";
  if (isStranger && !found.theirs) throw settled();
  if (answer === "void_theirs" && found.theirs) await voidTheirs(ctx, found, found.theirs);
  const made = answer === "tracking_number" ? await readMade(ctx, found, trackingNumber) : null;
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, id.realmId, found.order_id);
    const shipment = await findShipment(tx, id);
    if (shipment?.state !== "asked") throw settled();
    await ctx.audit(tx, {
      action: "labels.ship_answer",
      after: {
        po_number: shipment.po_number,
        answer,
        shipment: made?.number ?? (isStranger ? (shipment.theirs?.number ?? "") : ""),
      },
    });
    if (!made) {
      await changeShipment(tx, id, {
        state: "failed",
        cause: JSON.stringify({ code: "abandoned", params: shownTo(shipment), tid: null }),
      });
      await settleOrder(ctx, tx, order);
      return;
    }
    await saveMade(ctx, tx, shipment, made);
  });
  if (!isStranger) return;
  const { order_id: orderId, cartons, cancels, body } = found;
  const wanted = {
    orderId,
    cartons,
    cancels: cancels?.lines ?? [],
    // Labels of another part may have the same cartons.
    key: ctx.ids.uuid(),
    // The next part: labels of a lower one may have been voided since the question.
    part: null,
    service: body.service,
  };
  const [started] = await requestLabels(ctx, { realmId: id.realmId, by }, [wanted]);
  if (started?.problem) throw started.problem;
}

/** @throws AppError when UPS keeps it, or a purchase here has it since the question */
async function voidTheirs(
  ctx: ShippingCtx,
  { realm_id: realmId, id }: StoredShipment,
  { number, numbers }: Stranger,
): Promise<void> {
  await requireNotHeld(ctx, numbers, { number, except: id });
  const { state } = await askUps(() =>
    callUps(ctx, realmId, (ups, { token }) => ups.voidShipment(token, number)),
  );
  if (state === "voided") return;
  throw conflict(
    "void_refused",
    `UPS didn't void ${number}: it has scanned the package. Choose another answer.`,
  );
}

/** The shipment without a usable label that the user was shown: the next purchase isn't asked about it again. */
const shownTo = ({ cause }: StoredShipment) =>
  cause?.code === "label_not_given" ? { shipment: cause.params["shipment"] } : {};

const settled = () => conflict("labels_settled", "This was already answered. Reload the page.");

async function readMade(ctx: ShippingCtx, shipment: StoredShipment, typed: string) {
  const number = typed.replaceAll(/\s/g, "").toUpperCase();
  if (!/^1Z[0-9A-Z]{16}$/.test(number))
    throw badRequest(
      "invalid_tracking_number",
      "A UPS tracking number is 1Z followed by 16 letters or digits.",
    );
  const read = await askUps(() => readTyped(ctx, shipment, number));
  const { answer, reference, agrees } = read;
  const made = answer.state === "found" ? toRecovered(answer) : null;
  if (!made) throw badRequest("no_labels", `UPS has no usable labels for ${number}.`);
  // A purchase whose answer was lost has its reference at UPS, but no number here yet.
  if (reference === "other") throw labelsKnown(number);
  const numbers = made.labels.map((label) => label.trackingNumber);
  await requireNotHeld(ctx, numbers, { number, except: shipment.id });
  if (agrees.consignee === false && !shipment.theirs?.numbers.includes(number))
    throw await askAbout(ctx, shipment, { ...toStranger(read), number });
  return made;
}

/** Asks what a shipment is that a user named, and that UPS has for someone else. @returns the error of this answer */
async function askAbout(ctx: ShippingCtx, of: StoredShipment, theirs: Stranger): Promise<AppError> {
  const { realm_id: realmId, id } = of;
  return ctx.db.transaction().execute(async (tx) => {
    await lockOrder(tx, realmId, of.order_id);
    const shipment = await findShipment(tx, { realmId, id });
    if (shipment?.state !== "asked") return settled();
    const cause = { code: "other_consignee", params: { shipment: theirs.number }, tid: null };
    await changeShipment(
      tx,
      { realmId, id },
      { cause: JSON.stringify(cause), theirs: JSON.stringify(theirs) },
    );
    await publishShipments(tx, realmId);
    const to = theirs.ship_to.join(", ") || theirs.place;
    return conflict(
      "other_consignee",
      `UPS has ${theirs.number} for ${to}. Compare it with PO # ${shipment.po_number}, then choose an answer.`,
    );
  });
}

/** @throws AppError 409 if another purchase has one of the numbers, of this company or one that shares its UPS account */
async function requireNotHeld(
  ctx: ShippingCtx,
  numbers: readonly string[],
  { number, except }: { number: string; except: string },
): Promise<void> {
  const held = await findHeldNumbers(ctx.db, numbers, except);
  if (held.size > 0) throw labelsKnown(number);
}

const labelsKnown = (number: string) =>
  conflict("labels_known", `The labels of ${number} already belong to another order here.`);

async function askUps<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof UpsError)) throw error;
    const [fault] = error.faults;
    throw new AppError({
      status: fault ? 409 : 503,
      code: fault ? "ups_refused" : "ups_unavailable",
      detail: fault
        ? `UPS says: ${fault.message} (${fault.code}).`
        : "UPS isn't responding. Try again in a few minutes.",
      cause: error,
    });
  }
}
