import i18next from 'i18next';
import { toasts } from '../../components/overlays/toasts.ts';
import type { FoundFiles } from './files/collectFiles.ts';
import { uploadEngine } from './engine/uploadStore.ts';

/** Uploads the found files. Shows a toast if the upload cannot start, or without files. */
export const addFiles = async (found: FoundFiles): Promise<void> => {
  try {
    const engine = await uploadEngine();
    if ((await engine.add(found)) === 0) toasts.add({ title: i18next.t('nothingFound', { ns: 'uploads' }) });
  } catch {
    toasts.add({ title: i18next.t('failedToStart', { ns: 'uploads' }) });
  }
};
