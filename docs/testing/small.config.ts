import { createConfig } from '../src/createConfig';

/** A site of a few pages by the configuration of the whole one, for tests of what a build does. */
export default createConfig({
  pages: process.env['HEARTH_DOCS_TEST_PAGES'] ?? '',
  analyticsId: process.env['HEARTH_DOCS_ANALYTICS_ID'],
});
