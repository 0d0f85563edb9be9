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
