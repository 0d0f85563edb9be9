import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Request, Response } from 'express';
import { Id } from '@hearth/contract/scalars.ts';
import { findSharedAlbum, summariseSharedAlbum } from './queries.ts';
import { rateLimitGuesses } from '../../http/access/rateLimitGuesses.ts';
import type { Deps } from '../../deps/deps.ts';
import { getSharedKeys } from './sharedKeys.ts';
import { getNetwork } from '../../http/requests/clientAddress.ts';

/** Preview of a link. */
interface LinkPreview {
  readonly title: string;
  /** Absolute URL of a picture. */
  readonly image?: string | undefined;
}

/**
 * Sends the page of a shared album with a link preview: the album's name and cover. For an album that is not shared or
 * does not exist, uses the app's name. Returns false without sending anything if the web app is not built.
 */
export const sendSharePage = async (
  deps: Deps,
  shareId: string,
  req: Request,
  res: Response,
  setHeaders: (res: ServerResponse, path: string) => void,
): Promise<boolean> => {
  const path = join(deps.config.webDirectory, 'index.html');
  const page = await readFile(path, 'utf8').catch(() => undefined);
  if (page === undefined) return false;
  const preview = (await findPreview(deps, shareId, req)) ?? { title: appName };
  setHeaders(res, path);
  const bytes = Buffer.from(withPreview(page, preview));
  // The page contains a short-lived link.
  res.set({
    'Cache-Control': 'no-store',
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(bytes.length),
  });
  res.end(req.method === 'HEAD' ? undefined : bytes);
  return true;
};

const appName = 'Hearth';

/** Returns undefined if the visitor may not see the album. A wrong id counts as a guess, as in the API. */
const findPreview = async (deps: Deps, shareId: string, req: Request): Promise<LinkPreview | undefined> => {
  const { db, config, sharedLinks, log } = deps;
  if (!Id.safeParse(shareId).success) return undefined;
  const id = shareId.toLowerCase();
  try {
    const album = await rateLimitGuesses(db, { network: getNetwork(req), id }, () => findSharedAlbum(db, id, config));
    const { cover } = await summariseSharedAlbum(db, album.id);
    const keys = cover && getSharedKeys(cover);
    const rendition = cover?.type === 'PHOTO' ? 'preview' : 'poster';
    // Open Graph needs an absolute URL, which must not come from the Host header: the client controls it.
    const hasImage = config.publicUrl !== undefined && cover !== undefined && keys?.[rendition] !== undefined;
    const image = hasImage ? sharedLinks.sign({ shareId: id, mediaItemId: cover.id, rendition }) : undefined;
    return { title: album.name, image };
  } catch (error) {
    log.debug({ err: error }, 'shared album page sent without preview');
    return undefined;
  }
};

/** Adds Open Graph tags (https://ogp.me), and the name to the page title. */
const withPreview = (page: string, { title, image }: LinkPreview): string => {
  const tags = [
    ['og:site_name', appName],
    ['og:type', 'website'],
    ['og:title', title],
    ...(image === undefined ? [] : [['og:image', image]]),
  ].map(([property, content]) => `<meta property="${property}" content="${escapeHtml(content!)}">`);
  // Functions, because `$` is special in a replacement string.
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace('</head>', () => `<meta name="robots" content="noindex">${tags.join('')}</head>`);
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
