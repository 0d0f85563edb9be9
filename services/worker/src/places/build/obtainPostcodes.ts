import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postcodeArchives, postcodeCommit } from './postcodeArchives.ts';
import { readPostcodeList, type PostcodeEntry } from './postcodeList.ts';

/** Where postcodes come from, and who is told what could not be had. */
export interface PostcodeOptions {
  /** A folder or URL that has `postal/DE.zip` and so on, in place of the internet. */
  readonly mirror: string | undefined;
  /** Nothing is fetched from the internet. */
  readonly isOffline: boolean;
  readonly onMissing: (what: string) => void;
}

/** Milliseconds that one archive may take to arrive. */
const fetchTimeoutMs = 60_000;

/** Failures in a row after which the network counts as away. */
const maxFailures = 3;

const origin = `https://raw.githubusercontent.com/zauberware/postal-codes-json-xml-csv/${postcodeCommit}/data`;

/** The postcodes of all countries that can be had, by the code of the country. What is not as it was when it was pinned is not used. */
export const obtainPostcodes = async (options: PostcodeOptions): Promise<Map<string, PostcodeEntry[]>> => {
  const { mirror, isOffline, onMissing } = options;
  const lists = new Map<string, PostcodeEntry[]>();
  const missing: string[] = [];
  if (mirror === undefined && isOffline) {
    onMissing('any country, since nothing may be fetched from the internet');
    return lists;
  }
  let failures = 0;
  for (const [country, sha256] of Object.entries(postcodeArchives)) {
    try {
      const archive = await readArchive(mirror, country);
      if (createHash('sha256').update(archive).digest('hex') !== sha256) throw new Error('it is not the pinned file');
      lists.set(country, readPostcodeList(archive));
      failures = 0;
    } catch (error) {
      missing.push(country);
      if (mirror !== undefined && !isUrl(mirror) && (error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      onMissing(`${country}: ${(error as Error).message}`);
      if (++failures < maxFailures) continue;
      onMissing('the rest, since the network seems to be away');
      return lists;
    }
  }
  if (missing.length > 0) onMissing(`not there: ${missing.join(', ')}`);
  return lists;
};

const isUrl = (mirror: string): boolean => /^https?:/.test(mirror);

const readArchive = async (mirror: string | undefined, country: string): Promise<Uint8Array> => {
  if (mirror !== undefined && !isUrl(mirror)) return readFile(join(mirror, 'postal', `${country}.zip`));
  const folder = mirror === undefined ? origin : `${mirror.replace(/\/+$/, '')}/postal`;
  const answer = await fetch(`${folder}/${country}.zip`, { signal: AbortSignal.timeout(fetchTimeoutMs) });
  if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}`);
  return answer.bytes();
};
