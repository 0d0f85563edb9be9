import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Request, Response } from 'express';
import { Id } from '@hearth/contract/scalars.ts';
import { findSharedAlbum, summariseSharedAlbum } from './queries.ts';
import { rateLimitGuesses } from '../../http/access/rateLimitGuesses.ts';
import type { Deps } from '../../deps/deps.ts';
import { sharedKeysOf } from './sharedKeys.ts';
import { networkOf } from '../../http/requests/clientAddress.ts';

/** The preview of a link. */
interface LinkPreview {
  readonly title: string;
  /** The full address of a picture. */
  readonly image?: string | undefined;
}

/**
 * Sends the page of a shared album with the preview of its link: the album's name and cover. The page of an album that is not shared or does
 * not exist has the name of the app. Answers false and sends nothing if the web app has not been built.
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
  // The page contains a link that expires soon.
  res.set({
    'Cache-Control': 'no-store',
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(bytes.length),
  });
  res.end(req.method === 'HEAD' ? undefined : bytes);
  return true;
};

const appName = 'Hearth';

/** The preview; undefined if the visitor may not see the album. A wrong id counts as a guess, as in the API. */
const findPreview = async (deps: Deps, shareId: string, req: Request): Promise<LinkPreview | undefined> => {
  const { db, config, sharedLinks, log } = deps;
  if (!Id.safeParse(shareId).success) return undefined;
  const id = shareId.toLowerCase();
  try {
    const album = await rateLimitGuesses(db, { network: networkOf(req), id }, () => findSharedAlbum(db, id, config));
    const { cover } = await summariseSharedAlbum(db, album.id);
    const keys = cover && sharedKeysOf(cover);
    const rendition = cover?.type === 'PHOTO' ? 'preview' : 'poster';
    // Open Graph needs a full address, which must not come from the Host header: the client chooses that.
    const hasImage = config.publicUrl !== undefined && cover !== undefined && keys?.[rendition] !== undefined;
    const image = hasImage ? sharedLinks.sign({ shareId: id, mediaItemId: cover.id, rendition }) : undefined;
    return { title: album.name, image };
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
  // Functions, because `$` in a replacement text has a meaning.
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace('</head>', () => `<meta name="robots" content="noindex">${tags.join('')}</head>`);
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
