/** Texts of carrier accounts. */
export const carrierWords = {
  account: "UPS account",
  hint: "The account number has 6 letters and digits. You sign in at UPS to connect it.",
  connect: "Connect",
  reconnect: "Reconnect",
  disconnect: "Disconnect",
  connected: "UPS account connected.",
  disconnected: "UPS account disconnected.",
  connectError: "Error Connecting",
  disconnectError: "Error Disconnecting",
  callback: {
    title: "UPS connection",
    completing: "Completing connection to UPS ...",
    error: "Error connecting to UPS!",
    incomplete: "The answer from UPS was incomplete.",
    settings: "Back to Settings",
  },
} as const;
