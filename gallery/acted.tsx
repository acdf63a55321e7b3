import { type ReactNode, useEffect, useRef } from "react";

/** Performs, once, the user actions that lead to a state of a component. */
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

/** Clicks every closed disclosure button. */
export function openAll(root: HTMLElement) {
  for (const button of root.querySelectorAll<HTMLElement>("[aria-expanded=false]")) button.click();
}

/** Clicks the first closed disclosure button. */
export function openFirst(root: HTMLElement) {
  root.querySelector<HTMLElement>("[aria-expanded=false]")?.click();
}

/** Starts dragging a file over a drop target. */
export function dragOver(root: HTMLElement) {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([], "march.xlsx"));
  const event = new DragEvent("dragenter", { bubbles: true, cancelable: true, dataTransfer });
  root.firstElementChild?.dispatchEvent(event);
}
