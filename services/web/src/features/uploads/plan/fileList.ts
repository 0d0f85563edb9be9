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

export const fileAt = ({ pieces }: FileList, place: number): UploadFile | undefined =>
  pieces[Math.floor(place / pieceLength)]?.[place % pieceLength];

/** Mutable copy of a list. The original stays unchanged. */
export interface FileListDraft {
  readonly at: (place: number) => UploadFile | undefined;
  readonly set: (place: number, file: UploadFile) => void;
  /** Returns the index of the file. */
  readonly push: (file: UploadFile) => number;
  readonly finish: () => FileList;
}

export const draftOf = (list: FileList): FileListDraft => {
  const pieces: (readonly UploadFile[])[] = [...list.pieces];
  const own = new Map<number, UploadFile[]>();
  let { length } = list;
  const ownPiece = (index: number): UploadFile[] => {
    const known = own.get(index);
    if (known !== undefined) return known;
    const piece = [...(pieces[index] ?? [])];
    own.set(index, piece);
    pieces[index] = piece;
    return piece;
  };
  return {
    at: (place) => fileAt({ length, pieces }, place),
    set: (place, file) => {
      ownPiece(Math.floor(place / pieceLength))[place % pieceLength] = file;
    },
    push: (file) => {
      ownPiece(Math.floor(length / pieceLength)).push(file);
      length += 1;
      return length - 1;
    },
    finish: () => ({ length, pieces }),
  };
};
