import type { FileIdentity } from '../plan/uploadFile.ts';

/** The folder whose next files the page asks for: the same each time. */
export type WalkQuestion = FileSystemDirectoryHandle;

/** Some files of the folder, or undefined once there are no more. */
export type WalkAnswer = readonly FileIdentity[] | undefined;
