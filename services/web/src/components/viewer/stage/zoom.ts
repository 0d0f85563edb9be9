/** Width and height in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A place in CSS pixels, from the middle of the stage, to the right and down. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How a picture lies on the stage: how much larger than fitted, and how far its middle is from that of the stage. */
export interface View extends Point {
  readonly scale: number;
}

/** The whole picture in the middle. */
export const fitted: View = { scale: 1, x: 0, y: 0 };

/** The longer side of a preview, in pixels. */
const previewPx = 1440;

/** However few pixels a picture has, it can be enlarged this much. */
const leastMaxScale = 2;

/** By how much a double click enlarges, where the picture has the pixels. */
const doubleClickScale = 2.5;

/** The largest size of this ratio (width / height) that fits into the stage. */
export const fitInto = (stage: Size, ratio: number): Size =>
  stage.width / stage.height > ratio
    ? { width: stage.height * ratio, height: stage.height }
    : { width: stage.width, height: stage.width / ratio };

/** How many pixels across the preview of a picture is, which is fitted like this; an original that is smaller has no more. */
export const previewWidthOf = (fit: Size, originalWidth: number | undefined): number => {
  const width = fit.width >= fit.height ? previewPx : (previewPx * fit.width) / fit.height;
  return Math.min(width, originalWidth ?? width);
};

/** How far a picture of this many pixels across can be enlarged: until one of its pixels is one CSS pixel. */
export const maxScaleOf = (fit: Size, pixelsAcross: number | undefined): number =>
  Math.max(leastMaxScale, fit.width === 0 || pixelsAcross === undefined ? 1 : pixelsAcross / fit.width);

/** The view with the picture moved back so far that no edge of it leaves an empty stripe that could be filled. */
export const withinBounds = (view: View, fit: Size, stage: Size): View => {
  const mostX = Math.max(0, (fit.width * view.scale - stage.width) / 2);
  const mostY = Math.max(0, (fit.height * view.scale - stage.height) / 2);
  return { scale: view.scale, x: clamp(view.x, -mostX, mostX), y: clamp(view.y, -mostY, mostY) };
};

/** The view enlarged to `scale` with what is at `point` staying there, not beyond the bounds. */
export const zoomAround = (
  view: View,
  scale: number,
  point: Point,
  { fit, stage, maxScale }: { readonly fit: Size; readonly stage: Size; readonly maxScale: number },
): View => {
  const next = clamp(scale, 1, maxScale);
  const factor = next / view.scale;
  return withinBounds(
    { scale: next, x: point.x - (point.x - view.x) * factor, y: point.y - (point.y - view.y) * factor },
    fit,
    stage,
  );
};

/** What a double click makes of a scale: the whole picture again, or near enough to see faces. */
export const doubleClickScaleOf = (scale: number, maxScale: number): number =>
  scale > 1 ? 1 : Math.min(maxScale, doubleClickScale);

/** Whether what the stage shows needs more pixels than a picture of `width` pixels across has. */
export const needsMorePixels = (view: View, fit: Size, width: number, devicePixelRatio: number): boolean =>
  view.scale > 1 && fit.width * view.scale * devicePixelRatio > width * 1.05;

function clamp(value: number, least: number, most: number): number {
  // Adding 0 turns -0 into 0.
  return Math.min(most, Math.max(least, value)) + 0;
}
