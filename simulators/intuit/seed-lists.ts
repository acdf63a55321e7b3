import type { Fields } from "./write-context.ts";

/** Lists of every new demo company. */
export const TERMS: Fields[] = [
  { Name: "Due on receipt", Type: "STANDARD", DueDays: 0 },
  { Name: "Net 10", Type: "STANDARD", DueDays: 10 },
  { Name: "Net 15", Type: "STANDARD", DueDays: 15 },
  { Name: "Net 30", Type: "STANDARD", DueDays: 30 },
  { Name: "Net 60", Type: "STANDARD", DueDays: 60 },
  { Name: "2% 10 Net 30", Type: "STANDARD", DueDays: 30, DiscountDays: 10, DiscountPercent: 2 },
  { Name: "End of month", Type: "DATE_DRIVEN", DayOfMonthDue: 31, DueNextMonthDays: 5 },
];

type CustomerRow = [name: string, email: string, street: string, city: string, state: string, zip: string];

const CUSTOMER_ROWS: CustomerRow[] = [
  ["Ace Hardware Supply", "ap@acehardware.example", "120 Mill Street", "Portland", "OR", "97201"],
  ["Amy's Bird Sanctuary", "amy@birds.example", "4581 Finch Street", "Bayshore", "CA", "94326"],
  ["Bright Home Stores", "invoices@brighthome.example", "900 Market Street", "San Francisco", "CA", "94102"],
  ["Café Béla", "hola@cafebela.example", "77 Olive Avenue", "Santa Fe", "NM", "87501"],
  ["Cool Cars", "office@coolcars.example", "65 Ocean Drive", "Half Moon Bay", "CA", "94213"],
  ["Diego Rodriguez", "diego@rodriguez.example", "321 Channing", "Palo Alto", "CA", "94303"],
  ["Dukes Basketball Camp", "camp@dukes.example", "25 Court Lane", "Tucson", "AZ", "85719"],
  ["Freeman Sporting Goods", "ap@freemansports.example", "370 Easy Street", "Middlefield", "CA", "94482"],
  ["Geeta Kalapatapu", "geeta@kalapatapu.example", "1987 Main Street", "Middlefield", "CA", "94303"],
  ["Harbor Point Marina", "dock@harborpoint.example", "1 Pier Road", "Annapolis", "MD", "21401"],
  ["Home Again Furniture", "buy@homeagain.example", "44 Elm Street", "Grand Rapids", "MI", "49503"],
  ["John Melton", "john@melton.example", "85 Pine Street", "Menlo Park", "CA", "94304"],
  ["Kookies by Kathy", "kathy@kookies.example", "789 Sugar Lane", "Middlefield", "CA", "94303"],
  ["Lakeside Garden Center", "orders@lakesidegarden.example", "16 Shore Drive", "Madison", "WI", "53703"],
  ["Mark Cho", "mark@cho.example", "36 Willow Road", "Menlo Park", "CA", "94304"],
  ["Müller & Sons", "kontor@mueller.example", "5 Brewery Row", "Milwaukee", "WI", "53202"],
  ["Northwind Outfitters", "ap@northwind.example", "2300 Summit Avenue", "Denver", "CO", "80202"],
  ["O'Brien Builders", "accounts@obrien.example", "18 Quarry Road", "Boston", "MA", "02108"],
  ["Paulsen Medical Supplies", "ap@paulsen.example", "900 Health Way", "Sacramento", "CA", "95814"],
  ["Peña Imports", "ventas@pena.example", "210 Alamo Plaza", "San Antonio", "TX", "78205"],
  ["Red Rock Diner", "stephanie@redrock.example", "500 Red Rock Road", "Bayshore", "CA", "94326"],
  ["Rondonuwu Fruit and Vegi", "tony@rondonuwu.example", "847 California Avenue", "San Jose", "CA", "95021"],
  [
    "Sonnenschein Family Store",
    "russ@sonnenschein.example",
    "5647 Cypress Hill",
    "Middlefield",
    "CA",
    "94303",
  ],
  ["Sushi by Katsuyuki", "katsu@sushi.example", "898 Elm Street", "Maplewood", "NJ", "07040"],
  ["Travis Waldron", "travis@waldron.example", "78 First Street", "Monlo Park", "CA", "94304"],
  ["Weiskopf Consulting", "nicola@weiskopf.example", "45612 Main Street", "Bayshore", "CA", "94326"],
];

