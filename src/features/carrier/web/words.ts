/** UI text for carrier accounts. */
export const carrierWords = {
  account: "UPS account",
  hint: "The account number has 6 letters and digits. You'll sign in at UPS to connect it.",
  connect: "Connect",
  reconnect: "Reconnect",
  disconnect: "Disconnect",
  connected: "UPS account connected.",
  disconnected: "UPS account disconnected.",
  connection: (by: string | null, day: string, used: string) =>
    `Connected ${by === null ? "" : `by ${by}, `}${day} · last used ${used}`,
  you: "you",
  connectError: "Error Connecting",
  disconnectError: "Error Disconnecting",
  /** Texts for a linked account without the Tracking Service. */
  linked: {
    ending: (end: string) => `Account ending ${end}`,
    connected: "Connected",
    attention: "Needs attention",
    list: "What works without Tracking Service",
    labels: (retailer: string) => `UPS labels for ${retailer} orders`,
    works: "Works without Tracking Service",
    tracking: "Tracking and proof of delivery on invoices",
    needs: "Needs Tracking Service",
    disconnecting:
      "Disconnecting stops new labels. Labels already made stay valid, and their history stays here.",
    reconnecting:
      "UPS no longer accepts this connection, so no labels can be made. To reconnect it, add Tracking Service above.",
  },
  callback: {
    title: "UPS connection",
    completing: "Completing connection to UPS ...",
    error: "Error connecting to UPS!",
    incomplete: "UPS's answer was incomplete. Connect again in Settings.",
    settings: "Back to Settings",
  },
} as const;
