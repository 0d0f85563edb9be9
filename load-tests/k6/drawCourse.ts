import type { Course } from './course.ts';

const [width, photosTop, photosHeight, workersHeight] = [760, 64, 220, 90] as const;
const [left, right, gap, bottom] = [70, 30, 40, 44] as const;

const colours = {
  ink: '#1f2933',
  faint: '#d9dee4',
  uploaded: '#9fb8cf',
  ready: '#1f6fb2',
  workers: '#c0392b',
} as const;

/** An SVG of a burst: above how many photos have arrived and how many of them are READY, below how many workers were ready, where that is known. */
export const drawCourse = (title: string, { uploaded, ready, workers }: Course): string => {
  const seconds = Math.max(1, ...[...uploaded, ...workers].map(([at]) => at));
  const x = (at: number): number => round(left + (at / seconds) * (width - left - right));
  const photos = planeOf(photosTop, photosHeight, uploaded, x);
  const below = workers.length === 0 ? undefined : planeOf(photosTop + photosHeight + gap, workersHeight, workers, x);
  const floor = photosTop + photosHeight + (below === undefined ? 0 : gap + workersHeight);
  const height = floor + bottom;
  const step = stepOf(seconds);
  const times = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${left}" y="22" font-size="16" font-weight="bold" fill="${colours.ink}">${title}</text>`,
    key(left, colours.uploaded, 'photos that have arrived'),
    key(left + 200, colours.ready, 'photos that are READY'),
    ...(below === undefined ? [] : [key(left + 390, colours.workers, 'workers that are ready')]),
    ...photos.frame,
    photos.steps(uploaded, colours.uploaded),
    photos.steps(ready, colours.ready),
    ...(below === undefined ? [] : [...below.frame, below.steps(workers, colours.workers)]),
    ...times.map((at) => text(x(at), floor + 20, `${at} s`, 'middle')),
    '</svg>\n',
  ].join('\n');
};

/** A part of the picture with an axis of its own, from 0 to the largest count. */
const planeOf = (top: number, height: number, points: Course['ready'], x: (at: number) => number) => {
  const most = Math.max(1, ...points.map(([, count]) => count));
  const y = (count: number): number => round(top + height - (count / most) * height);
  const step = stepOf(most);
  const counts = Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
  return {
    frame: counts.flatMap((count) => [
      `<line x1="${left}" y1="${y(count)}" x2="${width - right}" y2="${y(count)}" stroke="${colours.faint}"/>`,
      text(left - 10, y(count) + 4, String(count), 'end'),
    ]),
    /** A count holds until the next look. */
    steps: (each: Course['ready'], colour: string): string => {
      const path = each.map(([at, count], index) => (index === 0 ? `M${x(at)} ${y(count)}` : `H${x(at)}V${y(count)}`));
      return `<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="3" stroke-linejoin="round"/>`;
    },
  };
};

/** 1, 2 or 5 times a power of ten, so that an axis has four to ten steps. */
const stepOf = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / 4)));
  return [5, 2, 1].map((factor) => factor * power).find((step) => most / step >= 4) ?? 1;
};

const key = (at: number, colour: string, name: string): string =>
  `<line x1="${at}" y1="40" x2="${at + 20}" y2="40" stroke="${colour}" stroke-width="4"/>\n${text(at + 28, 44, name, 'start')}`;

const text = (x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colours.ink}">${content}</text>`;

const round = (value: number): number => Math.round(value * 10) / 10;
