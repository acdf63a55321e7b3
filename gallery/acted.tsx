import { type ReactNode, useEffect, useRef } from "react";

/** Performs once the user actions that bring a component into a state. */
export function Acted({ act, children }: { act: (root: HTMLElement) => void; children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  const done = useRef(false);
  useEffect(() => {
    if (!root.current || done.current) return;
    done.current = true;
    act(root.current);
  }, [act]);
  return <div ref={root}>{children}</div>;
}

/** Opens what a closed button opens. */
export function openAll(root: HTMLElement) {
  for (const button of root.querySelectorAll<HTMLElement>("[aria-expanded=false]")) button.click();
}

/** Opens what the first closed button opens. */
export function openFirst(root: HTMLElement) {
  root.querySelector<HTMLElement>("[aria-expanded=false]")?.click();
}

/** Begins to drag a file over a place that takes one. */
export function dragOver(root: HTMLElement) {
  root.firstElementChild?.dispatchEvent(new DragEvent("dragenter", { bubbles: true, cancelable: true }));
}
