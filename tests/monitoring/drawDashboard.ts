import sharp, { type Sharp } from 'sharp';
import type { Panel, Unit } from '../../scripts/monitoring/dashboards/dashboard.ts';
import type { NamedLine, WatchedDashboard } from './watchDashboards.ts';

/** Pixels of one of the 24 columns, of the heights of panels, and of what is around a diagram. */
const size = { column: 60, lines: 230, number: 110, row: 30, left: 78, top: 30, bottom: 52 } as const;

/** Lines after the tenth have no name. */
const mostNames = 10;

const colours = [
  '#5794f2',
  '#73bf69',
  '#ff9830',
  '#f2495c',
  '#b877d9',
  '#fade2a',
  '#8ab8ff',
  '#96d98d',
  '#ffb357',
  '#ff7383',
];

/** A picture of a dashboard, laid out as Grafana does it: what it is about, no likeness. */
export const drawDashboard = ({ dashboard, panels }: WatchedDashboard): Sharp => {
  const parts: string[] = [];
  let y = 0;
  for (const row of dashboard.rows) {
    parts.push(text(8, y + 20, row.title, 15, '#ffffff'));
    y += size.row;
    let x = 0;
    let height = 0;
    for (const panel of row.panels) {
      const width = panel.width * size.column;
      if (x + width > 24 * size.column) {
        x = 0;
        y += height;
        height = 0;
      }
      height = Math.max(height, size[panel.kind]);
      const draw = panel.kind === 'lines' ? drawLines : drawNumber;
      parts.push(
        `<g transform="translate(${x} ${y})">${draw(panel, panels.get(panel) ?? [], width - 8, height - 8)}</g>`,
      );
      x += width;
    }
    y += height;
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${24 * size.column}" height="${y}" font-family="sans-serif">
    <rect width="100%" height="100%" fill="#111217"/>${parts.join('')}</svg>`;
  return sharp(Buffer.from(svg));
};

const drawLines = (panel: Panel, lines: readonly NamedLine[], width: number, height: number): string => {
  const points = lines.flatMap((line) => line.points);
  const [from, to] = [Math.min(...points.map(([at]) => at)), Math.max(...points.map(([at]) => at))];
  const top = Math.max(...points.map(([, value]) => value), 0) || 1;
  const [bottom, right] = [height - size.bottom, width - 10];
  const place = ([at, value]: readonly [number, number]): string =>
    `${round(size.left + ((at - from) / (to - from || 1)) * (right - size.left))},${round(bottom - (value / top) * (bottom - size.top))}`;
  const grid = [0, 0.5, 1].map((share) => {
    const at = bottom - share * (bottom - size.top);
    return `<path d="M${size.left} ${at}H${right}" stroke="#2c2e33"/>${text(size.left - 6, at + 4, show(top * share, panel.unit), 11, '#9a9ba1', 'end')}`;
  });
  const drawn = lines.map(
    (line, index) =>
      `<polyline points="${line.points.map(place).join(' ')}" fill="none" stroke="${colourOf(index)}" stroke-width="1.5"/>`,
  );
  const names = lines
    .slice(0, mostNames)
    .map(({ name }, index) => `<tspan dx="8" fill="${colourOf(index)}">${escapeXml(name)}</tspan>`);
  const half = Math.ceil(names.length / 2);
  const legend = [names.slice(0, half), names.slice(half)].map(
    (part, index) => `<text x="0" y="${height - 24 + index * 15}" font-size="11">${part.join('')}</text>`,
  );
  return frame(panel, width, height) + [...grid, ...drawn, ...legend].join('');
};

const drawNumber = (panel: Panel, lines: readonly NamedLine[], width: number, height: number): string => {
  const step = width / Math.max(1, lines.length);
  const numbers = lines.map(({ name, points }, index) => {
    const value = points.at(-1)?.[1];
    const isBad =
      value !== undefined && (value < (panel.goodFrom ?? -Infinity) || value >= (panel.badFrom ?? Infinity));
    const colour = isBad
      ? '#f2495c'
      : panel.goodFrom === undefined && panel.badFrom === undefined
        ? '#d8d9da'
        : '#73bf69';
    const x = step * (index + 0.5);
    return (
      text(x, 66, value === undefined ? '–' : show(value, panel.unit), 26, colour, 'middle') +
      text(x, 90, name, 11, '#9a9ba1', 'middle')
    );
  });
  return frame(panel, width, height) + numbers.join('');
};

const frame = ({ title }: Panel, width: number, height: number): string =>
  `<rect width="${width}" height="${height}" rx="3" fill="#181b1f" stroke="#2c2e33"/>${text(8, 18, title, 13, '#d8d9da')}`;

const text = (x: number, y: number, content: string, points: number, fill: string, anchor = 'start'): string =>
  `<text x="${x}" y="${y}" font-size="${points}" fill="${fill}" text-anchor="${anchor}">${escapeXml(content)}</text>`;

const colourOf = (index: number): string => colours[index % colours.length]!;

const show = (value: number, unit: Unit): string => {
  if (unit === 'bool') return value === 1 ? 'True' : 'False';
  if (unit === 'percentunit') return `${short(value * 100)} %`;
  if (unit === 's') return value < 1 ? `${short(value * 1_000)} ms` : `${short(value)} s`;
  const suffix = { bytes: 'B', Bps: 'B/s', reqps: ' req/s', ops: '/s', short: '' }[unit];
  const scale = [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ].find(([least]) => value >= (least as number)) as [number, string] | undefined;
  return scale === undefined ? `${short(value)} ${suffix}` : `${short(value / scale[0])} ${scale[1]}${suffix}`;
};

/** With three digits that count. */
const short = (value: number): string => String(Number(value.toPrecision(3)));

const round = (value: number): number => Math.round(value * 100) / 100;

const escapeXml = (content: string): string => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
