import { invalid } from "./api-error.ts";
import { group, integer, text, type Form } from "./form.ts";

type Listed = { id: string; created?: number };

/** Parameters of every list in addition to its own filters. */
export const LIST_FIELDS = ["created", "ending_before", "limit", "starting_after"] as const;

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;

/** Builds a page of a list, newest first. */
export function listPage<T extends Listed>(objects: readonly T[], form: Form, url: string): object {
  const limit = integer(form, "limit") ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT)
    throw invalid(`This value must be between 1 and ${MAX_LIMIT}.`, { param: "limit" });
  const within = objects.filter((each) => isWithin(each, form));
  const after = text(form, "starting_after");
  const before = text(form, "ending_before");
  const from = after ? findPosition(within, after, "starting_after") + 1 : 0;
  const to = before ? findPosition(within, before, "ending_before") : within.length;
  const start = before ? Math.max(0, to - limit) : from;
  const data = within.slice(start, Math.min(start + limit, to));
  const hasMore = before ? start > 0 : start + limit < to;
  return { object: "list", url, has_more: hasMore, data };
}

function findPosition(objects: readonly Listed[], id: string, param: string): number {
  const position = objects.findIndex((each) => each.id === id);
  if (position < 0) throw invalid(`No such object: '${id}'`, { param, code: "resource_missing" });
  return position;
}

/** `created` is a time, or a group of bounds. */
function isWithin({ created = 0 }: Listed, form: Form): boolean {
  const moment = form["created"];
  if (typeof moment === "string") return created === Number(moment);
  const bounds = group(form, "created");
  const holds: Record<string, (bound: number) => boolean> = {
    gt: (bound) => created > bound,
    gte: (bound) => created >= bound,
    lt: (bound) => created < bound,
    lte: (bound) => created <= bound,
  };
  return Object.keys(bounds).every((name) => holds[name]?.(Number(bounds[name])) ?? true);
}
