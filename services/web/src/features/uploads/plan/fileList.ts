import type { UploadFile } from './uploadFile.ts';

/**
 * Persistent list in chunks of equal length. A change copies one chunk and the list of chunks, instead of many
 * thousands of files.
 */
export interface FileList {
  readonly length: number;
  readonly chunks: readonly (readonly UploadFile[])[];
}

/** About the square root of 100,000 files, which minimizes the cost of a copy. */
const chunkLength = 256;

export const noFiles: FileList = { length: 0, chunks: [] };

export const fileAt = ({ chunks }: FileList, index: number): UploadFile | undefined =>
  chunks[Math.floor(index / chunkLength)]?.[index % chunkLength];

/** Mutable copy of a list. The original stays unchanged. */
export interface FileListDraft {
  readonly at: (index: number) => UploadFile | undefined;
  readonly set: (index: number, file: UploadFile) => void;
  /** Returns the index of the file. */
  readonly push: (file: UploadFile) => number;
  readonly finish: () => FileList;
}

export const makeDraft = (list: FileList): FileListDraft => {
  const chunks: (readonly UploadFile[])[] = [...list.chunks];
  const copiedChunks = new Map<number, UploadFile[]>();
  let { length } = list;
  const getCopiedChunk = (index: number): UploadFile[] => {
    const known = copiedChunks.get(index);
    if (known !== undefined) return known;
    const chunk = [...(chunks[index] ?? [])];
    copiedChunks.set(index, chunk);
    chunks[index] = chunk;
    return chunk;
  };
  return {
    at: (index) => fileAt({ length, chunks }, index),
    set: (index, file) => {
      getCopiedChunk(Math.floor(index / chunkLength))[index % chunkLength] = file;
    },
    push: (file) => {
      getCopiedChunk(Math.floor(length / chunkLength)).push(file);
      length += 1;
      return length - 1;
    },
    finish: () => ({ length, chunks }),
  };
};
