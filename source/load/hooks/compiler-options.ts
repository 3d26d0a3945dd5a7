import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type { JscTarget, TransformConfig } from '@swc/core';
import {
  type Cache,
  createFilesMatcher,
  createPathsMatcher,
  findTsconfig,
  getTsconfig,
  parseTsconfig,
  type TsConfigResult,
} from 'get-tsconfig';
import { attempt } from '../../values/attempt.ts';

export interface FileSettings {
  readonly module: string;
  readonly target: JscTarget;
  readonly transform: TransformConfig;
  /** How CommonJS imports what is not an ES module: as `esModuleInterop` says; `old` where it says nothing. */
  readonly interop: 'node' | 'none' | 'old';
  /** Absolute paths, without extensions, that an import may stand for by `paths` and `baseUrl`. */
  readonly toPaths: (specifier: string) => readonly string[];
}

const byFolder = new Map<string, TsConfigResult | undefined>();
const bySettings = new Map<string | undefined, FileSettings>();
const parsed: Cache<string> = new Map();
const readFor = new Map<string, readonly string[]>();

export function forgetSettings(): void {
  for (const known of [byFolder, bySettings, parsed, readFor]) known.clear();
}

/**
 * Absolute paths of what decides about the settings for a file: the nearest tsconfig.json, its references, and all that
 * these extend. A process may read several projects, so that each file has its own.
 */
export function findSettingsFiles(file: string): readonly string[] {
  const path = attempt(() => findTsconfig(file, 'tsconfig.json', parsed));
  if (path === undefined) return [];
  const known = readFor.get(path) ?? findRead(path);
  readFor.set(path, known);
  return known;
}

/** get-tsconfig gives what it read by the keys of its cache alone: `readFileSync:<path>:utf8`. */
function findRead(path: string): readonly string[] {
  const cache: Cache<string> = new Map();
  const read = (at: string) => attempt(() => parseTsconfig(at, cache));
  for (const reference of read(path)?.references ?? []) read(toReferencePath(path, reference.path));
  return [...cache.keys()].flatMap((key) => /^readFileSync:(.*):utf8$/.exec(key)?.[1] ?? []);
}

function toReferencePath(from: string, reference: string): string {
  const target = resolve(dirname(from), reference);
  return target.endsWith('.json') ? target : `${target}/tsconfig.json`;
}

/** The settings for a file (absolute path): of the nearest tsconfig.json, or of its reference with the file. */
export function findFileSettings(file: string): FileSettings {
  const folder = dirname(file);
  if (!byFolder.has(folder)) {
    const found = attempt(() => getTsconfig(file, 'tsconfig.json', parsed)) ?? undefined;
    byFolder.set(folder, found);
  }
  const nearest = byFolder.get(folder);
  const own = nearest && (findReference(nearest, file) ?? nearest);
  const known = bySettings.get(own?.path) ?? toFileSettings(own);
  bySettings.set(own?.path, known);
  return known;
}

/**
 * Whether the compiler lets a file import others by the names of their sources, `./a.ts`, and writes `./a.js` for them.
 */
export function rewritesImports(file: string): boolean {
  const { config } = attempt(() => getTsconfig(file, 'tsconfig.json', parsed)) ?? {};
  return config?.compilerOptions?.rewriteRelativeImportExtensions === true;
}

function findReference({ path, config }: TsConfigResult, file: string): TsConfigResult | undefined {
  for (const { path: other } of config.references ?? []) {
    const at = toReferencePath(path, other);
    const found = attempt(
      () => ({ path: at, config: parseTsconfig(at, parsed) }) as TsConfigResult,
    );
    if (found !== undefined && createFilesMatcher(found)(file) !== undefined) return found;
  }
  return undefined;
}

type CompilerOptions = NonNullable<TsConfigResult['config']['compilerOptions']>;

function toFileSettings(found: TsConfigResult | undefined): FileSettings {
  const options = found?.config.compilerOptions ?? {};
  const { target = '', module = 'commonjs', verbatimModuleSyntax = false } = options;
  const isOld = /^es(?:3|5|6|20(?:1\d|2[01]))$/i.test(target);
  const definesFields = options.useDefineForClassFields ?? !isOld;
  const toPaths = found && attempt(() => createPathsMatcher(found));
  return {
    module: module.toLowerCase(),
    target: definesFields ? 'es2022' : 'es2021',
    interop: toInterop(found),
    transform: {
      useDefineForClassFields: definesFields,
      verbatimModuleSyntax,
      ...toDecoratorSettings(options),
      react: toReactSettings(options),
    } as TransformConfig,
    toPaths: toPaths ?? (() => []),
  };
}

function toInterop(found: TsConfigResult | undefined): FileSettings['interop'] {
  const { esModuleInterop: interop, module = 'commonjs' } = found?.config.compilerOptions ?? {};
  if (interop !== undefined) return interop ? 'node' : 'none';
  return found !== undefined && /^commonjs$/i.test(module) && findCompilerMajor(found.path) < 6
    ? 'old'
    : 'node';
}

/** The version of the project's own TypeScript, since 6 of which the setting is on by itself. */
function findCompilerMajor(from: string): number {
  const version = attempt(
    () => (createRequire(from)('typescript/package.json') as { version?: string }).version,
  );
  return Number.parseInt(version ?? '6', 10);
}

function toDecoratorSettings(options: CompilerOptions) {
  if (!options.experimentalDecorators) return { decoratorVersion: '2022-03' };
  return { legacyDecorator: true, decoratorMetadata: options.emitDecoratorMetadata };
}

function toReactSettings(options: CompilerOptions) {
  if (options.jsx?.startsWith('react-jsx'))
    return { runtime: 'automatic', importSource: options.jsxImportSource };
  const { jsxFactory: pragma, jsxFragmentFactory: pragmaFrag } = options;
  return { runtime: 'classic', pragma, pragmaFrag };
}
