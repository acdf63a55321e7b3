import { type DragEvent, useState } from "react";

/** Takes files that are dropped on an element. @returns whether some are held over it, and its handlers */
export function useFileDrop(onDrop: (files: readonly File[]) => void, { isDisabled = false } = {}) {
  const [isOver, setOver] = useState(false);
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    const isInside = event.currentTarget.contains(event.relatedTarget as Node | null);
    setOver(!isDisabled && (event.type !== "dragleave" || isInside));
  };
  return {
    isOver,
    handlers: {
      onDragEnter: onDrag,
      onDragOver: onDrag,
      onDragLeave: onDrag,
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        const { files } = event.dataTransfer;
        // Dropped text or links are not files and must not clear a choice.
        if (!isDisabled && files.length > 0) onDrop([...files]);
      },
    },
  };
}
