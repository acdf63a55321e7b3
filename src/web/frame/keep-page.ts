/**
 * A file that nothing on the page took would be opened by the browser in its place.
 * @returns a function that leaves dropped files to the browser again
 */
export function keepPage() {
  const refuse = (event: globalThis.DragEvent) => {
    const { dataTransfer, defaultPrevented: isTaken } = event;
    if (isTaken || !dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    dataTransfer.dropEffect = "none";
  };
  const events = ["dragover", "drop"] as const;
  for (const name of events) window.addEventListener(name, refuse);
  return () => events.forEach((name) => window.removeEventListener(name, refuse));
}
