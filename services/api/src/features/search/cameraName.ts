/** What a camera is called: many models begin with their make. */
export const cameraName = (make: string | null, model: string | null): string =>
  make === null || model?.toLowerCase().startsWith(make.toLowerCase()) === true
    ? (model ?? '')
    : [make, model].filter((part) => part !== null).join(' ');
