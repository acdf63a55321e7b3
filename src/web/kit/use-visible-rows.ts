import {
  type RefCallback,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";

type Options = {
  count: number;
  scroll: RefObject<HTMLElement | null>;
  /** Estimated height of a row that was never rendered. */
  estimatedHeight: number;
  /** Rows drawn above and below those in view. */
  overscan: number;
};

export type VisibleRows = {
  /** Indexes of the rows to draw. */
  indexes: readonly number[];
  /** Height of the rows above and below them. */
  above: number;
  below: number;
  /** Ref of each drawn row, which has its index in `data-index`. */
  measure: RefCallback<HTMLElement>;
};

/** Finds the rows of a long list that are in view of its scroll area. Rows may have any height, and change it. */
export function useVisibleRows({ count, scroll, estimatedHeight, overscan }: Options): VisibleRows {
  const [view, setView] = useState({ top: 0, height: 0 });
  const [heights, setHeights] = useState<ReadonlyMap<number, number>>(new Map());
  useLayoutEffect(() => {
    const area = scroll.current;
    if (!area) return undefined;
    const update = () =>
      setView((before) => {
        // Only a row that comes or goes needs another rendering.
        const top = Math.floor(area.scrollTop / estimatedHeight) * estimatedHeight;
        const height = area.clientHeight;
        return before.top === top && before.height === height ? before : { top, height };
      });
    update();
    area.addEventListener("scroll", update, { passive: true });
    const observer = observe(update);
    observer?.observe(area);
    return () => {
      area.removeEventListener("scroll", update);
      observer?.disconnect();
    };
  }, [scroll, estimatedHeight]);
  // All rows drawn at once are measured together, before they are painted.
  const rowObserver = useMemo(
    () =>
      observe((entries) =>
        setHeights((before) => {
          const measured = entries.flatMap(({ target }) =>
            target instanceof HTMLElement && target.isConnected
              ? [[Number(target.dataset["index"]), target.offsetHeight] as const]
              : [],
          );
          const isNew = measured.some(([index, height]) => before.get(index) !== height);
          return isNew ? new Map([...before, ...measured]) : before;
        }),
      ),
    [],
  );
  useEffect(() => () => rowObserver?.disconnect(), [rowObserver]);
  const measure = useCallback(
    (row: HTMLElement | null) => {
      if (!row) return undefined;
      rowObserver?.observe(row);
      return () => rowObserver?.unobserve(row);
    },
    [rowObserver],
  );
  const { first, end, above, below } = findRange(
    { count, view, overscan },
    (index) => heights.get(index) ?? estimatedHeight,
  );
  return { indexes: Array.from({ length: end - first }, (_, at) => first + at), above, below, measure };
}

/** Pages are tested in a browser without layout. */
const observe = (onChange: ResizeObserverCallback) =>
  typeof ResizeObserver === "undefined" ? null : new ResizeObserver(onChange);

type Range = { count: number; view: { top: number; height: number }; overscan: number };

function findRange({ count, view, overscan }: Range, readHeight: (index: number) => number) {
  const bottom = view.top + view.height;
  const starts = new Float64Array(count + 1);
  for (let index = 0; index < count; index += 1) starts[index + 1] = (starts[index] ?? 0) + readHeight(index);
  const at = (index: number) => starts[index] ?? 0;
  let first = starts.findIndex((_, index) => at(index + 1) > view.top);
  if (first < 0) first = count;
  let end = first;
  while (end < count && at(end) < bottom) end += 1;
  first = Math.max(0, Math.min(first, count - 1) - overscan);
  end = Math.min(count, end + overscan);
  return { first, end, above: at(first), below: at(count) - at(end) };
}
