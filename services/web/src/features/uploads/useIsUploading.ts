import { useSyncExternalStore } from 'react';
import { isPlanBusy } from './plan/uploadPlan.ts';
import { getUploads, subscribeToUploads } from './engine/uploadStore.ts';

/** Whether something is being uploaded, or looked through for it, that leaving the page would break off. */
export const useIsUploading = (): boolean => useSyncExternalStore(subscribeToUploads, isUploading);

const isUploading = (): boolean => {
  const uploads = getUploads();
  return uploads !== undefined && (uploads.isCollecting || isPlanBusy(uploads.plan));
};
