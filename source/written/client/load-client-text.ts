import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnDocument } from '../../files/write-output.ts';
import { obtainCompiler, requireCompiler } from '../../load/hooks/compile.ts';
import { canStripTypes, stripTypes } from '../../load/hooks/strip-types.ts';
import { describeApi } from '../../manifest/describe-api.ts';
import type { LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { packageRoot } from '../../package-root.ts';
import { generateClient } from './generate-client.ts';

export const clientDocument: OwnDocument = {
  command: 'client',
  mark: /^\/\/ Written by `capix client` /,
};

interface ClientTextOptions {
  /** The name of its file. @default that of a TypeScript file */
  readonly file?: string | undefined;
  /** Whether it carries its runtime, and does not import it from `capix/client`. */
  readonly isStandalone?: boolean | undefined;
}

/** The client of a project as the text of its file: TypeScript, or JavaScript where that is the name of the file. */
export async function loadClientText(
  loaded: LoadedRegistry,
  { file = '', isStandalone = false }: ClientTextOptions = {},
): Promise<string> {
  const { document } = describeApi({ ...loaded, jobs: undefined });
  const text = generateClient(document, { code: await loadRuntime(), isCarried: isStandalone });
  if (!/\.[cm]?js$/.test(file)) return text;
  const at = join(loaded.project.root, 'package.json');
  if (canStripTypes && obtainCompiler(at) === undefined && !file.endsWith('.cjs'))
    return stripTypes(file, text);
  const { code } = requireCompiler(at).transformSync(text, {
    swcrc: false,
    configFile: false,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: file.endsWith('.cjs') ? 'commonjs' : 'es6' },
  });
  // The first line, by which the file is known, stays.
  return `${text.slice(0, text.indexOf('\n'))}\n${code}`;
}

/** Whether a written client carries its runtime. */
export function isStandaloneClient(text: string): boolean {
  return !/\bcapix\/client['"]/.test(text);
}

/** The files of `capix/client` that a client of routes needs. None of them imports anything else. */
const files = [
  '../routing/fill-route',
  'call',
  'create-client-of',
  'read-response',
  'revive',
  'queries',
];

/** The runtime as one text, without imports. */
export async function loadRuntime(): Promise<string> {
  const texts = await Promise.all(
    files.map((name) =>
      readFile(join(packageRoot(), 'server-runtime/client', `${name}.ts`), 'utf8'),
    ),
  );
  const withoutImports = texts.join('\n').replaceAll(/^import [^;]*;\n/gm, '');
  return withoutImports.trim();
}
