/** UPS writes some of its words in capitals: "FRONT DOOR" becomes "Front door". */
export function calm(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text.slice(0, 1) + text.slice(1).toLowerCase();
}

/** Writes a city as readers do: "MOUNTAIN VIEW, CA" becomes "Mountain View, CA". */
export function calmPlace(place: string): string {
  return place.replace(/^[^,]+(?=, )/, (city) =>
    city === city.toUpperCase()
      ? city.toLowerCase().replaceAll(/(?<!\p{L})\p{L}/gu, (first) => first.toUpperCase())
      : city,
  );
}
