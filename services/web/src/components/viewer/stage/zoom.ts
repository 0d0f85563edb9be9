/** In CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Point in CSS pixels, relative to the centre of the stage; x to the right, y down. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Zoom relative to the fitted size, and offset of the picture's centre from the centre of the stage. */
export interface View extends Point {
  readonly scale: number;
}

export const fittedView: View = { scale: 1, x: 0, y: 0 };

/** Longer side of a preview, in pixels. */
const previewPx = 1440;

/** Minimum zoom limit, for pictures with few pixels. */
const minMaxScale = 2;

/** Zoom of a double click, if the picture has the pixels. */
const doubleClickScale = 2.5;

/** Returns the largest size with this aspect ratio (width / height) that fits into the stage. */
export const fitInto = (stage: Size, ratio: number): Size =>
  stage.width / stage.height > ratio
    ? { width: stage.height * ratio, height: stage.height }
    : { width: stage.width, height: stage.width / ratio };

/** Returns the width of a picture's preview in pixels, limited by the original. */
export const getPreviewWidth = (fit: Size, originalWidth: number | undefined): number => {
  const width = fit.width >= fit.height ? previewPx : (previewPx * fit.width) / fit.height;
  return Math.min(width, originalWidth ?? width);
};

/** Returns the zoom that maps one picture pixel to one CSS pixel. */
export const getMaxScale = (fit: Size, pixelsAcross: number | undefined): number =>
  Math.max(minMaxScale, fit.width === 0 || pixelsAcross === undefined ? 1 : pixelsAcross / fit.width);

/** Limits the offset, so that a picture larger than the stage leaves no empty stripe. */
export const clampView = (view: View, fit: Size, stage: Size): View => {
  const maxX = Math.max(0, (fit.width * view.scale - stage.width) / 2);
  const maxY = Math.max(0, (fit.height * view.scale - stage.height) / 2);
  return { scale: view.scale, x: clamp(view.x, -maxX, maxX), y: clamp(view.y, -maxY, maxY) };
};

/** Zooms to `scale` around `point`, within the bounds. */
export const zoomAround = (
  view: View,
  scale: number,
  point: Point,
  { fit, stage, maxScale }: { readonly fit: Size; readonly stage: Size; readonly maxScale: number },
): View => {
  const next = clamp(scale, 1, maxScale);
  const factor = next / view.scale;
  return clampView(
    { scale: next, x: point.x - (point.x - view.x) * factor, y: point.y - (point.y - view.y) * factor },
    fit,
    stage,
  );
};

/** Returns the scale after a double click: fitted, or large enough to recognize faces. */
export const getDoubleClickScale = (scale: number, maxScale: number): number =>
  scale > 1 ? 1 : Math.min(maxScale, doubleClickScale);

/** Returns whether the view needs more pixels than a picture of `width` pixels has. */
export const needsMorePixels = (view: View, fit: Size, width: number, devicePixelRatio: number): boolean =>
  view.scale > 1 && fit.width * view.scale * devicePixelRatio > width * 1.05;

function clamp(value: number, min: number, max: number): number {
  // Turns -0 into 0.
  return Math.min(max, Math.max(min, value)) + 0;
}
