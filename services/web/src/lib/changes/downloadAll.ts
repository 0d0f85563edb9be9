import { call } from '../api/client.ts';

/** A download URL. `name` (without extension) is needed if the server sends no Content-Disposition. */
export type FileToSave = string | { readonly address: string; readonly name: string };

/** Finds the largest downloadable version of an item. */
export type FindDownload = (id: string) => Promise<FileToSave | undefined>;

/** Finds the original of the user's own item. The server sends its file name. */
export const findOriginal: FindDownload = async (id) =>
  (await call('GET /v1/mediaItems/{id}', { params: { id } })).sourceUrl;

/** Pause between two downloads, in ms. Browsers merge downloads that start sooner. */
const pauseMs = 400;

/** Downloads the files of these items one after another. @throws ApiError as `find` does */
export const downloadAll = async (ids: readonly string[], find: FindDownload): Promise<void> => {
  for (const [position, id] of ids.entries()) {
    const file = await find(id);
    if (file === undefined) continue;
    if (position > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    save(file);
  }
};

function save(file: FileToSave): void {
  const { address, name } = typeof file === 'string' ? { address: file, name: '' } : file;
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.rel = 'noopener';
  // Browsers open files of another origin instead of saving them. A new tab keeps this page open.
  if (link.origin !== location.origin) link.target = '_blank';
  document.body.append(link);
  link.click();
  link.remove();
}
