/**
 * Returns the locale for dates and numbers: the browser's variant of the app language if it has one. Otherwise British
 * users would get American dates.
 */
export const formatLocale = (language: string): string =>
  navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** Formats a size in powers of 1,000: `4.2 GB`. */
export const formatBytes = (bytes: number, language: string): string => {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  const unit = units[power] ?? 'byte';
  const maximumFractionDigits = power > 1 && value < 100 ? 1 : 0;
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(
    value,
  );
};

/** Formats a duration of at least a second: `0:07`, `12:30`, `1:02:03`. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.max(1, Math.round(seconds));
  const minutes = Math.floor(whole / 60);
  const end = padTwo(whole % 60);
  return minutes < 60 ? `${minutes}:${end}` : `${Math.floor(minutes / 60)}:${padTwo(minutes % 60)}:${end}`;
};

function padTwo(value: number): string {
  return String(value).padStart(2, '0');
}
