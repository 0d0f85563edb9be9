/** The camera as people call it; many models begin with the make already. */
export const cameraName = (camera: {
  readonly cameraMake?: string | undefined;
  readonly cameraModel?: string | undefined;
}): string | undefined => {
  const make = camera.cameraMake?.trim() ?? '';
  const model = camera.cameraModel?.trim() ?? '';
  const firstWord = make.split(' ')[0]?.toLowerCase() ?? '';
  if (model !== '' && model.toLowerCase().startsWith(firstWord)) return model;
  return [make, model].filter((part) => part !== '').join(' ') || undefined;
};
