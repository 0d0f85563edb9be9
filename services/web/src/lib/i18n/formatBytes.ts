const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** A size as people read it, in powers of 1,000 as disks are sold: `4.2 GB`. */
export const formatBytes = (bytes: number, language: string): string => {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  const unit = units[power] ?? 'byte';
  const maximumFractionDigits = power > 1 && value < 100 ? 1 : 0;
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(
    value,
  );
};
