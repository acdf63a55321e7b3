import type { Cell } from "#features/invoices/web/form/rules.ts";
import type { KeyboardEvent } from "react";

/** Cell of an input of the grid; null for any other element. */
export function findCell(target: EventTarget): Cell | null {
  if (!(target instanceof HTMLInputElement) || target.dataset["row"] === undefined) return null;
  return { row: Number(target.dataset["row"]), column: Number(target.dataset["column"]) };
}

/**
 * Cell that a key moves to: Enter and the up and down arrows move by a row; the left and right arrows move by
 * a cell if the caret is at an end of the text or all of it is selected. Null if the key keeps its default
 * action.
 */
export function nextCell(event: KeyboardEvent<HTMLElement>): Cell | null {
  const cell = findCell(event.target);
  if (!cell || isHeld(event) || isChoosing(event.target as HTMLInputElement)) return null;
  const { row, column } = cell;
  if (event.key === "Enter") return { row: event.shiftKey ? row - 1 : row + 1, column };
  if (event.shiftKey) return null;
  const rows: Partial<Record<string, number>> = { ArrowDown: row + 1, ArrowUp: row - 1 };
  const next = rows[event.key];
  if (next !== undefined) return { row: next, column };
  const { selectionStart: start, selectionEnd: end, value } = event.target as HTMLInputElement;
  const isAllSelected = start === 0 && end === value.length;
  if (event.key === "ArrowLeft" && (isAllSelected || end === 0)) return { row, column: column - 1 };
  if (event.key === "ArrowRight" && (isAllSelected || start === value.length))
    return { row, column: column + 1 };
  return null;
}

/** True while the browser offers choices for the typed text: the arrow keys choose from them. */
function isChoosing({ list, value }: HTMLInputElement): boolean {
  if (value === "" || !list) return false;
  const names = [...(list as HTMLDataListElement).options].map((option) => option.value);
  return names.some((name) => name.toLowerCase().includes(value.toLowerCase())) && !names.includes(value);
}

/** True for keys of the browser or of an input method: with a modifier, or while a character is composed. */
function isHeld({ altKey, ctrlKey, metaKey, nativeEvent }: KeyboardEvent<HTMLElement>): boolean {
  return altKey || ctrlKey || metaKey || nativeEvent.isComposing;
}

/** Focuses a cell and selects its text. @returns false when the grid has no such cell */
export function focusCell(table: HTMLElement, { row, column }: Cell): boolean {
  const input = table.querySelector<HTMLInputElement>(`input[data-row="${row}"][data-column="${column}"]`);
  input?.focus();
  input?.select();
  return input !== null;
}
