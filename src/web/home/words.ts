/** UI text for the landing page. */
export const homeWords = {
  headline: "Upload a spreadsheet. Get invoices in QuickBooks.",
  documentTitle: "Home",
  lead: (product: string) =>
    `${product} checks every row, shows you each invoice, and posts it to QuickBooks Online exactly once.`,
  getStarted: "Get Started",
  free: "Batch upload is free. Sign in with your Intuit account.",
  does: (product: string) => `What ${product} does`,
  points: [
    {
      name: "Automatic tracking updates",
      text: "Tracking details land on your invoices as your carrier reports them.",
    },
    {
      name: "Proof of delivery attached",
      text: "When a delivery is complete, its proof is attached to the invoice.",
    },
    {
      name: "Free batch upload",
      text: "Use our spreadsheet template, or type and paste into the web form.",
    },
  ],
  signedOut: "You are signed out.",
  edi: {
    title: "Need EDI?",
    text: "Our partner exchanges orders, ship notices, and invoices with your retailers by EDI.",
    link: "Visit our EDI partner",
    external: "(external site)",
  },
  demo: {
    title: "Try it with sample data",
    text: "Everything runs on this machine with simulated services. Choose a demo user, upload a sample, and watch the invoices appear in the books.",
    start: "Try it with sample data",
    books: "Open the simulated QuickBooks",
  },
  shot: {
    label:
      "A review: four of five invoices of week-47.xlsx are ready to post, and one customer needs matching.",
    file: "Review week-47.xlsx",
    ready: "4 invoices ready",
    question: "1 question",
    heads: ["Number", "Customer", "Amount", "State"],
    invoices: [
      { number: "M-2001", customer: "Red Rock Diner", amount: "$124.50" },
      { number: "M-2002", customer: "Cool Cars", amount: "$48.00" },
      { number: "M-2003", customer: "Ace Hardwear Supply", amount: "$96.00", open: true },
      { number: "M-2004", customer: "Bayside Bakery", amount: "$156.75" },
      { number: "M-2005", customer: "Freeman Sporting Goods", amount: "$95.00" },
    ] as readonly { number: string; customer: string; amount: string; open?: true }[],
    isReady: "Ready",
    isOpen: "Which customer?",
    sum: "Ready to post",
    total: "$424.25",
  },
} as const;
