import type { RgbPixels } from '../pixels/rgbPixels.ts';

/**
 * Returns the sharpness of a picture: the RMS difference of each pixel from the mean of its four neighbours, divided by
 * the standard deviation of all pixels. 0 for a uniform picture. Independent of brightness and contrast. Also low for
 * an aligned face that was enlarged.
 */
export function measureSharpness(picture: RgbPixels): number {
  const { width, height } = picture;
  const grey = toGrey(picture);
  let [sum, squares, detail, count] = [0, 0, 0, 0];
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const value = grey[at]!;
      const around = (grey[at - 1]! + grey[at + 1]! + grey[at - width]! + grey[at + width]!) / 4;
      sum += value;
      squares += value * value;
      detail += (value - around) ** 2;
      count += 1;
    }
  const variance = squares / count - (sum / count) ** 2;
  return variance < 1 ? 0 : Math.sqrt(detail / count / variance);
}

/** Returns the luma of each pixel (ITU-R BT.601), 0 to 255. */
const toGrey = ({ data, width, height }: RgbPixels): Float32Array =>
  Float32Array.from(
    { length: width * height },
    (_, i) => 0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!,
  );
