import type { FileIdentity } from '../plan/uploadFile.ts';

/** Folder to list. Each message requests the next slice. */
export type WalkRequest = FileSystemDirectoryHandle;

/** Next slice of files; undefined at the end. */
export type WalkResponse = readonly FileIdentity[] | undefined;
