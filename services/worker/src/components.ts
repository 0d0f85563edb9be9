import { classification } from './components/classification.ts';
import { faces } from './components/faces.ts';
import { metadata } from './components/metadata.ts';
import { ocr } from './components/ocr.ts';
import { places } from './components/places.ts';
import { previewThumbnail } from './components/previewThumbnail.ts';
import { search } from './components/search.ts';
import { transcode } from './components/transcode.ts';
import type { Components } from './runPool.ts';

/** The code of every component that the pipeline names: a missing one does not compile. */
export const components = {
  METADATA: metadata,
  PREVIEW_THUMBNAIL: previewThumbnail,
  PLACES: places,
  TRANSCODE: transcode,
  CLASSIFICATION: classification,
  FACES: faces,
  OCR: ocr,
  SEARCH: search,
} as const satisfies Components;
