import type { OpenVideo } from './openVideo.ts';

/** Frames per second on average. */
export async function measureFrameRate({ pictures }: OpenVideo): Promise<number | undefined> {
  const { num, den } = pictures.avgFrameRate;
  return num > 0 && den > 0 ? num / den : undefined;
}
