import { checkSegment } from "./check-segment.ts";
import { faultAt, MAX_FAULTS, type FaultCode, type FaultPlace, type X12Fault } from "./faults.ts";
import type { Segment, TransactionSet } from "./transaction-set.ts";

/** Segments of a loop: how often each may be in it. */
export type LoopRules = {
  /** Segment that begins the loop; empty for the set itself. */
  start: string;
  allowed: ReadonlySet<string>;
  /** Segments that are required, or may occur only so often. */
  limited: readonly { name: string; min: number; max: number }[];
  /** Loops inside it by the segment that begins them. */
  loops: ReadonlyMap<string, LoopRules>;
  required: readonly string[];
  /** A set without such a loop is refused. */
  isRequired: boolean;
  /** Loops of a set come by their stage, in any order within one. */
  stage: number;
};

/**
 * Describes a loop: `REF` may be there any number of times, `N4?` once, `N3:2` twice, `BEG!` exactly once.
 * @param segments beginning with the one that begins the loop, except for the set itself
 */
export function defineLoop(
  segments: string,
  loops: readonly LoopRules[] = [],
  { stage = 0, isRequired = false, isSet = false } = {},
): LoopRules {
  const words = segments.split(" ");
  const uses = words.slice(isSet ? 0 : 1).map((word) => {
    const [, name = "", mark, count] = /^(\w+?)([!?]|:(\d+))?$/.exec(word) ?? [];
    const max = count === undefined ? (mark === undefined ? Infinity : 1) : Number(count);
    return { name, min: mark === "!" ? 1 : 0, max };
  });
  return {
    start: isSet ? "" : (words[0] ?? ""),
    allowed: new Set(uses.map(({ name }) => name)),
    limited: uses.filter(({ min, max }) => min > 0 || max < Infinity),
    loops: new Map(loops.map((loop) => [loop.start, loop])),
    required: loops.filter((loop) => loop.isRequired).map(({ start }) => start),
    isRequired,
    stage,
  };
}

export type Loop = {
  /** Name of the segment that begins it. */
  name: string;
  /** The beginning one first; for the set itself without ST and SE. */
  segments: Segment[];
  loops: Loop[];
  /** Position of the first segment, from 1. */
  position: number;
};

type OpenLoop = { loop: Loop; rules: LoopRules; stage: number };

/**
 * Sorts the segments of a set into loops and checks each of them.
 * @param isPartial whether a segment has elements that documents have no field for
 * @returns all faults, those of the envelope included; a set with one is not to be used. `partial` are such segments
 */
export function readLoops(
  set: TransactionSet,
  rules: LoopRules,
  isPartial: (segment: Segment) => boolean,
): { root: Loop; faults: X12Fault[]; partial: Segment[] } {
  const faults = [...set.faults];
  const partial: Segment[] = [];
  const root: Loop = { name: "", segments: [], loops: [], position: 1 };
  if (faults.length > 0) return { root, faults, partial };
  const report = createReport(set, faults);
  const separators = set.mayHoldSeparators ? set.interchange.delimiters : null;
  const path: OpenLoop[] = [{ loop: root, rules, stage: 0 }];
  const last = set.segments.length - 1;
  let segment: Segment = [];
  let position = 0;
  const reportHere = (code: FaultCode, place: FaultPlace) =>
    report(code, { segment: segment[0] ?? "", position, ...place });
  for (let at = 1; at < last; at += 1) {
    segment = set.segments[at] as Segment;
    position = at + 1;
    if (place(path, segment, position)) checkSegment(segment, separators, reportHere);
    else reportHere("segment_unexpected", {});
    if (isPartial(segment)) partial.push(segment);
  }
  checkUses(root, rules, report);
  return { root, faults, partial };
}

/** Reports faults with the control numbers of their set. */
export function createReport(set: TransactionSet, faults: X12Fault[]) {
  return (code: FaultCode, place: FaultPlace): void => {
    if (faults.length >= MAX_FAULTS) return;
    faults.push(
      faultAt(code, {
        interchange: set.interchange.controlNumber,
        group: set.group.controlNumber,
        set: set.controlNumber,
        ...place,
      }),
    );
  };
}

/**
 * Puts a segment into the innermost loop that may hold it. Segments of a loop come before the loops inside it.
 * @returns false when no loop may
 */
function place(path: OpenLoop[], segment: Segment, position: number): boolean {
  const name = segment[0] ?? "";
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const open = path[depth] as OpenLoop;
    if (depth === path.length - 1 && open.rules.allowed.has(name)) {
      open.loop.segments.push(segment);
      return true;
    }
    const rules = open.rules.loops.get(name);
    if (!rules || rules.stage < open.stage) continue;
    const loop: Loop = { name, segments: [segment], loops: [], position };
    open.loop.loops.push(loop);
    open.stage = rules.stage;
    path.length = depth + 1;
    path.push({ loop, rules, stage: 0 });
    return true;
  }
  return false;
}

type Reporter = ReturnType<typeof createReport>;

function checkUses(loop: Loop, rules: LoopRules, report: Reporter): void {
  const place = { position: loop.position };
  for (const { name, min, max } of rules.limited) {
    let count = 0;
    for (const segment of loop.segments) if (segment[0] === name) count += 1;
    if (count < min) report("segment_missing", { segment: name, ...place });
    if (count > max) report("segment_too_often", { segment: name, ...place, params: { max } });
  }
  for (const start of rules.required)
    if (!loop.loops.some(({ name }) => name === start))
      report("segment_missing", { segment: start, ...place });
  for (const inner of loop.loops) {
    const innerRules = rules.loops.get(inner.name);
    if (innerRules) checkUses(inner, innerRules, report);
  }
}
