import { pathToFileURL } from 'node:url';
import type { Project } from '../../manifest/project.ts';
import { type ModulesAhead, nothingAhead } from '../../system/child/import-ahead.ts';
import { findStats } from '../../system/watch/find-stats.ts';
import { type LoadFailure, toBuildFailure } from '../load-failure.ts';
import {
  createProgramWriter,
  type Debugging,
  type ProgramWriter,
  type WrittenProgram,
} from '../modules/program-writer.ts';
import { type BuildInputs, noInputs } from './build-inputs.ts';
import { type BundleFolder, openBundleFolder } from './bundle-folder.ts';
import { type BundledUserCode, toBundle, toSourceFiles } from './bundle-user-code.ts';
import { refreshEsbuild } from './load-esbuild.ts';
import { prepareChangedBuild } from './quick/prepare-changed-build.ts';
import { type PrepareQuickBuild, prepareQuickBuild } from './quick/quick-build.ts';
import {
  type BuildOfUserCode,
  type BuiltUserCode,
  createUserCodeBuilder,
  type UserCodeBuilder,
} from './user-code-builder.ts';

/** The user's server, or capabilities, as one module. */
export interface ServerBundle extends BundledUserCode {
  readonly kind: 'bundled';
  readonly url: string;
  /** The same for the same code. */
  readonly hash: string;
  /** When it began to read the files, milliseconds since 1970. */
  readonly builtAt: number;
  /** The imports that take time to load and seldom change, as URLs. */
  readonly warmModules: readonly string[];
  /** All that it imports from outside of the project: URLs, paths, names of modules of Node. */
  readonly imports: readonly string[];
  /** Removes the file, once it is loaded. */
  readonly remove: () => Promise<void>;
}

/** Code that could not be built, or not be written. */
export interface FailedBundle {
  readonly kind: 'failed';
  readonly failure: LoadFailure;
  /** Whether the disk had no space for it. */
  readonly isDiskFull: boolean;
}

export interface ServerBundler {
  readonly bundle: () => Promise<ServerBundle | FailedBundle>;
  /**
   * Makes the next bundle a quick one. For a time when nobody waits: what takes long begins when `answered` resolves. Gives the modules of the code that
   * whoever is to run it may import ahead.
   */
  readonly prepare: (answered?: Promise<void>) => Promise<ModulesAhead>;
  /** The inputs of the last bundle, also where it could not be made. */
  readonly inputs: () => BuildInputs;
  /** Forgets what it knows: how the code is to be built may have changed. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ServerBundlerOptions {
  readonly debugging?: Debugging | undefined;
  /**
   * The size from which code becomes modules once it is prepared, of which a change writes few; whoever runs it imports the others ahead. Each change
   * of smaller code writes it as one module, if it can be one. In bytes, see `toSize`. @default none is
   */
  readonly modulesFromBytes?: number | undefined;
}

/** A `modulesFromBytes` for what is loaded again and again: evaluating 400 files, or a megabyte of generated data, as one module takes longer than linking many. */
export const LARGE_BYTES = 1_000_000;

