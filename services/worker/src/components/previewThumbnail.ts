import { Readable } from 'node:stream';
import { previewKey, thumbnailKey } from '@hearth/core/objects/keys.ts';
import { versionOf } from '@hearth/core/pipeline.ts';
import type { Component } from '../component.ts';
import { DecodeError } from '../media/decodeError.ts';
import { listDecodableTypes } from '../media/decodableTypes.ts';
import { decodeCapability } from '../media/photoFormats.ts';
import type { RenderedPhoto } from '../media/renderPhoto.ts';
import { renderStill } from '../media/renderStill.ts';

const version = versionOf('PREVIEW_THUMBNAIL');

/** Makes the screen-size preview, the grid-size thumbnail and the placeholder. */
export const previewThumbnail: Component = {
  name: 'PREVIEW_THUMBNAIL',
  capabilities: listDecodableTypes().map(decodeCapability),
  run: async (deps, { item, original }) => {
    const { objects } = deps;
    const rendered = await decode(async () => renderStill(await original(), deps));
    if (rendered === undefined) {
      return { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: decodeCapability(item.mime_type) };
    }
    const preview = previewKey(item.user_id, item.id, version, rendered.preview.extension);
    const thumbnail = thumbnailKey(item.user_id, item.id, version);
    await Promise.all([
      objects.put(preview, Readable.from([rendered.preview.bytes])),
      objects.put(thumbnail, Readable.from([rendered.thumbnail.bytes])),
    ]);
    return {
      state: 'DONE',
      warnings: rendered.warnings,
      changes: {
        preview_key: preview,
        thumbnail_key: thumbnail,
        placeholder: rendered.placeholder,
        width_px: rendered.width,
        height_px: rendered.height,
      },
    };
  },
};

/** Undefined where this installation has no decoder for the format, which is no fault of the file. */
const decode = async (render: () => Promise<RenderedPhoto>): Promise<RenderedPhoto | undefined> => {
  try {
    return await render();
  } catch (error) {
    if (error instanceof DecodeError && error.code === 'UNSUPPORTED') return undefined;
    throw error;
  }
};
