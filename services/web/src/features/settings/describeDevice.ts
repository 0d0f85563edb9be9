/** `User-Agent` tokens of browsers. The first match counts: Edge also sends the tokens of Chrome and Safari. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** Describes a `User-Agent` as `Firefox · Linux`. Other clients are described by their product name without version. */
export const describeDevice = (userAgent: string | undefined): string | undefined => {
  if (userAgent === undefined) return undefined;
  const find = (names: readonly (readonly [string, string])[]): string | undefined =>
    names.find(([part]) => userAgent.includes(part))?.[1];
  const known = [find(browsers), find(systems)].filter((name) => name !== undefined);
  return known.length > 0 ? known.join(' · ') : userAgent.split('/')[0];
};
