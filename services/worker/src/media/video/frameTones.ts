import { AV_PIX_FMT_GRAY8 } from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';

/** How bright a frame is, from 0 to 255. */
export interface Tones {
  /** The standard deviation of the brightness. */
  readonly contrast: number;
  /** Whether the frame is black, white or of one colour, so that a better one may be found. */
  readonly isBlank: boolean;
  /** Whether hardly anything can be seen, as with noise in the dark. */
  readonly isEmpty: boolean;
}

/** The size of the miniature that is measured, in pixels. */
const [width, height] = [64, 36];

/**
 * A frame shows something when it is not flat. Where it is dark or bright as a whole, it takes more: the Earth before a black sky has a mean of 8
 * and a contrast of 20, noise in the dark one of 3 (test media and generated clips, 2026-11).
 */
const limits = { darkest: 18, brightest: 240, leastContrast: 6, leastContrastThere: 14 } as const;

/** Measures a sample of a frame's pixels, which costs next to nothing; undefined where its pixel format is unknown. */
export async function measureTones(frame: Frame): Promise<Tones | undefined> {
  using scaler = new SoftwareScaleContext();
  scaler.allocContext();
  scaler.setOption('sws_flags', 'neighbor');
  using small = new Frame();
  small.alloc();
  // swscale needs the flags: it converts interlaced frames to interlaced frames only.
  Object.assign(small, { width, height, format: AV_PIX_FMT_GRAY8, flags: frame.flags });
  if (small.getBuffer(1) < 0 || (await scaler.scaleFrame(small, frame)) < 0) return undefined;
  const pixels = small.toBuffer();
  const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  const contrast = Math.sqrt(pixels.reduce((sum, value) => sum + (value - mean) ** 2, 0) / pixels.length);
  const isExtreme = mean < limits.darkest || mean > limits.brightest;
  return {
    contrast,
    isBlank: isExtreme || contrast < limits.leastContrast,
    isEmpty: contrast < (isExtreme ? limits.leastContrastThere : limits.leastContrast),
  };
}
