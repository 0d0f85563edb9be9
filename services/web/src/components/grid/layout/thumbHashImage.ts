import { thumbHashToAverageRGBA, thumbHashToDataURL, thumbHashToRGBA } from 'thumbhash';
import { onceCalm } from './scrollSpeed.ts';

/** The mean colour of a picture by its ThumbHash, as CSS knows colours; a few microseconds. */
export const averageColour = (placeholder: string): string => {
  const { r, g, b } = thumbHashToAverageRGBA(bytesOf(placeholder));
  return `rgb(${[r, g, b].map((part) => Math.round(part * 255)).join(' ')})`;
};

/** How long the painting of placeholders may take in one frame, in milliseconds: one takes about half of that on a slow phone. */
const budgetMs = 4;

/** Most thumbnails are there before this, in milliseconds: only those that take longer need more than their mean colour. */
const paintAfterMs = 100;

const queue = new Set<() => void>();
let isScheduled = false;

/** Paints the picture that a ThumbHash describes, in about 32 × 32 pixels, as `showThumbHash` shows it. */
export const paintThumbHash = (canvas: HTMLCanvasElement, placeholder: string): (() => void) =>
  paintLater(() => paint(canvas, placeholder));

/**
 * Shows the picture that a ThumbHash describes as the background of an element, unless that is taken back within `paintAfterMs` by what is answered, which also takes it away.
 * Many that ask at once are shown over several frames, and none while the page flies by. A canvas in each cell would be a layer of its own in each frame.
 */
export const showThumbHash = (element: HTMLElement, placeholder: string): (() => void) => {
  const stop = paintLater(() => {
    element.style.backgroundImage = `url(${thumbHashToDataURL(bytesOf(placeholder))})`;
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
  onceCalm(() => requestAnimationFrame(paintSome));
}

function paintSome(): void {
  isScheduled = false;
  const endMs = performance.now() + budgetMs;
  for (const action of queue) {
    if (performance.now() > endMs) return schedule();
    queue.delete(action);
    action();
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
