import type { UploadFile } from './uploadFile.ts';

/** Files by their places, in pieces of one length: a change copies one piece and the list of pieces, not all of many thousands. */
export interface FileList {
  readonly length: number;
  readonly pieces: readonly (readonly UploadFile[])[];
}

/** About the square root of 100,000 files, where the piece and the list of pieces cost the same. */
const pieceLength = 256;

export const noFiles: FileList = { length: 0, pieces: [] };

export const fileAt = ({ pieces }: FileList, place: number): UploadFile | undefined =>
  pieces[Math.floor(place / pieceLength)]?.[place % pieceLength];

/** A list that is being changed; the one that it was made of stays as it is. */
export interface FileListDraft {
  readonly at: (place: number) => UploadFile | undefined;
  readonly set: (place: number, file: UploadFile) => void;
  /** Answers the place of the file. */
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
