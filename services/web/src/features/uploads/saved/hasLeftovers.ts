import { hasSharedFiles } from '../../../lib/browser/sharedFiles.ts';
import { hasSavedUploads } from './savedUploads.ts';

/** Whether uploads of an earlier visit, or files that another app has handed over, lie on this device, whoever's they are. */
export const hasLeftovers = async (): Promise<boolean> => (await hasSavedUploads()) || (await hasSharedFiles());
