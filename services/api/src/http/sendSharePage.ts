import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Request, Response } from 'express';
import { Id } from '@hearth/contract/scalars.ts';
import { findSharedAlbum, summariseSharedAlbum } from '@hearth/core/db/collections/sharing.ts';
import { rateLimitGuesses } from '../actions/rateLimitGuesses.ts';
import type { Deps } from '../deps/deps.ts';
import { sharedKeysOf } from '../links/sharedKeys.ts';
import { networkOf } from './clientAddress.ts';

/** What a preview of a link shows. */
interface LinkPreview {
  readonly title: string;
  /** The address of a picture. */
  readonly image?: string | undefined;
}

/**
 * Sends the page of a shared album with what a preview of its link shows: its name and its cover. An album that is not shared, or that is not
 * there, has the same page with the name of the app. Answers false, and nothing to the client, where the web app has not been built.
 */
export const sendSharePage = async (
  deps: Deps,
  albumId: string,
  req: Request,
  res: Response,
  setHeaders: (res: ServerResponse, path: string) => void,
): Promise<boolean> => {
  const path = join(deps.config.webDirectory, 'index.html');
  const page = await readFile(path, 'utf8').catch(() => undefined);
  if (page === undefined) return false;
  const origin = deps.config.publicUrl ?? `${req.protocol}://${req.host}`;
  const preview = (await findPreview(deps, albumId, req, origin)) ?? { title: appName };
  setHeaders(res, path);
  const bytes = Buffer.from(withPreview(page, preview));
  // The link of the picture ends soon, and with it what the page says.
  res.set({
    'Cache-Control': 'no-store',
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(bytes.length),
  });
  res.end(req.method === 'HEAD' ? undefined : bytes);
  return true;
};

const appName = 'Hearth';

/** Undefined for whoever may not see the album, whatever the reason; a wrong guess counts as one of the API. */
const findPreview = async (
  deps: Deps,
  albumId: string,
  req: Request,
  origin: string,
): Promise<LinkPreview | undefined> => {
  const { db, config, sharedLinks, log } = deps;
  if (!Id.safeParse(albumId).success) return undefined;
  const id = albumId.toLowerCase();
  try {
    const album = await rateLimitGuesses(db, { network: networkOf(req), id }, () => findSharedAlbum(db, id, config));
    const { cover } = await summariseSharedAlbum(db, id);
    const keys = cover && sharedKeysOf(cover);
    const rendition = cover?.type === 'PHOTO' ? 'preview' : 'poster';
    const image = cover && keys?.[rendition] && sharedLinks.sign({ albumId: id, mediaItemId: cover.id, rendition });
    return { title: album.name, image: image === undefined || image === '' ? undefined : new URL(image, origin).href };
  } catch (error) {
    log.debug({ err: error }, 'the page of a shared album has no preview');
    return undefined;
  }
};

/** Tags of Open Graph (https://ogp.me), and the name in the title of the page. */
const withPreview = (page: string, { title, image }: LinkPreview): string => {
  const tags = [
    ['og:site_name', appName],
    ['og:type', 'website'],
    ['og:title', title],
    ...(image === undefined ? [] : [['og:image', image]]),
  ].map(([property, content]) => `<meta property="${property}" content="${escapeHtml(content!)}">`);
  // By functions, since a replacement text has characters of its own that mean something.
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace('</head>', () => `<meta name="robots" content="noindex">${tags.join('')}</head>`);
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
