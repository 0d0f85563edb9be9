import { AV_PIX_FMT_GRAY8 } from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';

/** How bright a frame is, from 0 to 255. */
export interface Tones {
  /** Standard deviation. */
  readonly contrast: number;
  /** Black, white, or of one colour: nobody would choose it. */
  readonly isBlank: boolean;
}

/** Pixels of the miniature that is looked at. */
const [width, height] = [64, 36];

/**
 * A frame shows something when it is not flat and neither dark nor bright as a whole. A night scene has a mean of 20 and more, titles on black
 * less; noise in the dark has a deviation of 3 (test media and generated clips, 2026-11).
 */
const limits = { darkest: 18, brightest: 240, leastContrast: 6 } as const;

/** Looks at single pixels of a frame, which costs next to nothing; undefined where it has colours of no known kind. */
export async function measureTones(frame: Frame): Promise<Tones | undefined> {
  using scaler = new SoftwareScaleContext();
  scaler.allocContext();
  scaler.setOption('sws_flags', 'neighbor');
  using small = new Frame();
  small.alloc();
  // swscale makes fields of fields only.
  Object.assign(small, { width, height, format: AV_PIX_FMT_GRAY8, flags: frame.flags });
  if (small.getBuffer(1) < 0 || (await scaler.scaleFrame(small, frame)) < 0) return undefined;
  const pixels = small.toBuffer();
  const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  const contrast = Math.sqrt(pixels.reduce((sum, value) => sum + (value - mean) ** 2, 0) / pixels.length);
  const isBlank = mean < limits.darkest || mean > limits.brightest || contrast < limits.leastContrast;
  return { contrast, isBlank };
}
