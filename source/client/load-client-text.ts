import type { OwnDocument } from '../files/write-output.ts';
import { loadEsbuild } from '../load/bundle/load-esbuild.ts';
import { describeApi } from '../manifest/describe-api.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { renderClient } from './render-client.ts';

/** The first line of `templates/client/client.ts`. */
export const clientDocument: OwnDocument = { command: 'client', mark: /^\/\/ Written by `capix client` / };

/** The client of a project as the text of its file: TypeScript, or by the name of the file JavaScript. */
export async function loadClientText(loaded: LoadedRegistry, file?: string): Promise<string> {
  return loadFileText(await renderClient(describeApi({ ...loaded, jobs: undefined })), file);
}

/** TypeScript as it is, or without its types where the file is JavaScript. The first line, by which the file is known, stays. */
export async function loadFileText(text: string, file: string | undefined): Promise<string> {
  if (file === undefined || !/\.[cm]?js$/.test(file)) return text;
  const { transform } = await loadEsbuild();
  const format = file.endsWith('.cjs') ? 'cjs' : 'esm';
  const { code } = await transform(text, { loader: 'ts', target: 'es2022', format });
  return `${text.slice(0, text.indexOf('\n'))}\n${code}`;
}
