import { createConfig } from './src/createConfig';

export default createConfig({
  analyticsId: process.env['HEARTH_DOCS_ANALYTICS_ID'],
  onlyVersion: process.env['HEARTH_DOCS_VERSION'],
});
