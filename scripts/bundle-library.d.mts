import type { Library } from './bundle-tool.mjs';

export function divideLibrary(): Promise<Library['parts']>;

export function bundleLibrary(
  options: Library & { readonly outDir: string; readonly sourcemap?: boolean },
): Promise<void>;
