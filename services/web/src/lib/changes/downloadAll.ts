import { call } from '../api/client.ts';

/** A file to save: where it is, and, unless the server names it, its name without an ending. */
export type FileToSave = string | { readonly address: string; readonly name: string };

/** The largest version of an item that may be had, or undefined where there is none. */
export type FindDownload = (id: string) => Promise<FileToSave | undefined>;

/** The original of one's own item; by its link it is saved under its own name. */
export const findOriginal: FindDownload = async (id) =>
  (await call('GET /v1/mediaItems/{id}', { params: { id } })).sourceUrl;

/** Browsers take downloads that follow one another faster than this for one. */
const pauseMs = 400;

/** Saves the files of these items one after the other, as the browser saves every file. @throws ApiError as `find` does. */
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
  // A file of another origin is shown instead of saved: not in place of this page.
  if (link.origin !== location.origin) link.target = '_blank';
  document.body.append(link);
  link.click();
  link.remove();
}
