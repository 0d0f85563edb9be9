import { prepareSite, runDocusaurus } from './buildSite.ts';

/*
 * node scripts/site/buildForImage.ts FOLDER [VERSION]: builds the site for its container image into a folder, with the
 * pages of the image's version only.
 */
const [folder = '', version = ''] = process.argv.slice(2);
prepareSite({ hasReleased: false });
const { isBuilt, output } = await runDocusaurus(folder, { env: { HEARTH_DOCS_VERSION: version || 'Next' } });
console.log(output);
process.exitCode = isBuilt ? 0 : 1;
