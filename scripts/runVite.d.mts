export function runVite(node: string): (folder: string) => Promise<void>;
