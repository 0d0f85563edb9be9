import type { RgbPixels } from '../pixels/rgbPixels.ts';

/**
 * How sharp a picture is, 0 where all pixels are alike: how much each pixel differs from the mean of its four neighbours, against how much all
 * pixels differ from one another. It does not depend on how bright the picture is or how strong its contrast. Of an aligned face that had
 * fewer pixels and was enlarged it is low too.
 */
export function measureSharpness(picture: RgbPixels): number {
  const { width, height } = picture;
  const grey = greyOf(picture);
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

/** Brightness as the eye has it (ITU-R BT.601), 0 to 255. */
const greyOf = ({ data, width, height }: RgbPixels): Float32Array =>
  Float32Array.from(
    { length: width * height },
    (_, i) => 0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!,
  );
