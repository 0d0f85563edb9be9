/** The camera as people call it; many models begin with the make already. */
export const cameraName = (camera: {
  readonly cameraMake?: string | undefined;
  readonly cameraModel?: string | undefined;
}): string | undefined => {
  const make = camera.cameraMake?.trim() ?? '';
  const model = camera.cameraModel?.trim() ?? '';
  const firstWord = make.split(' ')[0]?.toLowerCase() ?? '';
  if (model !== '' && model.toLowerCase().startsWith(firstWord)) return model;
  return [make, model].filter((part) => part !== '').join(' ') || undefined;
};

/** What a camera noted of how it took a picture. */
export interface Exposure {
  readonly focalLength?: number | undefined;
  readonly apertureFNumber?: number | undefined;
  readonly isoEquivalent?: number | undefined;
  readonly exposureTime?: number | undefined;
}

/** How photographers write an exposure, `f/2.8`, `1/250 s`, `50 mm`, `ISO 100`, as far as it is known. Zeros are what lenses without contacts say. */
export const exposureParts = (exposure: Exposure, language: string): readonly string[] => {
  const number = (value: number, digits: number): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: digits, useGrouping: false }).format(value);
  return [
    ...part(exposure.apertureFNumber, (value) => `f/${number(value, 1)}`),
    ...part(exposure.exposureTime, (value) => shutter(value, number)),
    ...part(exposure.focalLength, (value) => `${number(value, value < 10 ? 1 : 0)} mm`),
    ...part(exposure.isoEquivalent, (value) => `ISO ${number(value, 0)}`),
  ];
};

// Cameras count shutter times as fractions of a second down to about a third, and as decimals above.
function shutter(seconds: number, number: (value: number, digits: number) => string): string {
  return seconds < 0.3 ? `1/${number(Math.round(1 / seconds), 0)} s` : `${number(seconds, 1)} s`;
}

function part(value: number | undefined, write: (value: number) => string): readonly string[] {
  return value === undefined || value <= 0 ? [] : [write(value)];
}
