/** Types of node-quickbooks for the tests; its own declarations wrongly describe an ES module. */
declare module "node-quickbooks" {
  type Callback = (error: unknown, data?: unknown, response?: { status: number }) => void;
  type Body = Record<string, unknown>;
  type QuickBooks = {
    createInvoice(invoice: Body, callback: Callback): void;
    getInvoice(id: string, callback: Callback): void;
    updateInvoice(invoice: Body, callback: Callback): void;
    deleteInvoice(invoice: Body, callback: Callback): void;
    findCustomers(criteria: unknown, callback: Callback): void;
    findItems(criteria: unknown, callback: Callback): void;
    findAttachables(criteria: unknown, callback: Callback): void;
    batch(items: Body[], callback: Callback): void;
    changeDataCapture(entities: string, since: string, callback: Callback): void;
    getInvoicePdf(id: string, callback: Callback): void;
    sendInvoicePdf(id: string, sendTo: string, callback: Callback): void;
    upload(
      ...args: [name: string, type: string, content: unknown, kind: string, id: string, callback: Callback]
    ): void;
    getCompanyInfo(id: string, callback: Callback): void;
    getUserInfo(callback: Callback): void;
    refreshAccessToken(callback: Callback): void;
    revokeAccess(useRefreshToken: boolean, callback: Callback): void;
  };
  const QuickBooks: new (...settings: unknown[]) => QuickBooks;
  export = QuickBooks;
}
