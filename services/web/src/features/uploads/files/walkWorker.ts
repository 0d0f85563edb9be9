import type { FileIdentity } from '../plan/uploadFile.ts';
import { walkHandle } from './walkFolders.ts';
import type { WalkAnswer, WalkQuestion } from './walkMessages.ts';

let walk: ReturnType<typeof walkHandle> | undefined;

self.addEventListener('message', ({ data: folder }: MessageEvent<WalkQuestion>) => {
  walk ??= walkHandle(folder);
  // `reportError` fires an `error` event of this worker on the page.
  walk.next().then(({ value }) => answer(value?.map(identityOf)), reportError);
});

const answer = (files: WalkAnswer): void => self.postMessage(files);

const identityOf = ({ path, sizeBytes, lastModified }: FileIdentity): FileIdentity => ({
  path,
  sizeBytes,
  lastModified,
});
