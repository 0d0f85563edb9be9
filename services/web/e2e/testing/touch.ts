import type { Page } from 'playwright-core';

/** In CSS pixels of the page. */
type Place = readonly [x: number, y: number];

/** Number of move events per gesture. */
const steps = 8;

/** Moves several fingers at once over the page. */
export const moveFingers = async (
  page: Page,
  paths: readonly { readonly from: Place; readonly to: Place }[],
): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const getPoints = (part: number) =>
    paths.map(({ from, to }, id) => ({
      id,
      x: from[0] + (to[0] - from[0]) * part,
      y: from[1] + (to[1] - from[1]) * part,
    }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: getPoints(0) });
  for (let step = 1; step <= steps; step += 1)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: getPoints(step / steps) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
};
