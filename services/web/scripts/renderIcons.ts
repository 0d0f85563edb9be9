import { chromium } from 'playwright-core';

/*
 * Renders `public/icon.svg` into the pictures that an installed app needs: node scripts/run.mjs services/web/scripts/renderIcons.ts
 * To be run again when the icon has changed.
 */

/** What lies around the icon where the operating system cuts it into a shape of its own. */
const background = '#b5471b';

const icons = [
  { name: '192', pixels: 192, scale: 1, isFilled: false },
  { name: '512', pixels: 512, scale: 1, isFilled: false },
  // Only the inner four fifths are shown everywhere: https://www.w3.org/TR/appmanifest/#icon-masks
  { name: 'maskable', pixels: 512, scale: 0.8, isFilled: true },
];

const publicFolder = new URL('../public/', import.meta.url);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();
for (const { name, pixels, scale, isFilled } of icons) {
  await page.setViewportSize({ width: pixels, height: pixels });
  await page.goto(new URL('icon.svg', publicFolder).href);
  await page.evaluate(
    ({ scale, fill }) => {
      document.documentElement.style.background = fill;
      document.documentElement.style.transform = `scale(${scale})`;
    },
    { scale, fill: isFilled ? background : 'transparent' },
  );
  const path = new URL(`icons/${name}.png`, publicFolder).pathname;
  await page.screenshot({ path, omitBackground: !isFilled });
}
await browser.close();
