import react from '@vitejs/plugin-react';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { compression, defineAlgorithm } from 'vite-plugin-compression2';
import { defineConfig } from 'vitest/config';

/** API server behind `npm run dev`. */
const api = process.env['HEARTH_API_URL'] ?? 'http://127.0.0.1:5001';

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
const gzipOptions = { level: 9 };

/** Compresses the service worker, which is written after all other files were compressed. */
const compressServiceWorker = (): Plugin => {
  let path = '';
  return {
    name: 'compress-service-worker',
    apply: 'build',
    configResolved: ({ root, build: { outDir } }) => {
      path = resolve(root, outDir, 'serviceWorker.js');
    },
    closeBundle: {
      sequential: true,
      order: 'post',
      handler: async (error?: Error) => {
        if (error !== undefined) return;
        const script = await readFile(path);
        await writeFile(`${path}.br`, brotliCompressSync(script, brotliOptions));
        await writeFile(`${path}.gz`, gzipSync(script, gzipOptions));
      },
    },
  };
};

export default defineConfig({
  plugins: [
    react(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/app/serviceWorker',
      filename: 'serviceWorker.ts',
      // The app registers the service worker itself, because of its Content-Security-Policy. It asks the user before an
      // update.
      injectRegister: false,
      manifest: {
        id: '/',
        name: 'Hearth',
        short_name: 'Hearth',
        description: 'A smarter home for all your photos and videos',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: '#fbfaf8',
        theme_color: '#fbfaf8',
        icons: [
          { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
          { src: '/icons/192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icons/512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icons/maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
        share_target: {
          action: '/share-target',
          method: 'POST',
          enctype: 'multipart/form-data',
          params: { files: [{ name: 'files', accept: ['image/*', 'video/*'] }] },
        },
      },
      injectManifest: {
        globPatterns: ['index.html', 'icon.svg', 'assets/**/*.{js,css}'],
        // The map's code is large and loads on demand.
        globIgnores: ['assets/maplibre*', 'assets/*Map*', 'assets/loadOutlines*'],
      },
    }),
    compression({
      include: /\.(html|m?js|css|svg|json|webmanifest|pbf|geojson)$/,
      threshold: 1024,
      algorithms: [defineAlgorithm('brotliCompress', brotliOptions), defineAlgorithm('gzip', gzipOptions)],
    }),
    compressServiceWorker(),
  ],
  build: {
    target: 'es2024',
    // The Content-Security-Policy permits nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Bundles what every page needs, because browsers without HTTP/2 load six files at a time.
          groups: [
            {
              name: 'framework',
              test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack|i18next|react-i18next|lucide-react)\//,
            },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/v1', '/disk', '/version', '/openapi.json'].map((path) => [path, api])),
  },
  // Tests that need a DOM request it at the top of their file. Creating one takes longer than most tests.
  test: { environment: 'node', include: ['src/**/*.test.{ts,tsx}'] },
});
