import { formatDollars } from "#web/kit/format.ts";

const toCents = (amount: string): number => Math.round(Number(amount) * 100);

/** @param amount decimal dollars; a price may have more digits than cents have */
export const money = (amount: string): string => {
  const isFine = Number.isInteger(Number((Number(amount) * 100).toFixed(4)));
  return isFine ? formatDollars(toCents(amount)) : `$${amount}`;
};

export const sumMoney = (amounts: readonly string[]): string =>
  formatDollars(amounts.reduce((sum, amount) => sum + toCents(amount), 0));
