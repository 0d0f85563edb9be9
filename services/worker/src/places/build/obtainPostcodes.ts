import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadBytes } from '@hearth/core/download/downloadBytes.ts';
import { DownloadError } from '@hearth/core/download/downloadError.ts';
import { postcodeArchives, postcodeCommit } from './postcodeArchives.ts';
import { readPostcodeList, type PostcodeEntry } from './postcodeList.ts';

/** Source of postcodes, and reporting of missing ones. */
export interface PostcodeOptions {
  /** Folder or URL with `postal/DE.zip` etc., instead of the internet. */
  readonly mirror: string | undefined;
  /** True if nothing may be downloaded from the internet. */
  readonly isOffline: boolean;
  readonly onMissing: (description: string) => void;
}

/** Limits per archive. The largest has 2.4 MB (2026-11). */
const archiveLimits = { maxBytes: 20_000_000, limits: { totalMs: 30_000 } };

/** After this many failures in a row the network counts as unavailable. */
const maxFailures = 2;

const origin = `https://raw.githubusercontent.com/zauberware/postal-codes-json-xml-csv/${postcodeCommit}/data`;

/** Returns the postcodes of all countries that can be downloaded, by country code. Archives with a wrong checksum are ignored. */
export const obtainPostcodes = async (options: PostcodeOptions): Promise<Map<string, PostcodeEntry[]>> => {
  const { mirror, isOffline, onMissing } = options;
  const lists = new Map<string, PostcodeEntry[]>();
  if (mirror === undefined && isOffline) {
    onMissing('any country (HEARTH_OFFLINE forbids downloads)');
    return lists;
  }
  const missing: string[] = [];
  let failures = 0;
  for (const [country, sha256] of Object.entries(postcodeArchives)) {
    try {
      const archive = await readArchive(mirror, isOffline, country);
      failures = 0;
      if (archive === undefined) missing.push(country);
      else if (createHash('sha256').update(archive).digest('hex') === sha256)
        lists.set(country, readPostcodeList(archive));
      else onMissing(`${country}: wrong checksum`);
    } catch (error) {
      onMissing(`${country}: ${(error as Error).message}`);
      if (++failures < maxFailures) continue;
      onMissing('the other countries (network unavailable)');
      return lists;
    }
  }
  if (missing.length > 0) onMissing(`${missing.join(', ')}: not found`);
  return lists;
};

const isUrl = (mirror: string): boolean => /^https?:/.test(mirror);

/** Reads the archive of a country; undefined if the mirror does not have it. */
const readArchive = async (
  mirror: string | undefined,
  isOffline: boolean,
  country: string,
): Promise<Uint8Array | undefined> => {
  if (mirror !== undefined && !isUrl(mirror)) {
    const path = join(mirror, 'postal', `${country}.zip`);
    return existsSync(path) ? readFile(path) : undefined;
  }
  const folder = mirror === undefined ? origin : `${mirror.replace(/\/+$/, '')}/postal`;
  try {
    return await downloadBytes({ url: `${folder}/${country}.zip`, isHostFixed: isOffline, ...archiveLimits });
  } catch (error) {
    if (error instanceof DownloadError && error.status === 404) return undefined;
    throw error;
  }
};
