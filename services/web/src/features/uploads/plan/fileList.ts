import type { UploadFile } from './uploadFile.ts';

/**
 * Persistent list in chunks of equal length. A change copies one chunk and the list of chunks, instead of many
 * thousands of files.
 */
export interface FileList {
  readonly length: number;
  readonly pieces: readonly (readonly UploadFile[])[];
}

/** About the square root of 100,000 files, which minimizes the cost of a copy. */
const pieceLength = 256;

export const noFiles: FileList = { length: 0, pieces: [] };

export const fileAt = ({ pieces }: FileList, index: number): UploadFile | undefined =>
  pieces[Math.floor(index / pieceLength)]?.[index % pieceLength];

/** Mutable copy of a list. The original stays unchanged. */
export interface FileListDraft {
  readonly at: (index: number) => UploadFile | undefined;
  readonly set: (index: number, file: UploadFile) => void;
  /** Returns the index of the file. */
  readonly push: (file: UploadFile) => number;
  readonly finish: () => FileList;
}

export const makeDraft = (list: FileList): FileListDraft => {
  const pieces: (readonly UploadFile[])[] = [...list.pieces];
  const ownPieces = new Map<number, UploadFile[]>();
  let { length } = list;
  const ownPiece = (index: number): UploadFile[] => {
    const known = ownPieces.get(index);
    if (known !== undefined) return known;
    const piece = [...(pieces[index] ?? [])];
    ownPieces.set(index, piece);
    pieces[index] = piece;
    return piece;
  };
  return {
    at: (index) => fileAt({ length, pieces }, index),
    set: (index, file) => {
      ownPiece(Math.floor(index / pieceLength))[index % pieceLength] = file;
    },
    push: (file) => {
      ownPiece(Math.floor(length / pieceLength)).push(file);
      length += 1;
      return length - 1;
    },
    finish: () => ({ length, pieces }),
  };
};
