import type { OwnDocument } from '../files/write-output.ts';
import { loadEsbuild } from '../load/bundle/load-esbuild.ts';
import { describeApi } from '../manifest/describe-api.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import type { ClientTypes } from './generate-client.ts';
import { renderClient } from './render-client.ts';

/** The first line of `templates/client/client.ts`. */
export const clientDocument: OwnDocument = { command: 'client', mark: /^\/\/ Written by `capix client` / };

export interface ClientTextOptions extends ClientTypes {
  /** The name of its file. @default that of a TypeScript file */
  readonly file?: string | undefined;
}

/** The client of a project as the text of its file: TypeScript, or by the name of the file JavaScript. */
export async function loadClientText(
  loaded: LoadedRegistry,
  { file, ...options }: ClientTextOptions = {},
): Promise<string> {
  return loadFileText(await renderClient(describeApi({ ...loaded, jobs: undefined }), options), file);
}

/** TypeScript as it is, or without its types where the file is JavaScript. The first line, by which the file is known, stays. */
export async function loadFileText(text: string, file: string | undefined): Promise<string> {
  if (file === undefined || !/\.[cm]?js$/.test(file)) return text;
  const { transform } = await loadEsbuild();
  const format = file.endsWith('.cjs') ? 'cjs' : 'esm';
  const { code } = await transform(text, { loader: 'ts', target: 'es2022', format });
  return `${text.slice(0, text.indexOf('\n'))}\n${code}`;
}
