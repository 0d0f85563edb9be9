import { call } from '../../api/client.ts';

/** Looks at how much an album holds now; answers what tells how much has come in since, or undefined where that cannot be known. */
export const countAdditions = async (albumId: string): Promise<() => Promise<number | undefined>> => {
  const count = async (): Promise<number | undefined> => {
    const album = await call('GET /v1/albums/{id}', { params: { id: albumId } }).catch(() => undefined);
    return album?.mediaItemsCount;
  };
  const before = await count();
  return async () => {
    const after = await count();
    return before === undefined || after === undefined ? undefined : after - before;
  };
};
