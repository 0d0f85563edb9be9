/** Returns make and model. Omits the make if the model name starts with it. */
export const formatCameraName = (camera: {
  readonly cameraMake?: string | undefined;
  readonly cameraModel?: string | undefined;
}): string | undefined => {
  const make = camera.cameraMake?.trim() ?? '';
  const model = camera.cameraModel?.trim() ?? '';
  const firstWord = make.split(' ')[0]?.toLowerCase() ?? '';
  if (model !== '' && model.toLowerCase().startsWith(firstWord)) return model;
  return [make, model].filter((part) => part !== '').join(' ') || undefined;
};

export interface Exposure {
  readonly focalLength?: number | undefined;
  readonly apertureFNumber?: number | undefined;
  readonly isoEquivalent?: number | undefined;
  readonly exposureTime?: number | undefined;
}

/**
 * Formats an exposure as `f/2.8`, `1/250 s`, `50 mm`, `ISO 100`. Omits unknown values and zeros, which lenses without
 * contacts report.
 */
export const formatExposure = (exposure: Exposure, language: string): readonly string[] => {
  const number = (value: number, digits: number): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: digits, useGrouping: false }).format(value);
  return [
    ...formatPart(exposure.apertureFNumber, (value) => `f/${number(value, 1)}`),
    ...formatPart(exposure.exposureTime, (value) => formatShutter(value, number)),
    ...formatPart(exposure.focalLength, (value) => `${number(value, value < 10 ? 1 : 0)} mm`),
    ...formatPart(exposure.isoEquivalent, (value) => `ISO ${number(value, 0)}`),
  ];
};

// Cameras show times below about a third of a second as fractions, longer ones as decimals.
function formatShutter(seconds: number, number: (value: number, digits: number) => string): string {
  return seconds < 0.3 ? `1/${number(Math.round(1 / seconds), 0)} s` : `${number(seconds, 1)} s`;
}

function formatPart(value: number | undefined, format: (value: number) => string): readonly string[] {
  return value === undefined || value <= 0 ? [] : [format(value)];
}
