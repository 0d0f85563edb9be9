import { prepareSite, runDocusaurus } from './buildSite.ts';

// node scripts/site/buildForImage.ts FOLDER: builds the site into a folder as its image has it, with the pages of one version, which is that of the image.
const [folder = ''] = process.argv.slice(2);
prepareSite({ hasReleased: false });
const { isBuilt, output } = await runDocusaurus(folder, { env: { HEARTH_DOCS_RELEASED: 'no' } });
console.log(output);
process.exitCode = isBuilt ? 0 : 1;
