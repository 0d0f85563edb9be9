import { call } from '../../../api/client.ts';

/** How many checksums one request may ask for. */
export const mostChecksums = 1000;

/** Which of these files, by their checksums, are in the library or its trash already. @throws ApiError */
export const checkFiles = async (checksums: readonly string[]): Promise<ReadonlySet<string>> => {
  const { existing } = await call('POST /v1/mediaItems/check', { body: { checksums: [...checksums] } });
  return new Set(Object.keys(existing));
};
