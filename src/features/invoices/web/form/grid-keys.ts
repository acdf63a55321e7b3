import type { Cell } from "#features/invoices/web/form/rules.ts";
import type { KeyboardEvent } from "react";

/** The cell of an input of the grid, null for any other element. */
export function cellOf(target: EventTarget): Cell | null {
  if (!(target instanceof HTMLInputElement) || target.dataset["row"] === undefined) return null;
  return { row: Number(target.dataset["row"]), column: Number(target.dataset["column"]) };
}

/**
 * Where a key leads from a cell: Enter and the arrows up and down to the row below or above, the arrows left and right
 * to the next cell once the caret is at the text's end or all of it is selected. Null where the key keeps its own meaning.
 */
export function cellAfter(event: KeyboardEvent<HTMLElement>): Cell | null {
  const cell = cellOf(event.target);
  if (!cell || isHeld(event) || isChoosing(event.target as HTMLInputElement)) return null;
  const { row, column } = cell;
  if (event.key === "Enter") return { row: event.shiftKey ? row - 1 : row + 1, column };
  if (event.shiftKey) return null;
  const rows: Partial<Record<string, number>> = { ArrowDown: row + 1, ArrowUp: row - 1 };
  const next = rows[event.key];
  if (next !== undefined) return { row: next, column };
  const { atStart, atEnd } = caretOf(event.target as HTMLInputElement);
  if (event.key === "ArrowLeft" && atStart) return { row, column: column - 1 };
  if (event.key === "ArrowRight" && atEnd) return { row, column: column + 1 };
  return null;
}

/** Whether the browser offers choices for what is typed, which its keys choose from. */
function isChoosing({ list, value }: HTMLInputElement): boolean {
  if (value === "" || !list) return false;
  const names = [...(list as HTMLDataListElement).options].map((option) => option.value);
  return names.some((name) => name.toLowerCase().includes(value.toLowerCase())) && !names.includes(value);
}

/** Keys pressed together with these, or while a character is being composed, are not ours. */
function isHeld({ altKey, ctrlKey, metaKey, nativeEvent }: KeyboardEvent<HTMLElement>): boolean {
  return altKey || ctrlKey || metaKey || nativeEvent.isComposing;
}

function caretOf({ selectionStart: start, selectionEnd: end, value }: HTMLInputElement) {
  const isAllSelected = start === 0 && end === value.length;
  return { atStart: isAllSelected || end === 0, atEnd: isAllSelected || start === value.length };
}

/** Puts the keyboard into a cell, its text selected. @returns false when the grid has no such cell */
export function focusCell(table: HTMLElement, { row, column }: Cell): boolean {
  const input = table.querySelector<HTMLInputElement>(`input[data-row="${row}"][data-column="${column}"]`);
  input?.focus();
  input?.select();
  return input !== null;
}
