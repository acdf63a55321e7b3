/** UI text for the shared components. */
export const kitWords = {
  errorTitle: "Error!",
  signInRequired: "You must sign in with Intuit to access the app.",
  signIn: "Sign in with Intuit",
  tryAgain: "Try again",
  sessionEnded: {
    title: "Your session ended",
    lost: "Your last change wasn't sent.",
    goOn: "Sign in again to continue here.",
  },
  offline: {
    title: "You're offline.",
    text: "Nothing is sent until you're back online. Everything you entered stays on this page.",
  },
  away: {
    title: "We can't reach our database right now.",
    text: "We'll keep trying for a minute. Everything you entered stays on this page.",
    sending: "We'll keep trying to send your file for a minute. You don't have to do anything.",
  },
  networkCure: "The server didn't respond. Check your connection, then try again.",
  noAccess: {
    title: (area: string) => `You don't have access to ${area}.`,
    areas: { app: "Invoices", brainchild: "Labels", admin: "Admin" },
    contact: "contact us",
    ask: "Ask your administrator or",
  },
  support: {
    label: "Support ID",
    copy: "Copy",
    copied: "Support ID copied",
    selected: "Your browser doesn't allow copying here. The support ID is selected: press Ctrl+C.",
    contact: "Contact us",
  },
  loadingAccount: "Loading your account",
  loadingPage: "Loading page",
  pageLate: "This page took too long to load. Check your connection.",
  nowWorkingIn: (company: string) => `Now working in ${company}`,
  companies: {
    find: "Find a company",
    list: "Companies",
    found: (count: number) =>
      count === 0 ? "No company by that name" : count === 1 ? "1 company" : `${count} companies`,
  },
  download: (type: string) => `Download ${type}`,
  print: "Print",
  tabRefused: "Your browser blocked the new tab. Allow pop-ups for this site, then try again.",
  connect: "Connect to QuickBooks",
  reconnect: {
    title: "Connection lost",
    text: (company: string) =>
      `QuickBooks no longer accepts our connection to ${company}. Nothing is posted or updated until an admin of the company in QuickBooks reconnects it.`,
    link: "Reconnect",
    ends: (day: string) => `Reconnect by ${day}`,
    endsText: (company: string) =>
      `Intuit requires you to reconnect every few years, and ${company} is due. Reconnect before then and nothing stops.`,
  },
  fallback: {
    title: "Sorry, something went wrong.",
    text: "We were not able to load this page. This error has been reported to our development team. Please try again in a few minutes.",
    reload: "Reload",
  },
  notStarted: {
    title: "This page hasn't started.",
    text: "Its script didn't load. Check your connection, then reload.",
    noScript: "This page needs JavaScript.",
  },
} as const;
