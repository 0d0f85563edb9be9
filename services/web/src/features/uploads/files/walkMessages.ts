import type { FileIdentity } from '../plan/uploadFile.ts';

/** Folder to list. Each message requests the next slice. */
export type WalkQuestion = FileSystemDirectoryHandle;

/** Next slice of files; undefined at the end. */
export type WalkAnswer = readonly FileIdentity[] | undefined;
