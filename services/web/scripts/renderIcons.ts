import { chromium } from 'playwright-core';

/*
 * Renders `public/icon.svg` to the icons of the installed app: node scripts/run.mjs services/web/scripts/renderIcons.ts
 * Run it after changing the icon.
 */

/** Background of the maskable icon, which the operating system crops to its own shape. */
const background = '#b5471b';

const icons = [
  { name: '192', pixels: 192, scale: 1, isFilled: false },
  { name: '512', pixels: 512, scale: 1, isFilled: false },
  // Only the inner 80 % are always visible: https://www.w3.org/TR/appmanifest/#icon-masks
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
