import { join } from 'node:path';
import type { Plugin } from '@docusaurus/types';

/** Keeps Redoc from asking its makers' server for the small picture beside “API docs by Redocly”; the words and the link stay. */
export const redocOffline = (): Plugin => ({
  name: 'redoc-offline',
  configureWebpack: () => ({
    module: { rules: [{ test: /redoc\.(?:browser\.)?lib\.js$/, use: [join(__dirname, 'removeRedocLogo.cjs')] }] },
  }),
});
