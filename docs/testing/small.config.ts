import { createConfig } from '../src/createConfig';

/** Small site with the configuration of the whole one, for tests of builds. */
export default createConfig({
  pages: process.env['HEARTH_DOCS_TEST_PAGES'] ?? '',
  analyticsId: process.env['HEARTH_DOCS_ANALYTICS_ID'],
});
