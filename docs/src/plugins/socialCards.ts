import { mkdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { LoadedVersion } from '@docusaurus/plugin-content-docs';
import type { LoadContext, Plugin } from '@docusaurus/types';
import sharp from 'sharp';
import { drawCard } from './drawCard';

const site = join(__dirname, '..', '..');

/** Folders of pages: current and released versions. */
const folders = new Set(['docs', 'versioned_docs']);

/**
 * Returns the path of a page's card: its Markdown path without version, with the extension of an image. `home` is the
 * default card.
 */
export const cardOf = (page: string): string | undefined => {
  if (page === 'home') return 'img/cards/home.png';
  const [folder = '', ...path] = relative(site, page).split(sep);
  if (!folders.has(folder)) return undefined;
  const names = folder === 'docs' ? path : path.slice(1);
  return `img/cards/${names.join('/').replace(/\.mdx?$/, '')}.png`;
};

/**
 * Renders the social card of each page when the site is built, 1200 × 630 pixels. Other sites show it with links to the
 * page.
 */
export const socialCards = (_context: LoadContext): Plugin => {
  const cards = new Map([
    ['img/cards/home.png', { title: 'Hearth', section: 'A smarter home for all your photos and videos' }],
  ]);
  return {
    name: 'social-cards',
    allContentLoaded: async ({ allContent }) => {
      const docs = allContent['docusaurus-plugin-content-docs']?.['default'] as { loadedVersions: LoadedVersion[] };
      for (const { docs: pages } of docs.loadedVersions) {
        for (const { source, title, sourceDirName } of pages) {
          const card = cardOf(join(site, source.replace('@site/', '')));
          if (card !== undefined) cards.set(card, { title, section: nameSection(sourceDirName) });
        }
      }
    },
    postBuild: async ({ outDir }) => {
      for (const [path, card] of cards) {
        const target = join(outDir, path);
        await mkdir(dirname(target), { recursive: true });
        await sharp(Buffer.from(await drawCard(card)))
          .png({ palette: true })
          .toFile(target);
      }
    },
  };
};

/** Converts `user-guide/features` to `User guide`. */
const nameSection = (folder: string): string => {
  const [first = ''] = folder.split('/');
  const words = first.replaceAll('-', ' ').replace('dev guide', 'developer guide');
  return words === '.' ? '' : words.charAt(0).toUpperCase() + words.slice(1);
};
