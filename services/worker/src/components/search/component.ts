import { writePictureHash } from './pictureHashes.ts';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import { embeddingSides } from '@hearth/inference/embeddings/embedding.ts';
import type { Component } from '../../context/component.ts';
import { computePictureFeatures } from './perceptualHash.ts';
import { taskCapabilities } from '../../context/tools.ts';

/** Computes the embedding of a photo or video poster for semantic search, and the perceptual hash of a photo for finding duplicates. */
export const search: Component = {
  name: 'SEARCH',
  tools: ['inference'],
  capabilities: [taskCapabilities.meaning],
  previewSizes: embeddingSides,
  run: async ({ inference, config }, { item, pixels }) => {
    const sizes = await Promise.all(embeddingSides.map(pixels));
    const embedding = await inference.embedPicture(sizes);
    const features = item.type === 'PHOTO' ? computePictureFeatures(sizes[0]!) : undefined;
    return {
      state: 'DONE',
      warnings: [],
      writes: {
        write: async (trx) => {
          await writeItemEmbedding(trx, item, config.searchModel, embedding);
          await writePictureHash(trx, item, features);
        },
      },
    };
  },
};
