import { counted } from "#web/kit/format.ts";

/** UI text for the pages of Settings that belong to no feature. */
export const settingsWords = {
  reference: {
    title: "API reference",
    note: "Every call, with examples you can copy",
    state: "Version 1",
    href: "/api/",
  },
  health: {
    row: {
      name: "health",
      title: "Connection health",
      note: "QuickBooks, UPS, Stripe, and your order folder",
      loading: "Loading the connections",
    },
    list: "Connections",
    fine: (connections: number) => `${connections} fine`,
    wrong: (connections: number) => `${connections} ${connections === 1 ? "needs" : "need"} attention`,
    connected: "Connected",
    notConnected: "Not connected",
    attention: "Needs attention",
    quickbooks: "QuickBooks",
    reconnect: "Reconnect",
    reconnectBy: (day: string) => `Reconnect by ${day}`,
    yearly: "Intuit requires you to reconnect every few years. We email the contact address 30 days before.",
    ups: "UPS",
    account: (end: string) => `Account ending ${end}`,
    openSettings: "Open its settings",
    disconnect: "Disconnect",
    ofAccount: "the UPS account",
    stripe: "Stripe",
    paid: "Paid",
    unpaid: (day: string) => `The last renewal wasn't paid. The service stays on until ${day}.`,
    services: (names: number) => counted(names, "paid service"),
    fix: "Fix payment",
    folder: "Order folder",
    checked: (at: string) => `Last checked ${at}`,
  },
} as const;
