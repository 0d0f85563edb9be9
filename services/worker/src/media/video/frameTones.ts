import { AV_PIX_FMT_GRAY8 } from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';

/** Brightness statistics of a frame, on a scale from 0 to 255. */
export interface Tones {
  /** Standard deviation of the brightness. */
  readonly contrast: number;
  /** True if the frame is black, white or of one colour. Other frames are then preferred. */
  readonly isBlank: boolean;
  /** True if almost nothing is visible, as with noise in the dark. */
  readonly isEmpty: boolean;
}

/** Measured size of the frame, in pixels. */
const [width, height] = [64, 36];

/**
 * Limits of brightness and contrast. A very dark or bright frame needs more contrast to show something. The Earth against a black sky has a mean of 8
 * and a contrast of 20. Noise in the dark has a contrast of 3 (test media and generated clips, 2026-11).
 */
const limits = { minMean: 18, maxMean: 240, minContrast: 6, minContrastIfExtreme: 14 } as const;

/** Measures a sample of a frame's pixels, which is fast; undefined for an unknown pixel format. */
export async function measureTones(frame: Frame): Promise<Tones | undefined> {
  using scaler = new SoftwareScaleContext();
  scaler.allocContext();
  scaler.setOption('sws_flags', 'neighbor');
  using small = new Frame();
  small.alloc();
  // swscale requires equal flags: it converts interlaced frames only to interlaced frames.
  Object.assign(small, { width, height, format: AV_PIX_FMT_GRAY8, flags: frame.flags });
  if (small.getBuffer(1) < 0 || (await scaler.scaleFrame(small, frame)) < 0) return undefined;
  const pixels = small.toBuffer();
  const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  const contrast = Math.sqrt(pixels.reduce((sum, value) => sum + (value - mean) ** 2, 0) / pixels.length);
  const isExtreme = mean < limits.minMean || mean > limits.maxMean;
  return {
    contrast,
    isBlank: isExtreme || contrast < limits.minContrast,
    isEmpty: contrast < (isExtreme ? limits.minContrastIfExtreme : limits.minContrast),
  };
}
