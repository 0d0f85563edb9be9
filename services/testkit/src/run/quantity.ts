const factors: Readonly<Record<string, number>> = {
  '': 1,
  m: 0.001,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/**
 * Parses a Kubernetes quantity: `100m` is 0.1, `1Gi` is 1,073,741,824.
 * @throws Error if it is invalid
 */
export const parseQuantity = (amount: string | number | undefined): number => {
  const [, number, unit = ''] = /^([0-9.]+)([A-Za-z]*)$/.exec(String(amount)) ?? [];
  const factor = factors[unit];
  if (number === undefined || factor === undefined) throw new Error(`invalid quantity: ${amount}`);
  return Number(number) * factor;
};
