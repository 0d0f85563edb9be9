import sharp, { type OverlayOptions, type Sharp } from 'sharp';

/** A picture on the sheet. Without bytes its place stays empty. */
export interface Tile {
  readonly label: string;
  readonly bytes: Buffer | undefined;
}

/** Sizes in pixels. */
const tile = { width: 160, height: 184, picture: 152, label: 20 } as const;

/** Number of label characters that fit under a picture. */
const labelLength = 25;

/** Draws thumbnails in rows, each with its label below. The grey background makes white and black parts visible. */
export const drawContactSheet = async (tiles: readonly Tile[], columns: number): Promise<Sharp> => {
  const layers = await Promise.all(tiles.map(async (each, index) => drawTile(each, index, columns)));
  return sharp({
    create: {
      width: columns * tile.width,
      height: Math.ceil(tiles.length / columns) * tile.height,
      channels: 3,
      background: '#b8b8b8',
    },
  }).composite(layers.flat());
};

const drawTile = async ({ label, bytes }: Tile, index: number, columns: number): Promise<OverlayOptions[]> => {
  const left = (index % columns) * tile.width;
  const top = Math.floor(index / columns) * tile.height;
  const text = label.length > labelLength ? `…${label.slice(1 - labelLength)}` : label;
  const caption = `<svg width="${tile.width}" height="${tile.label}"><text x="${tile.width / 2}" y="13" font-family="sans-serif"
    font-size="11" text-anchor="middle">${escapeXml(text)}</text></svg>`;
  const layers: OverlayOptions[] = [{ input: Buffer.from(caption), left, top: top + tile.height - tile.label }];
  if (bytes !== undefined) {
    const { data, info } = await sharp(bytes)
      .resize(tile.picture, tile.picture, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer({ resolveWithObject: true });
    layers.push({
      input: data,
      left: left + Math.floor((tile.width - info.width) / 2),
      top: top + Math.floor((tile.height - tile.label - info.height) / 2),
    });
  }
  return layers;
};

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
