import { prepareSite, runDocusaurus } from './buildSite.ts';

/*
 * node scripts/site/buildForImage.ts FOLDER [VERSION]: builds the site into a folder as its image has it, with the pages of one version, which is that of the
 * image.
 */
const [folder = '', version = ''] = process.argv.slice(2);
prepareSite({ hasReleased: false });
const { isBuilt, output } = await runDocusaurus(folder, { env: { HEARTH_DOCS_VERSION: version || 'Next' } });
console.log(output);
process.exitCode = isBuilt ? 0 : 1;
