/** Result of an upload: shown, stored without being shown, or rejected. */
export type Outcome = 'READY' | 'FAILED' | '400';

/** Expectations of a file in the manifest of the test media. `null` means that there must be no value. */
export interface ExpectedMedia {
  readonly outcome: Outcome;
  readonly outcomeAccepts?: readonly Outcome[];
  /** Fields to skip. */
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
  /** Person of the largest face. */
  readonly person?: string;
  /** Texts visible in the picture. */
  readonly contains?: readonly string[];
  readonly sameBytesAs?: readonly string[];
}
