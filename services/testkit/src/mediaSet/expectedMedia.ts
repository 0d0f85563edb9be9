/** The result of an upload: shown, kept without being shown, or refused. */
export type Outcome = 'READY' | 'FAILED' | '400';

/** What the manifest of the test media expects of a file; `null` where the file must not have a value. */
export interface ExpectedMedia {
  readonly outcome: Outcome;
  readonly outcomeAccepts?: readonly Outcome[];
  /** Fields that are not to be judged. */
  readonly uncertain?: readonly string[];
  readonly reason?: string;
  readonly damaged?: boolean;
  readonly mimeType?: string;
  readonly mimeTypeAccepts?: readonly string[];
  readonly type?: 'PHOTO' | 'VIDEO';
  readonly category?: string;
  readonly width?: number;
  readonly height?: number;
  readonly orientation?: number;
  readonly previewWidth?: number;
  readonly previewHeight?: number;
  readonly animated?: boolean;
  readonly hasAlpha?: boolean;
  readonly iccProfile?: string | null;
  readonly durationSeconds?: number;
  readonly fps?: number;
  readonly captureTime?: string | null;
  readonly captureTimeFromName?: string;
  readonly captureTimeSource?: string;
  readonly captureTimeUtc?: string;
  readonly utcOffset?: string;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly cameraMake?: string;
  readonly cameraModel?: string;
  readonly focalLength?: number;
  readonly apertureFNumber?: number;
  readonly exposureTime?: number;
  readonly isoEquivalent?: number;
  readonly country?: string;
  readonly stateRegex?: string;
  readonly townRegex?: string;
  readonly postcodeRegex?: string | null;
  readonly contentIdentifier?: string;
  readonly pairedWith?: string;
  /** Whose the largest face is. */
  readonly person?: string;
  /** Texts that stand in the picture. */
  readonly contains?: readonly string[];
  readonly sameBytesAs?: readonly string[];
}
