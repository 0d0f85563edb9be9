import { thumbHashToAverageRGBA, thumbHashToDataURL, thumbHashToRGBA } from 'thumbhash';
import { whenSlow } from './scrollSpeed.ts';

/** Returns the average colour of a ThumbHash as a CSS colour. Takes a few microseconds. */
export const getAverageColour = (placeholder: string): string => {
  const { r, g, b } = thumbHashToAverageRGBA(decodeBase64(placeholder));
  return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(' ')})`;
};

/** Time for painting placeholders per frame, in ms. Painting one takes about half of it on a slow phone. */
const frameBudgetMs = 4;

/** Delay before a ThumbHash is painted, in ms. Most thumbnails load earlier and need only the average colour. */
const paintAfterMs = 100;

const queue = new Set<() => void>();
let isScheduled = false;

/** Paints a ThumbHash of about 32 × 32 pixels, with the delays of `showThumbHash`. */
export const paintThumbHash = (canvas: HTMLCanvasElement, placeholder: string): (() => void) =>
  paintLater(() => paint(canvas, placeholder));

/**
 * Sets a ThumbHash as the background of an element after `paintAfterMs`. Returns a function that cancels it and removes
 * the background. Spreads the work over several frames and waits during fast scrolling. Uses no canvas, which would add
 * a compositing layer per cell.
 */
export const showThumbHash = (element: HTMLElement, placeholder: string): (() => void) => {
  const stop = paintLater(() => {
    element.style.backgroundImage = `url(${thumbHashToDataURL(decodeBase64(placeholder))})`;
  });
  return () => {
    stop();
    element.style.backgroundImage = '';
  };
};

function paintLater(action: () => void): () => void {
  const timer = setTimeout(() => {
    queue.add(action);
    schedule();
  }, paintAfterMs);
  return () => {
    clearTimeout(timer);
    queue.delete(action);
  };
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  whenSlow(() => requestAnimationFrame(paintBatch));
}

function paintBatch(): void {
  isScheduled = false;
  const endMs = performance.now() + frameBudgetMs;
  for (const action of queue) {
    if (performance.now() > endMs) return schedule();
    queue.delete(action);
    action();
  }
}

function paint(canvas: HTMLCanvasElement, placeholder: string): void {
  const { w, h, rgba } = thumbHashToRGBA(decodeBase64(placeholder));
  canvas.width = w;
  canvas.height = h;
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0);
}

function decodeBase64(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}
