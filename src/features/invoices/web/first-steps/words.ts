/** UI text for the demo's first steps. */
export const stepWords = {
  title: "First steps",
  steps: {
    connect: "Connect a company",
    mistakes: "Upload a file with mistakes",
    correct: "Correct its problem rows and post them",
    books: "See the invoices in the simulated QuickBooks",
  },
  sample: "Get the sample",
  open: "Open QuickBooks",
  done: "done",
  notDone: "not done yet",
  count: (done: number, all: number) => `${done} of ${all} done`,
  hide: "Hide first steps",
  reset: "Reset demo data",
  resetQuestion: "This deletes everything uploaded here and in the simulated QuickBooks. You stay signed in.",
  resetNow: "Reset now",
  keep: "Keep it",
  resetError: "Not reset",
} as const;
