import { join } from 'node:path';
import type { Plugin } from '@docusaurus/types';

/** Makes the search plugin rank whole pages by our rules: `src/search/searchPages.ts` replaces its module. */
export const pageSearch = (): Plugin => ({
  name: 'page-search',
  configureWebpack: (_config, _isServer, { currentBundler }) => ({
    plugins: [
      new currentBundler.instance.NormalModuleReplacementPlugin(
        /\/searchByWorker$/,
        join(__dirname, '../search/searchPages.ts'),
      ),
    ],
  }),
});
