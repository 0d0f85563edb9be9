import sharp from 'sharp';

/** A drawn photo as a file. */
export interface DrawnPhoto {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A drawn landscape, with its EXIF capture time and position, and its aspect ratio. */
export interface Landscape {
  readonly takenAt: string;
  readonly place: keyof typeof places;
  readonly ratio: number;
  /** SVG elements in the foreground. The height is `landscapeHeight`. */
  readonly front?: string;
}

/** Height of a landscape in pixels. */
export const landscapeHeight = 600;

/** Positions in degrees. */
const places = {
  lake: { latitude: 46.6863, longitude: 7.8632 },
  coast: { latitude: 43.7102, longitude: 7.262 },
  forest: { latitude: 47.9959, longitude: 7.8494 },
} as const;

/** Sky colours from top to horizon, colour of the sun, and colour of the ground. */
const lights = [
  { sky: ['#2f6db5', '#a9d4f0', '#fdf1d6'], sun: '#fff7d8', ground: '#2f5a3c' },
  { sky: ['#35305e', '#c8627a', '#ffb86b'], sun: '#ffe0a3', ground: '#2b2136' },
  { sky: ['#6fa8c9', '#d3e6ea', '#f6efe2'], sun: '#ffffff', ground: '#56733f' },
  { sky: ['#101b3d', '#33477f', '#8f8bb5'], sun: '#f2f3ff', ground: '#0f1a2b' },
  { sky: ['#4aa3a2', '#c4e6c6', '#fbf3c9'], sun: '#fff3b0', ground: '#24523f' },
] as const;

/** Draws landscapes of five summer days. They replace real photos. */
export const drawLandscapes = (): Promise<DrawnPhoto[]> =>
  Promise.all(
    days
      .flatMap(([day, place, ratios]) =>
        ratios.map((ratio, index) => ({ takenAt: `2026:07:${day} ${10 + index}:15:00`, place, ratio })),
      )
      .map(drawLandscape),
  );

const days = [
  ['18', 'lake', [1.5, 0.75, 1.5, 1.33, 1.5]],
  ['17', 'lake', [1.33, 1.78, 0.75, 1.5]],
  ['16', 'forest', [0.75, 1.5, 1.33, 1.5, 1.33]],
  ['12', 'coast', [1.78, 1.33, 0.75, 1.5]],
  ['11', 'coast', [1.5, 1.5]],
] as const satisfies readonly (readonly [string, keyof typeof places, readonly number[]])[];

/** Draws a landscape. `number` determines its light, its hills, and the file name. */
export const drawLandscape = async (
  { takenAt, place, ratio, front = '' }: Landscape,
  number: number,
): Promise<DrawnPhoto> => {
  const height = landscapeHeight;
  const width = Math.round(height * ratio);
  const { latitude, longitude } = places[place];
  const svg = drawSvg(width, height, number, place).replace('</svg>', `${front}</svg>`);
  const buffer = await sharp(Buffer.from(svg))
    .withExif({
      IFD2: { DateTimeOriginal: takenAt },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: toSexagesimal(latitude),
        GPSLongitudeRef: 'E',
        GPSLongitude: toSexagesimal(longitude),
      },
    })
    .jpeg({ quality: 88 })
    .toBuffer();
  return { name: `IMG_${4001 + number}.jpg`, mimeType: 'image/jpeg', buffer };
};

/** Formats degrees for EXIF: degrees, minutes and hundredths of seconds. */
const toSexagesimal = (degrees: number): string => {
  const hundredths = Math.round(degrees * 360_000);
  return `${Math.floor(hundredths / 360_000)}/1 ${Math.floor(hundredths / 6_000) % 60}/1 ${hundredths % 6_000}/100`;
};

/** Draws a sky with a sun, ranges of hills that get darker towards the front, and water or trees. */
const drawSvg = (width: number, height: number, number: number, place: keyof typeof places): string => {
  const next = createGenerator(number + 1);
  const { sky, sun, ground } = lights[number % lights.length]!;
  const horizon = height * (0.45 + 0.15 * next());
  const ranges = Array.from({ length: 4 }, (_, range) => {
    const base = horizon + (height - horizon) * (range / 4) * 0.7;
    return `<path d="${ridge(width, height, base, height * (0.16 - range * 0.03), next)}" fill="${ground}" opacity="${0.35 + range * 0.2}"/>`;
  });
  const water = `<rect y="${height * 0.8}" width="${width}" height="${height * 0.2}" fill="${sky[1]}" opacity="0.75"/>
    <rect y="${height * 0.8}" width="${width}" height="3" fill="${sun}" opacity="0.6"/>`;
  const trees = Array.from({ length: 26 }, () => {
    const [x, size] = [next() * width, 50 + next() * 110];
    return `<path d="M${x} ${height - size} l${size * 0.22} ${size} h${-size * 0.44} z" fill="${ground}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1">
      ${sky.map((colour, index) => `<stop offset="${index / 2}" stop-color="${colour}"/>`).join('')}
    </linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    <circle cx="${width * (0.2 + 0.6 * next())}" cy="${horizon * (0.35 + 0.4 * next())}" r="${height * 0.06}" fill="${sun}"/>
    ${ranges.join('')}${place === 'forest' ? trees.join('') : water}
  </svg>`;
};

/** Returns the outline of a range of hills, filled down to the lower edge. */
const ridge = (width: number, height: number, base: number, rise: number, next: () => number): string => {
  const waves = Array.from({ length: 4 }, (_, index) => ({
    length: width / (1 + index * 1.7),
    shift: next() * 7,
    part: 1 / (index + 1),
  }));
  const points = Array.from({ length: 41 }, (_, index) => {
    const x = (index / 40) * width;
    const y = waves.reduce((sum, { length, shift, part }) => sum + part * Math.sin((x / length) * 6.28 + shift), 0);
    return `${x.toFixed(1)} ${(base - (rise * (y + 1)) / 2).toFixed(1)}`;
  });
  return `M0 ${height} L${points.join(' L')} L${width} ${height} z`;
};

/** Returns a generator of pseudo-random numbers from 0 to 1 (Park and Miller). */
const createGenerator = (seed: number): (() => number) => {
  let state = seed * 7919;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
};
