/** A map of numbers, row by row. */
export interface NumberMap {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** A connected component, including diagonal neighbours: the first and last pixel of each row. */
export type Outline = readonly (readonly [x: number, y: number])[];

/** Returns the connected components above `threshold`, in the order of their first pixels. */
export function connectedParts({ data, width, height }: NumberMap, threshold: number): Outline[] {
  const isSeen = new Uint8Array(data.length);
  const isOpen = (pixel: number): boolean => isSeen[pixel] === 0 && data[pixel]! > threshold;
  const parts: Outline[] = [];
  for (let start = 0; start < data.length; start += 1) {
    if (!isOpen(start)) continue;
    const rows = new Map<number, [number, number]>();
    const waiting = [start];
    isSeen[start] = 1;
    for (let pixel = waiting.pop(); pixel !== undefined; pixel = waiting.pop()) {
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      const row = rows.get(y);
      if (row === undefined) rows.set(y, [x, x]);
      else {
        if (x < row[0]) row[0] = x;
        if (x > row[1]) row[1] = x;
      }
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny += 1)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx += 1) {
          const next = ny * width + nx;
          if (!isOpen(next)) continue;
          isSeen[next] = 1;
          waiting.push(next);
        }
    }
    parts.push(
      [...rows].flatMap(([y, [first, last]]): Outline =>
        first === last
          ? [[first, y]]
          : [
              [first, y],
              [last, y],
            ],
      ),
    );
  }
  return parts;
}
