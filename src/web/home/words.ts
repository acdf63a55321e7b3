/** Texts of the landing page. */
export const homeWords = {
  title: (product: string) => `${product}: invoices that keep themselves up to date`,
  documentTitle: "Home",
  points: [
    "Automatic tracking updates on your invoices.",
    "Proof of delivery attached to the invoice on completion.",
    "Free batch upload of invoices through a spreadsheet template and web form.",
  ],
  getStarted: "Get Started",
  signedOut: "You are signed out.",
  edi: {
    title: "Need EDI?",
    text: "Our partner exchanges orders, ship notices and invoices with your retailers by EDI.",
    link: "Visit our EDI partner (external site)",
  },
  demo: {
    title: "Try it with sample data",
    text: "Everything runs on this machine with simulated services: choose a demo user, upload a sample workbook, and watch the invoices appear in the books.",
    start: "Upload a sample workbook",
    books: "Open the simulated QuickBooks",
  },
} as const;