/** Bundles the entry file of a server, or what declares its capabilities, again and again; only what changed is read anew. */
export function createServerBundler(
  project: Project,
  { debugging, modulesFromBytes = Number.POSITIVE_INFINITY }: ServerBundlerOptions = {},
): ServerBundler {
  const { root, entryFile: entry } = project;
  let folder: BundleFolder | undefined;
  let builder: UserCodeBuilder | undefined;
  let writer: ProgramWriter | undefined;
  let last: WrittenProgram | undefined;
  let built: BuildOfUserCode | undefined;
  /** One program is written as one module, and then as many. */
  const sameAs = new Map<string, string>();
  let inputs = noInputs;
  const prepareQuick = prepareBy(modulesFromBytes, () => writer);

  const reset = async (): Promise<void> => {
    const before = builder;
    [builder, built] = [undefined, undefined];
    await before?.close();
  };

  async function writeAhead(): Promise<ModulesAhead> {
    if (writer === undefined || built === undefined || toSize(built.result) < modulesFromBytes) return nothingAhead;
    const source = built;
    if (source.result.outputFiles.length === 0) return writer.findModulesAhead();
    built = { ...source, result: { ...source.result, outputFiles: [] } };
    const ahead = await writer.writeAhead(source);
    await refreshEsbuild();
    if (last !== undefined && isOlder(source, root)) sameAs.set(ahead.hash, last.hash);
    return writer.findModulesAhead();
  }

  const bundle: ServerBundler['bundle'] = async () => {
    try {
      folder ??= await openBundleFolder(root, debugging !== undefined);
      builder ??= createUserCodeBuilder({ entry, root, outFile: folder.toFile(), prepareQuick });
      built = await builder.build();
      writer ??= createProgramWriter(root, folder, debugging);
      if (await writer.mayMissNames(built)) return await reset().then(bundle);
      built = ((await writer.isSlowAsModules(built)) && (await builder.merge(built))) || built;
      last = await writer.write(built);
      return toServerBundle(built, last, { root, sameAs });
    } catch (thrown) {
      return toFailedBundle(thrown, project);
    } finally {
      inputs = builder?.inputs() ?? inputs;
    }
  };

  return {
    bundle,
    inputs: () => inputs,
    // How quick it is, is all that could fail.
    prepare: async (answered) => {
      await Promise.all([answered, builder?.prepare().catch(() => undefined)]);
      return writeAhead().catch(() => nothingAhead);
    },
    reset,
    close: async () => {
      await reset();
      await last?.remove();
      await writer?.close();
      await folder?.close();
    },
  };
}

export function toFailedBundle(thrown: unknown, project: Project): FailedBundle {
  const { code, message } = Object(thrown) as NodeJS.ErrnoException;
  const isDiskFull = code === 'ENOSPC' || code === 'EDQUOT';
  // Without the name of the file, which is another at each try.
  const reason = isDiskFull ? new Error(message.split(',')[0]) : thrown;
  return { kind: 'failed', failure: toBuildFailure(reason, project), isDiskFull };
}

function prepareBy(modulesFromBytes: number, writer: () => ProgramWriter | undefined): PrepareQuickBuild {
  return (whole) => {
    const { compileAgain } = writer() ?? {};
    return compileAgain !== undefined && toSize(whole.result) >= modulesFromBytes
      ? prepareChangedBuild(whole, compileAgain)
      : prepareQuickBuild(whole);
  };
}

/** Bytes of the sources, and for each file as many as take the time that a file takes. */
function toSize({ metafile }: BuiltUserCode): number {
  return Object.values(metafile.inputs).reduce((sum, { bytes }) => sum + bytes + FILE_BYTES, 0);
}

const FILE_BYTES = 2_000;

/** Whether files were as they are when a build began to read them. */
function isOlder({ result, builtAt }: BuildOfUserCode, root: string): boolean {
  return toSourceFiles(result.metafile, root).every(
    (file) => (findStats(file)?.mtimeMs ?? Number.POSITIVE_INFINITY) < builtAt - CLOCK_MS,
  );
}

/** The time by which the clock of a file system may be late, milliseconds. */
const CLOCK_MS = 10;

function toServerBundle(
  { result: { metafile }, builtAt }: BuildOfUserCode,
  { outFile, hash, remove }: WrittenProgram,
  { root, sameAs }: { readonly root: string; readonly sameAs: ReadonlyMap<string, string> },
): ServerBundle {
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return {
    kind: 'bundled',
    ...toBundle(outFile, metafile, root),
    url: pathToFileURL(outFile).href,
    hash: sameAs.get(hash) ?? hash,
    builtAt,
    imports: imported,
    warmModules: [...new Set(imported)].filter(
      (path) => /[\\/](zod|capix|server-runtime)[\\/]/.test(path) && path.startsWith('file:'),
    ),
    // One that cannot be removed is left to the next run.
    remove: () => remove().catch(() => {}),
  };
}
