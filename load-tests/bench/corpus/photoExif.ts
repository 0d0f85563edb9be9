import type { Random } from '@hearth/testkit/run/seededRandom.ts';
import type { Exif } from 'sharp';

/** Generates the EXIF data of a phone photo: IFD0 for the image, IFD2 for the exposure, IFD3 for GPS. */
export const photoExif = (random: Random, hasPosition: boolean): Exif => {
  const taken = new Date(Date.UTC(2012, 0, 1) + random.between(0, 14 * 365.25 * 24) * 3_600_000);
  const time = taken.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ');
  const { make, model, focalLength, fNumber } = random.pick(cameras);
  const offset = random.pick(['+01:00', '+02:00', '-05:00', '+09:00']);
  return {
    IFD0: { Make: make, Model: model, DateTime: time, Software: '17.1' },
    IFD2: {
      DateTimeOriginal: time,
      DateTimeDigitized: time,
      OffsetTimeOriginal: offset,
      SubSecTimeOriginal: String(taken.getUTCMilliseconds()).padStart(3, '0'),
      ExposureTime: `1/${Math.round(random.between(8, 2_000))}`,
      FNumber: `${fNumber * 10}/10`,
      ISOSpeedRatings: String(random.pick([32, 50, 64, 100, 200, 400, 800, 1600])),
      FocalLength: `${focalLength * 100}/100`,
      LensModel: `${model} back camera ${focalLength}mm f/${fNumber}`,
    },
    ...(hasPosition && { IFD3: position(random) }),
  };
};

const cameras = [
  { make: 'Apple', model: 'iPhone 8', focalLength: 3.99, fNumber: 1.8 },
  { make: 'Apple', model: 'iPhone 12', focalLength: 4.2, fNumber: 1.6 },
  { make: 'Google', model: 'Pixel 6a', focalLength: 4.38, fNumber: 1.7 },
  { make: 'samsung', model: 'SM-G991B', focalLength: 5.4, fNumber: 1.8 },
] as const;

/** Returns a random GPS position between the polar circles. */
const position = (random: Random): Record<string, string> => {
  const [latitude, longitude] = [random.between(-66, 66), random.between(-180, 180)];
  return {
    GPSLatitudeRef: latitude < 0 ? 'S' : 'N',
    GPSLatitude: degrees(Math.abs(latitude)),
    GPSLongitudeRef: longitude < 0 ? 'W' : 'E',
    GPSLongitude: degrees(Math.abs(longitude)),
    GPSAltitude: `${Math.round(random.between(0, 2_500) * 100)}/100`,
  };
};

/** Formats an angle as EXIF rationals, such as `52/1 31/1 1234/100` (degrees, minutes, seconds). */
const degrees = (angle: number): string => {
  const minutes = (angle % 1) * 60;
  return `${Math.floor(angle)}/1 ${Math.floor(minutes)}/1 ${Math.floor((minutes % 1) * 6_000)}/100`;
};
