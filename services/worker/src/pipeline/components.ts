import { classification } from '../components/things/component.ts';
import { faces } from '../components/faces/component.ts';
import { metadata } from '../components/metadata/component.ts';
import { ocr } from '../components/text/component.ts';
import { places } from '../components/places/component.ts';
import { previewThumbnail } from '../components/preview/component.ts';
import { search } from '../components/search/component.ts';
import { transcode } from '../components/transcode/component.ts';
import type { Components } from './runPool.ts';

/** Implementations of all components. A missing one is a type error. */
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
