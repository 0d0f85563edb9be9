import { publishTable, renderRow, formatToday } from '@hearth/testkit/figures/publish.ts';
import { findContainerEngine, imageTags } from './containerEngine.ts';
import { baseImage, images } from './images.ts';
import { getMaxMegabytes, inspectImage, measureParts } from './measureImage.ts';

/*
 * npm run docs:images [-- --publish]: measures the images of HEARTH_CONTAINER_ENGINE with the tags HEARTH_IMAGE_TAGS
 * (default `dev`), and writes the table of docs/docs/dev-guide/images.md.
 */
const engine = findContainerEngine();
if (engine === undefined) {
  console.error('Set HEARTH_CONTAINER_ENGINE to an engine with the images, such as docker.');
  process.exit(2);
}
const base = await inspectImage(engine, baseImage);
if (base === undefined) {
  console.error(`The engine has no image ${baseImage}.`);
  process.exit(1);
}
const megabytes = (number: number): string => number.toFixed(number < 10 ? 1 : 0);

const lines: string[] = [renderRow('image', 'MB', 'bound'), renderRow('---', '---:', '---:')];
const architectures = new Set<string>();
for (const image of images) {
  for (const name of imageTags().map((tag) => `${image.repository}:${tag}`)) {
    const measured = await inspectImage(engine, name);
    if (measured === undefined) continue;
    architectures.add(measured.architecture);
    const parts = await measureParts(engine, name, image);
    const rest = measured.megabytes - base.megabytes - parts.reduce((sum, each) => sum + each, 0);
    const contents = [
      `${megabytes(base.megabytes)} base`,
      ...image.parts.map(({ what }, index) => `${megabytes(parts[index]!)} ${what}`),
      `${megabytes(rest)} Debian packages and the rest`,
    ];
    const shown = `\`${image.repository.split('/').at(-1)}\`${measured.hasFfmpeg ? ' with FFmpeg' : ''}`;
    lines.push(renderRow(shown, megabytes(measured.megabytes), String(getMaxMegabytes(image, measured))));
    console.log(`${name}: ${contents.join(', ')}`);
  }
}
const text = `${formatToday()}, ${[...architectures].join(', ')}, unpacked.\n\n${lines.join('\n')}`;
await publishTable('docs:images', text, { publish: process.argv.includes('--publish'), page: 'images.md' });
