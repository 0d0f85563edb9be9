/** A day as the API names it in every year: `0403`. */
export const monthDateOf = (date: Date): string =>
  String(date.getMonth() + 1).padStart(2, '0') + String(date.getDate()).padStart(2, '0');
