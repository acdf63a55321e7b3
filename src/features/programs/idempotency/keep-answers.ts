import type { FastifyReply, FastifyRequest, onSendAsyncHookHandler } from "fastify";
import { seal, unseal, UnreadableSecret, type SealingKeys } from "#platform/crypto/seal.ts";
import type { Ctx } from "#platform/ctx.ts";
import { AppError, badRequest } from "#platform/errors.ts";
import type { Keeper } from "#platform/http/mount.ts";
import {
  claimKey,
  findAnswer,
  releaseKey,
  removeAnswers,
  removeSurplus,
  storeAnswer,
  type KeptLimits,
  type KeyUse,
  type StoredAnswer,
} from "#features/programs/idempotency/store.ts";
import { DAY_MS } from "#platform/time.ts";

/** Request header with a text of the caller's own choice, one for each thing that it wants done. */
export const KEY_HEADER = "Idempotency-Key";
/** `true` in an answer that was kept from the first request. */
export const REPLAYED_HEADER = "Idempotent-Replayed";
export const MAX_KEY_LENGTH = 255;

/** Time for which a caller may repeat a request. */
const KEPT_MS = DAY_MS;
/** No call works longer than this after its body has arrived: its process died. */
const MAX_WORK_MS = 120_000;
const RETRY_AFTER_SECONDS = 1;
/** Larger answers are documents, drawn from stored rows: drawn again they are the same. */
const MAX_KEPT_BYTES = 64 * 1024;
/** Limits for one caller in one company: the latest answers are kept. */
const MAX_KEPT: KeptLimits = { count: 1_000, bytes: 50 * 1024 * 1024 };
/** Headers that say how to read a body; the others belong to each response. */
const KEPT_HEADERS = ["content-type", "content-disposition", "x-document-of"];

/** The answer to an earlier request with the same key, which is sent in place of work. */
class AnswerIsKept extends Error {
  readonly answer: StoredAnswer;

  constructor(answer: StoredAnswer) {
    super("This request was answered before.");
    this.name = "AnswerIsKept";
    this.answer = answer;
  }
}

type Use = KeyUse & { isShownOnce: boolean };
type Held = KeyUse & { holder: string; isShownOnce: boolean };

declare module "fastify" {
  interface FastifyRequest {
    /** The Idempotency-Key that this request works under, until its answer is stored. */
    heldKey?: Held | undefined;
  }
}

/**
 * Keeps the answers of POSTs with an Idempotency-Key for a day. Kept is what a handler answers, refusals included.
 * Answers that say "again later" are not, so that a retry works; nor are those from before a handler starts.
 *
 * The answer is stored after the effect, not with it. If the process dies between them, a repeat does the work again
 * after `MAX_WORK_MS`. That is what a caller without a key does, and each call bears it by itself: the ledger knows
 * the rows of a file, the same order changes nothing, an order has one purchase, and names are unique.
 *
 * For an answer with a secret only the fact is kept: a holder of the caller's key must not get the secret as well.
 */
