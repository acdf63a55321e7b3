/** Groups of a UPS shipment number for reading: 1Z, account, service, sequence. */
export function splitShipment(shipment: string): string[] {
  const groups = /^(1Z)(\w{3})(\w{3})(\w{2})(\w{4})(\w{4})$/.exec(shipment);
  return groups ? groups.slice(1) : [shipment];
}
