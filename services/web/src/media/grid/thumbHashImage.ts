import { thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash';
import { onceCalm } from './scrollSpeed.ts';

/** The mean colour of a picture by its ThumbHash, as CSS knows colours; a few microseconds. */
export const averageColour = (placeholder: string): string => {
  const { r, g, b } = thumbHashToAverageRGBA(bytesOf(placeholder));
  return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(' ')})`;
};

/** How long the painting of placeholders may take in one frame, in milliseconds: one takes about half of that on a slow phone. */
const budgetMs = 4;

/** Most thumbnails are there before this, in milliseconds: only those that take longer need more than their mean colour. */
export const paintAfterMs = 100;

const queue = new Map<HTMLCanvasElement, string>();
let isScheduled = false;

/**
 * Paints the picture that a ThumbHash describes, in about 32 × 32 pixels, unless that is taken back within `paintAfterMs` by what is answered.
 * Many canvases that ask at once are painted over several frames, and none while the page flies by.
 */
export const paintThumbHash = (canvas: HTMLCanvasElement, placeholder: string): (() => void) => {
  const timer = setTimeout(() => {
    queue.set(canvas, placeholder);
    schedule();
  }, paintAfterMs);
  return () => {
    clearTimeout(timer);
    queue.delete(canvas);
  };
};

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  onceCalm(() => requestAnimationFrame(paintSome));
}

function paintSome(): void {
  isScheduled = false;
  const endMs = performance.now() + budgetMs;
  for (const [canvas, placeholder] of queue) {
    if (performance.now() > endMs) return schedule();
    queue.delete(canvas);
    paint(canvas, placeholder);
  }
}

function paint(canvas: HTMLCanvasElement, placeholder: string): void {
  const { w, h, rgba } = thumbHashToRGBA(bytesOf(placeholder));
  canvas.width = w;
  canvas.height = h;
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0);
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}
