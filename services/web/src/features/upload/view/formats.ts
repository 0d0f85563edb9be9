const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** “3.4 GB”: two digits that count, units of a thousand as disks and operating systems have them. */
export const formatBytes = (bytes: number, language: string): string => {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    maximumFractionDigits: power > 1 && value < 100 ? 1 : 0,
  }).format(value);
};

/** “5 minutes”, “2 hours”: the largest unit of which there is more than one. */
export const formatDuration = (seconds: number, language: string): string => {
  const [value, unit] =
    seconds < 90 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: unit === 'hour' && value < 10 ? 1 : 0,
  }).format(value);
};

export const formatPercent = (part: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent' }).format(part);
