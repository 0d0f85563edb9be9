export const pinnedNode: { readonly version: string; readonly sha256: Readonly<Record<string, string>> };
export function findNodeProgram(root: string): string | undefined;
export function explainMismatch(path: string, platform?: string): string | undefined;
