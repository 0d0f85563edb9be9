/** How long something took, in milliseconds. */
export interface Latency {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
  /** What 95 of 100 may take at most. */
  readonly allowed: number;
}

const [nameWidth, plotWidth, rowHeight, top, bottom, right] = [150, 540, 28, 64, 40, 30] as const;

const colours = {
  ink: '#1f2933',
  faint: '#d9dee4',
  range: '#9fb8cf',
  median: '#1f6fb2',
  p95: '#0b3a63',
  allowed: '#c0392b',
} as const;

/**
 * An SVG with a line for each: a dot at the median, one at 95 %, and a mark at what is allowed, on an axis whose every step is ten times the one
 * before, since answers of a millisecond stand beside photos that take seconds.
 */
export const drawLatencies = (title: string, latencies: readonly Latency[]): string => {
  const powers = latencies
    .flatMap(({ median, p95, allowed }) => [median, p95, allowed])
    .map((ms) => Math.log10(Math.max(ms, 0.1)));
  const [low, high] = [Math.floor(Math.min(...powers, 0)), Math.ceil(Math.max(...powers, 3))];
  const x = (ms: number): number => {
    const share = (Math.log10(Math.max(ms, 10 ** low)) - low) / (high - low);
    return Math.round((nameWidth + share * plotWidth) * 10) / 10;
  };
  const height = top + latencies.length * rowHeight + bottom;
  const width = nameWidth + plotWidth + right;
  const floor = height - bottom;
  const steps = Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step));
  const grid = steps.flatMap((ms) => [
    line(x(ms), top - 8, x(ms), floor, colours.faint),
    text(x(ms), floor + 20, nameOf(ms), 'middle'),
  ]);
  const rows = latencies.flatMap(({ name, median, p95, allowed }, index) => {
    const y = top + rowHeight * (index + 0.5);
    return [
      text(nameWidth - 12, y + 4, name, 'end'),
      line(x(median), y, x(p95), y, colours.range, 5),
      dot(x(median), y, colours.median),
      dot(x(p95), y, colours.p95),
      line(x(allowed), y - 9, x(allowed), y + 9, colours.allowed, 3),
    ];
  });
  const keys = [
    dot(nameWidth + 6, 40, colours.median),
    text(nameWidth + 18, 44, 'median', 'start'),
    dot(nameWidth + 96, 40, colours.p95),
    text(nameWidth + 108, 44, '95 %', 'start'),
    line(nameWidth + 176, 31, nameWidth + 176, 49, colours.allowed, 3),
    text(nameWidth + 188, 44, 'allowed for 95 %', 'start'),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${nameWidth}" y="22" font-size="16" font-weight="bold" fill="${colours.ink}">${escape(title)}</text>`,
    ...keys,
    ...grid,
    ...rows,
    '</svg>\n',
  ].join('\n');
};

/** `0.1 ms`, `100 ms`, `10 s`. */
const nameOf = (ms: number): string => (ms < 1_000 ? `${Number(ms.toPrecision(1))} ms` : `${ms / 1_000} s`);

const line = (x1: number, y1: number, x2: number, y2: number, colour: string, width = 1): string =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"/>`;

const dot = (x: number, y: number, colour: string): string => `<circle cx="${x}" cy="${y}" r="6" fill="${colour}"/>`;

const text = (x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colours.ink}">${escape(content)}</text>`;

const escape = (content: string): string => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
