import { landscapeHeight } from '@hearth/testkit/pictures/landscapes.ts';

/** Appearance of a drawn person, the same in every picture. */
export interface Appearance {
  readonly skin: string;
  readonly hair: string;
  readonly hasLongHair: boolean;
  readonly shirt: string;
}

/** Centre and radius of a head, in pixels. */
export interface Head {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export const appearances = {
  Ada: { skin: '#f2c9a1', hair: '#5a2f16', hasLongHair: true, shirt: '#c8453b' },
  Bela: { skin: '#c98e62', hair: '#231a17', hasLongHair: false, shirt: '#2f6f8f' },
  Cleo: { skin: '#8d5a3a', hair: '#1b1210', hasLongHair: true, shirt: '#e0a526' },
  Dario: { skin: '#f6d8bd', hair: '#d7d2ca', hasLongHair: false, shirt: '#4d6b44' },
} as const satisfies Record<string, Appearance>;

/** Draws a person's head and shoulders in flat shapes, as SVG elements. */
export const drawFigure = ({ skin, hair, hasLongHair, shirt }: Appearance, { x, y, radius: r }: Head): string => {
  const at = (dx: number, dy: number): string => `${(x + dx * r).toFixed(1)} ${(y + dy * r).toFixed(1)}`;
  const behind = hasLongHair
    ? `<path d="M${at(-1.15, -0.2)} Q${at(-1.2, -1.45)} ${at(0, -1.4)} Q${at(1.2, -1.45)} ${at(1.15, -0.2)} L${at(1.25, 1.6)} L${at(-1.25, 1.6)} z" fill="${hair}"/>`
    : '';
  const shoulders = `<path d="M${at(-2.3, 9)} L${at(-2.2, 2.9)} Q${at(-2.1, 1.75)} ${at(-0.5, 1.45)} L${at(0.5, 1.45)} Q${at(2.1, 1.75)} ${at(2.2, 2.9)} L${at(2.3, 9)} z" fill="${shirt}"/>`;
  const neck = `<path d="M${at(-0.42, 0.7)} L${at(-0.42, 1.5)} Q${at(0, 1.95)} ${at(0.42, 1.5)} L${at(0.42, 0.7)} z" fill="${skin}" stroke="#000" stroke-opacity="0.08"/>`;
  const head = `<ellipse cx="${x}" cy="${y}" rx="${r * 0.92}" ry="${r * 1.12}" fill="${skin}"/>`;
  const fringe = `<path d="M${at(-1, -0.15)} Q${at(-1.05, -1.35)} ${at(0, -1.32)} Q${at(1.05, -1.35)} ${at(1, -0.15)} Q${at(0.7, -0.75)} ${at(-0.1, -0.7)} Q${at(-0.75, -0.65)} ${at(-1, -0.15)} z" fill="${hair}"/>`;
  const eyes = [-0.36, 0.36]
    .map((dx) => `<circle cx="${x + dx * r}" cy="${y - 0.02 * r}" r="${r * 0.085}" fill="#2a1d18"/>`)
    .join('');
  const mouth = `<path d="M${at(-0.34, 0.46)} Q${at(0, 0.78)} ${at(0.34, 0.46)}" fill="none" stroke="#8a3d33" stroke-width="${r * 0.09}" stroke-linecap="round"/>`;
  const nose = `<path d="M${at(0.02, 0.08)} L${at(0.1, 0.3)} L${at(-0.04, 0.3)}" fill="none" stroke="#000" stroke-opacity="0.25" stroke-width="${r * 0.05}" stroke-linecap="round"/>`;
  return behind + shoulders + neck + head + fringe + eyes + nose + mouth;
};

/** Draw an object of a landscape as SVG elements, at a horizontal position and with a width, in pixels. */
export const things = {
  Boat: (x: number, width: number): string => {
    const [y, w] = [landscapeHeight * 0.86, width];
    return `<path d="M${x} ${y - w} V${y - 6} H${x - w * 0.42} z" fill="#fffdf7"/><path d="M${x + 6} ${y - w * 0.9} L${x + w * 0.4} ${y - 6} H${x + 6} z" fill="#d8553b"/>
      <path d="M${x - w * 0.5} ${y} H${x + w * 0.5} L${x + w * 0.32} ${y + w * 0.16} H${x - w * 0.34} z" fill="#5b3420"/>`;
  },
  Tent: (x: number, width: number): string => {
    const [y, w] = [landscapeHeight * 0.95, width];
    return `<path d="M${x} ${y - w * 0.62} L${x + w * 0.5} ${y} H${x - w * 0.5} z" fill="#e58a2e"/><path d="M${x} ${y - w * 0.62} L${x + w * 0.16} ${y} H${x - w * 0.16} z" fill="#7a3f10"/>`;
  },
  Balloon: (x: number, width: number): string => {
    const [y, w] = [landscapeHeight * 0.22, width];
    const stripe = (part: number, colour: string): string =>
      `<ellipse cx="${x}" cy="${y}" rx="${(w / 2) * part}" ry="${w * 0.56}" fill="${colour}"/>`;
    return `${stripe(1, '#c8453b')}${stripe(0.66, '#f3b33d')}${stripe(0.3, '#c8453b')}
      <path d="M${x - w * 0.2} ${y + w * 0.5} L${x - w * 0.09} ${y + w * 0.8} M${x + w * 0.2} ${y + w * 0.5} L${x + w * 0.09} ${y + w * 0.8}" stroke="#4b3621" stroke-width="2"/>
      <rect x="${x - w * 0.1}" y="${y + w * 0.78}" width="${w * 0.2}" height="${w * 0.15}" fill="#7b5630"/>`;
  },
  Cake: (x: number, width: number): string => {
    const [y, w] = [landscapeHeight * 0.93, width];
    const candles = [-0.3, -0.1, 0.1, 0.3]
      .map(
        (part) =>
          `<rect x="${x + w * part - 4}" y="${y - w * 0.66}" width="8" height="${w * 0.2}" fill="#4aa3a2"/><circle cx="${x + w * part}" cy="${y - w * 0.7}" r="8" fill="#ffd766"/>`,
      )
      .join('');
    return `<rect x="-100" y="${y - 20}" width="2000" height="200" fill="#7d4f2c"/>${candles}<rect x="${x - w * 0.45}" y="${y - w * 0.48}" width="${w * 0.9}" height="${w * 0.48}" rx="14" fill="#f6e3d2"/>
      <path d="M${x - w * 0.45} ${y - w * 0.38} q${w * 0.11} ${w * 0.16} ${w * 0.225} 0 t${w * 0.225} 0 t${w * 0.225} 0 t${w * 0.225} 0 V${y - w * 0.48} H${x - w * 0.45} z" fill="#d96b86"/>`;
  },
} as const;
