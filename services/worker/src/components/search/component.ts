import { writePictureHash } from './pictureHashes.ts';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import { embeddingSides } from '@hearth/inference/embeddings/embedding.ts';
import type { Component } from '../../context/component.ts';
import { lookOf } from './pictureLook.ts';
import { taskCapabilities } from '../../context/tools.ts';

/** Computes the embedding of a photo or video poster for semantic search, and the perceptual hash of a photo for finding duplicates. */
export const search: Component = {
  name: 'SEARCH',
  opens: ['inference'],
  capabilities: [taskCapabilities.meaning],
  pixels: embeddingSides,
  run: async ({ inference, config }, { item, pixels }) => {
    const sizes = await Promise.all(embeddingSides.map(pixels));
    const embedding = await inference.embedPicture(sizes);
    const look = item.type === 'PHOTO' ? lookOf(sizes[0]!) : undefined;
    return {
      state: 'DONE',
      warnings: [],
      writes: {
        write: async (trx) => {
          await writeItemEmbedding(trx, item, config.searchModel, embedding);
          await writePictureHash(trx, item, look);
        },
      },
    };
  },
};
