import { dirname, resolve } from 'node:path';
import {
  type Cache,
  createFilesMatcher,
  createPathsMatcher,
  getTsconfig,
  parseTsconfig,
  type TsConfigResult,
} from 'get-tsconfig';

/** The settings of a tsconfig.json that change what runs. */
export interface CompilerOptions {
  /** Whether decorators are those of TypeScript before 5.0. */
  readonly isLegacy?: boolean | undefined;
  /** Whether they know the types of what they stand at. */
  readonly hasMetadata?: boolean | undefined;
  readonly definesFields?: boolean | undefined;
  /** Whether imports of types stay where they do not say `type`. */
  readonly isVerbatim?: boolean | undefined;
  /** `module`, in lower case. */
  readonly module?: string | undefined;
  readonly jsx?: JsxOptions;
}

interface JsxOptions {
  readonly runtime?: 'automatic' | 'classic';
  readonly importSource?: string;
  readonly pragma?: string;
  readonly pragmaFrag?: string;
  readonly development?: boolean;
}

export interface FileSettings {
  readonly options: CompilerOptions;
  /** Absolute paths, without extensions, that an import may stand for by `paths` and `baseUrl`. */
  readonly toPaths: (specifier: string) => readonly string[];
}

const noSettings: FileSettings = { options: {}, toPaths: () => [] };
const byFolder = new Map<string, TsConfigResult | undefined>();
const bySettings = new Map<string, FileSettings>();
const parsed: Cache<string> = new Map();

/** Reads each tsconfig.json anew. */
export function forgetSettings(): void {
  for (const known of [byFolder, bySettings, parsed]) known.clear();
}

/** The settings for a file (absolute path): of the nearest tsconfig.json, or of its reference with the file. */
export function findFileSettings(file: string): FileSettings {
  const folder = dirname(file);
  if (!byFolder.has(folder))
    byFolder.set(
      folder,
      attempt(() => getTsconfig(file, 'tsconfig.json', parsed)),
    );
  const nearest = byFolder.get(folder);
  const own = nearest && (findReference(nearest, file) ?? nearest);
  if (own === undefined) return noSettings;
  const known = bySettings.get(own.path) ?? toFileSettings(own);
  bySettings.set(own.path, known);
  return known;
}

function findReference({ path, config }: TsConfigResult, file: string): TsConfigResult | undefined {
  for (const { path: other } of config.references ?? []) {
    const target = resolve(dirname(path), other);
    const at = target.endsWith('.json') ? target : `${target}/tsconfig.json`;
    const found = attempt(() => ({ path: at, config: parseTsconfig(at, parsed) }) as TsConfigResult);
    if (found !== undefined && createFilesMatcher(found)(file) !== undefined) return found;
  }
  return undefined;
}

/** Undefined for a file that cannot be read, which is `tsc`'s to complain about. */
function attempt<Found>(find: () => Found | null): Found | undefined {
  try {
    return find() ?? undefined;
  } catch {
    return undefined;
  }
}

function toFileSettings(found: TsConfigResult): FileSettings {
  const { compilerOptions = {} } = found.config;
  const { experimentalDecorators, emitDecoratorMetadata, verbatimModuleSyntax, useDefineForClassFields } =
    compilerOptions;
  const target = compilerOptions.target?.toLowerCase();
  const isOld = target !== undefined && /^es(?:3|5|6|20(?:1\d|2[01]))$/.test(target);
  return {
    options: {
      isLegacy: experimentalDecorators,
      hasMetadata: emitDecoratorMetadata,
      definesFields: useDefineForClassFields ?? !isOld,
      isVerbatim: verbatimModuleSyntax,
      module: compilerOptions.module?.toLowerCase(),
      jsx: toJsx(compilerOptions),
    },
    toPaths: attempt(() => createPathsMatcher(found)) ?? noSettings.toPaths,
  };
}

function toJsx({
  jsx,
  jsxImportSource,
  jsxFactory,
  jsxFragmentFactory,
}: NonNullable<TsConfigResult['config']['compilerOptions']>): JsxOptions {
  if (jsx === 'react-jsx' || jsx === 'react-jsxdev')
    return { runtime: 'automatic', ...(jsxImportSource && { importSource: jsxImportSource }) };
  return {
    runtime: 'classic',
    ...(jsxFactory && { pragma: jsxFactory }),
    ...(jsxFragmentFactory && { pragmaFrag: jsxFragmentFactory }),
  };
}