export function createKeeper({
  db,
  clock,
  ids,
  log,
  sealingKeys,
}: Ctx & { sealingKeys: SealingKeys }): Keeper {
  /** @throws AppError 422 for another request, 409 while the first is being done; AnswerIsKept once it was answered */
  const claim = async (request: FastifyRequest, use: Use, fingerprint: Buffer): Promise<void> => {
    const now = clock.now();
    const held = { ...use, holder: ids.uuid() };
    const since = (ms: number) => new Date(now.getTime() - ms);
    const times = { now, keptSince: since(KEPT_MS), workingSince: since(MAX_WORK_MS) };
    if (await claimKey(db, { ...held, fingerprint, ...times })) {
      request.heldKey = held;
      return;
    }
    const answer = await findAnswer(db, use);
    if (answer && !answer.fingerprint.equals(fingerprint)) throw otherRequest();
    if (!answer || answer.status === null) throw inProgress();
    throw new AnswerIsKept(answer);
  };

  /** Runs before what compresses the body. */
  const keep: onSendAsyncHookHandler = async (request, reply, payload) => {
    const held = request.heldKey;
    if (!held) return payload;
    request.heldKey = undefined;
    try {
      const body = toBody(payload);
      if (body === null || isTemporary(reply)) await releaseKey(db, held);
      else {
        const isSecret = held.isShownOnce && reply.statusCode < 400;
        await storeAnswer(db, held, {
          status: reply.statusCode,
          headers: readHeaders(reply),
          sealed: isSecret ? null : seal(sealingKeys, purpose(held), body.toString("base64")),
        });
        await removeSurplus(db, held, MAX_KEPT);
      }
    } catch (error) {
      // The work is done: its answer is worth more than the next one's being equal.
      log.warn({ err: error }, "An answer could not be kept");
    }
    return payload;
  };

  const open = (use: KeyUse, sealed: string): Buffer => {
    try {
      return Buffer.from(unseal(sealingKeys, purpose(use), sealed), "base64");
    } catch (error) {
      // The operator has removed the sealing key of a day ago.
      if (error instanceof UnreadableSecret) throw unreadable(error);
      throw error;
    }
  };

  const send = (reply: FastifyReply, use: KeyUse, { status, headers, sealed }: StoredAnswer) => {
    if (sealed === null) throw shownOnce();
    const body = open(use, sealed);
    return reply
      .code(status ?? 500)
      .headers({ ...headers, [REPLAYED_HEADER]: "true" })
      .send(body);
  };

  return {
    keep,
    once: async ({ request, reply, scope, isShownOnce }, work) => {
      const key = readKey(request);
      if (key === null) return work(() => Promise.resolve());
      const use = { ...scope, key, isShownOnce };
      try {
        return await work((fingerprint) => claim(request, use, fingerprint));
      } catch (error) {
        if (!(error instanceof AnswerIsKept)) throw error;
        return send(reply, use, error.answer);
      }
    },
  };
}

/** Removes the answers that are kept no longer. */
export const removeOldAnswers = ({ db, clock }: Pick<Ctx, "db" | "clock">): Promise<void> =>
  removeAnswers(db, new Date(clock.now().getTime() - KEPT_MS));

/** @throws AppError 400 for a key that can't be stored or found in a log */
function readKey({ headers }: FastifyRequest): string | null {
  const key = headers[KEY_HEADER.toLowerCase()];
  if (key === undefined) return null;
  if (typeof key === "string" && key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key;
  throw badRequest(
    "invalid_idempotency_key",
    `The header ${KEY_HEADER} must have 1 to ${MAX_KEY_LENGTH} letters, digits, and symbols, without spaces.`,
  );
}

const purpose = ({ realmId, caller, key }: KeyUse) => `answer ${JSON.stringify([realmId, caller, key])}`;

/** Null for a body that is not kept. */
function toBody(payload: unknown): Buffer | null {
  if (typeof payload !== "string" && !(payload instanceof Uint8Array)) return null;
  const body = typeof payload === "string" ? Buffer.from(payload) : Buffer.from(payload);
  return body.length > MAX_KEPT_BYTES ? null : body;
}

const isTemporary = (reply: FastifyReply) => reply.statusCode >= 500 || reply.hasHeader("retry-after");

const readHeaders = (reply: FastifyReply): Record<string, string> =>
  Object.fromEntries(
    KEPT_HEADERS.filter((name) => reply.hasHeader(name)).map((name) => [name, String(reply.getHeader(name))]),
  );

const otherRequest = () =>
  new AppError({
    status: 422,
    code: "idempotency_key_reused",
    detail: `This ${KEY_HEADER} was used in the last 24 hours for a request with different content. Send a new key with each new request.`,
  });

const shownOnce = () =>
  new AppError({
    status: 409,
    code: "shown_once",
    detail: `This was made by the first request with this ${KEY_HEADER}, and its secret was shown once, in that answer. If the answer was lost, remove what was made, and make another one under a new ${KEY_HEADER}.`,
  });

const unreadable = (cause: Error) =>
  new AppError({
    status: 409,
    code: "answer_unreadable",
    detail: `The first request with this ${KEY_HEADER} was done, and its answer can't be shown again. Look up what it did before you send another request under a new ${KEY_HEADER}.`,
    cause,
  });

const inProgress = () =>
  new AppError({
    status: 409,
    code: "idempotency_in_progress",
    detail: `The first request with this ${KEY_HEADER} is still in progress. Send it again in a second to get its answer.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
