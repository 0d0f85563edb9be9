import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp from 'sharp';
import type { DrawnPhoto } from './landscapes.ts';

/** A photo of the folder familyPhotos, with its capture time and position. */
interface FamilyPhoto {
  readonly file: string;
  /** EXIF capture time, `2026:07:24 10:12:00`. */
  readonly takenAt: string;
  /** Latitude and longitude in degrees. Default: no position. */
  readonly at?: readonly [latitude: number, longitude: number];
}

const home = [43.2627, -2.9253] as const;

/** Real photos, newest first. The dates are invented, the positions of landmarks are real. */
const photos: readonly FamilyPhoto[] = [
  { file: 'aizkorri', takenAt: '2026:10:25 11:40:00', at: [42.9508, -2.3297] },
  { file: 'brook', takenAt: '2026:10:25 10:05:00', at: [42.9701, -2.3584] },
  { file: 'sunset', takenAt: '2026:10:24 18:52:00', at: [42.9508, -2.3297] },
  { file: 'dogs', takenAt: '2026:10:24 09:30:00', at: [43.0331, -2.4132] },
  { file: 'honey-bee', takenAt: '2026:09:06 16:20:00', at: home },
  { file: 'coffee', takenAt: '2026:09:06 09:15:00', at: home },
  { file: 'cat', takenAt: '2026:09:05 19:03:00', at: home },
  { file: 'rocamadour', takenAt: '2026:07:24 17:12:00', at: [44.7994, 1.6178] },
  { file: 'carcassonne', takenAt: '2026:07:23 15:48:00', at: [43.2061, 2.3644] },
  { file: 'pont-du-gard', takenAt: '2026:07:21 11:05:00', at: [43.9475, 4.535] },
  { file: 'avignon', takenAt: '2026:07:20 16:31:00', at: [43.9508, 4.8075] },
  { file: 'arles', takenAt: '2026:07:20 10:22:00', at: [43.6777, 4.6311] },
  { file: 'chambord', takenAt: '2026:07:18 14:40:00', at: [47.6161, 1.517] },
  { file: 'chenonceau', takenAt: '2026:07:18 10:15:00', at: [47.3249, 1.0704] },
  { file: 'mont-saint-michel', takenAt: '2026:07:17 18:20:00', at: [48.636, -1.5115] },
  { file: 'eiffel-tower', takenAt: '2026:07:16 12:10:00', at: [48.8584, 2.2945] },
  { file: 'reims', takenAt: '2026:07:15 17:45:00', at: [49.2539, 4.034] },
  { file: 'picos-de-europa', takenAt: '2026:06:13 12:30:00', at: [43.1933, -4.8529] },
  { file: 'dandelions', takenAt: '2026:05:17 20:10:00', at: home },
  { file: 'citrus', takenAt: '2026:02:08 13:25:00', at: home },
  { file: 'colosseum', takenAt: '2025:10:11 15:30:00', at: [41.8902, 12.4922] },
  { file: 'raccoon', takenAt: '2025:05:24 08:50:00', at: [39.1447, -84.5083] },
  { file: 'roebling-bridge', takenAt: '2025:05:23 21:40:00', at: [39.0925, -84.5098] },
  { file: 'gateway-of-india', takenAt: '2024:01:14 18:40:00', at: [18.922, 72.8347] },
  { file: 'mysore', takenAt: '2024:01:11 11:20:00', at: [12.3052, 76.6552] },
  { file: 'charminar', takenAt: '2024:01:09 10:02:00', at: [17.3616, 78.4747] },
  { file: 'victoria-memorial', takenAt: '2024:01:06 15:10:00', at: [22.5448, 88.3426] },
  { file: 'golden-temple', takenAt: '2024:01:03 09:35:00', at: [31.62, 74.8765] },
  { file: 'hawa-mahal', takenAt: '2023:12:30 09:12:00', at: [26.9239, 75.8267] },
  { file: 'qutub-minar', takenAt: '2023:12:28 14:55:00', at: [28.5245, 77.1855] },
  { file: 'sanchi', takenAt: '2023:12:26 17:05:00', at: [23.4793, 77.7398] },
  { file: 'machu-picchu', takenAt: '2019:08:14 09:20:00', at: [-13.1631, -72.545] },
  { file: 'petra', takenAt: '2018:03:29 10:45:00', at: [30.3217, 35.4519] },
  { file: 'great-wall', takenAt: '2016:07:02 13:15:00', at: [40.4319, 116.5704] },
  { file: 'rocket', takenAt: '2015:02:11 18:03:00', at: [28.5619, -80.5774] },
];

/** Returns real photos, which may be redistributed, as JPEGs with a camera's file names and EXIF data. */
export const readFamilyPhotos = (): Promise<DrawnPhoto[]> => Promise.all(photos.map(toFile));

const toFile = async ({ file, takenAt, at }: FamilyPhoto, index: number): Promise<DrawnPhoto> => {
  const photo = sharp(await readFile(resolve(import.meta.dirname, 'familyPhotos', `${file}.webp`)));
  photo.withExif({ IFD2: { DateTimeOriginal: takenAt } });
  if (at !== undefined) photo.withExifMerge({ IFD3: positionTags(at) });
  return {
    name: `IMG_${2_101 + photos.length - index}.jpg`,
    mimeType: 'image/jpeg',
    buffer: await photo.jpeg({ quality: 88 }).toBuffer(),
  };
};

const positionTags = ([latitude, longitude]: readonly [number, number]): Record<string, string> => ({
  GPSLatitudeRef: latitude < 0 ? 'S' : 'N',
  GPSLatitude: toRationals(latitude),
  GPSLongitudeRef: longitude < 0 ? 'W' : 'E',
  GPSLongitude: toRationals(longitude),
});

/** Formats an angle as EXIF rationals: degrees, minutes and seconds. */
const toRationals = (degrees: number): string => {
  const seconds = Math.round(Math.abs(degrees) * 3_600_000) / 1_000;
  const [wholeDegrees, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return `${wholeDegrees}/1 ${minutes}/1 ${Math.round((seconds % 60) * 1_000)}/1000`;
};