const SUB_CUSTOMERS: Fields[] = [
  { DisplayName: "0969 Ocean View Road", Parent: "Freeman Sporting Goods" },
  { DisplayName: "55 Twin Lane", Parent: "Freeman Sporting Goods" },
  { DisplayName: "Store 12", Parent: "Bright Home Stores" },
  { DisplayName: "Store 48", Parent: "Bright Home Stores" },
];

export const CUSTOMERS: Fields[] = [
  ...CUSTOMER_ROWS.map(([name, email, street, city, state, zip]) => ({
    DisplayName: name,
    CompanyName: name,
    PrimaryEmailAddr: { Address: email },
    BillAddr: { Id: "1", Line1: street, City: city, CountrySubDivisionCode: state, PostalCode: zip },
    ShipAddr: { Id: "2", Line1: street, City: city, CountrySubDivisionCode: state, PostalCode: zip },
  })),
  ...SUB_CUSTOMERS,
  { DisplayName: "Old Town Records", Active: false },
];

const service = (Name: string, Sku: string, UnitPrice: number): Fields => ({
  Name,
  Sku,
  UnitPrice,
  Type: "Service",
  Description: Name,
});
const inventory = (Name: string, Sku: string, UnitPrice: number): Fields => ({
  Name,
  Sku,
  UnitPrice,
  Type: "Inventory",
  Description: Name,
  Taxable: true,
  TrackQtyOnHand: true,
  QtyOnHand: 500,
  InvStartDate: "2024-01-01",
  IncomeAccountRef: { value: "79", name: "Sales of Product Income" },
});
const inside = (Parent: string, item: Fields): Fields => ({ ...item, Parent });

export const ITEMS: Fields[] = [
  { Name: "Power Tools", Type: "Category" },
  { Name: "Garden", Type: "Category" },
  inside("Power Tools", inventory("Cordless Drill 18V", "CD-18", 129)),
  inside("Power Tools", inventory("Circular Saw", "CS-190", 159.5)),
  inside("Power Tools", inventory("Angle Grinder", "AG-115", 74.95)),
  inside("Power Tools", inventory("Orbital Sander", "OS-150", 89.9)),
  inside("Garden", inventory("Hedge Trimmer", "HT-55", 119)),
  inside("Garden", inventory("Garden Hose 50 ft", "GH-50", 34.25)),
  inside("Garden", inventory("Rock Fountain", "RF-1", 275)),
  inventory("Claw Hammer", "H-16", 19.95),
  inventory("Tape Measure 25 ft", "TM-25", 14.5),
  inventory("Utility Knife", "UK-9", 8.75),
  inventory("Work Gloves", "WG-L", 12.4),
  inventory("Safety Glasses", "SG-1", 9.99),
  inventory("Ladder 8 ft", "LD-8", 139),
  inventory("Wood Screws 100 pcs", "WS-100", 7.35),
  inventory("Paint Roller Set", "PR-3", 16.8),
  inventory("Extension Cord", "EC-30", 27.6),
  service("Installation", "SVC-INST", 85),
  service("Repair hour", "SVC-REP", 72.5),
  service("Delivery", "SVC-DEL", 25),
  service("Consulting", "SVC-CON", 120),
  service("Hours", "SVC-HRS", 60),
  { Name: "Gift Wrap", Type: "NonInventory", Sku: "GW", UnitPrice: 4.5, Description: "Gift Wrap" },
  { Name: "Pallet Fee", Type: "NonInventory", Sku: "PAL", UnitPrice: 18, Description: "Pallet Fee" },
  { ...inventory("Steel Bucket", "SB-12", 11.2), Active: false },
];

export const TAX_CODES_CA: Fields[] = [
  { Id: "2", Name: "Exempt", Description: "Exempt", Taxable: true, TaxGroup: true },
  { Id: "3", Name: "GST", Description: "GST 5%", Taxable: true, TaxGroup: true },
  { Id: "4", Name: "HST ON", Description: "HST Ontario 13%", Taxable: true, TaxGroup: true },
];
