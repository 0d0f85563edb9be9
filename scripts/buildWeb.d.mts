export function buildWeb(
  root: string,
  build: (folder: string) => Promise<void>,
): Promise<'built' | 'unchanged' | 'none'>;
