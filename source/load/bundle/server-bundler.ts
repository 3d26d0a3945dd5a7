import { pathToFileURL } from 'node:url';
import type { Project } from '../../manifest/project.ts';
import { type LoadFailure, toBuildFailure } from '../load-failure.ts';
import {
  createProgramWriter,
  type Debugging,
  type ProgramWriter,
  type WrittenProgram,
} from '../modules/program-writer.ts';
import { type BuildInputs, noInputs } from './build-inputs.ts';
import { type BundleFolder, openBundleFolder } from './bundle-folder.ts';
import { type BundledUserCode, toBundle } from './bundle-user-code.ts';
import { type BuiltUserCode, createUserCodeBuilder, type UserCodeBuilder } from './user-code-builder.ts';

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

export interface ServerBundler {
  readonly bundle: () => Promise<ServerBundle | { readonly kind: 'failed'; readonly failure: LoadFailure }>;
  /** Makes the next bundle a quick one. For a time when nobody waits. */
  readonly prepare: () => Promise<void>;
  /** The inputs of the last bundle, also where it could not be made. */
  readonly inputs: () => BuildInputs;
  /** Forgets what it knows: how the code is to be built may have changed. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Bundles the entry file of a server, or what declares its capabilities, again and again; only what changed is read anew. */
export function createServerBundler(project: Project, debugging?: Debugging): ServerBundler {
  const { root, configFile: entry } = project;
  let folder: BundleFolder | undefined;
  let builder: UserCodeBuilder | undefined;
  let writer: ProgramWriter | undefined;
  let last: WrittenProgram | undefined;
  let inputs = noInputs;

  const reset = async (): Promise<void> => {
    const before = builder;
    builder = undefined;
    await before?.close();
  };

  return {
    bundle: async () => {
      try {
        folder ??= await openBundleFolder(root, debugging !== undefined);
        builder ??= createUserCodeBuilder({ entry, root, outFile: folder.toFile() });
        const { result, facts, builtAt } = await builder.build();
        writer ??= createProgramWriter(root, folder, debugging);
        last = await writer.write(result, facts);
        return toServerBundle(result, last, { root, builtAt });
      } catch (thrown) {
        return { kind: 'failed', failure: toBuildFailure(thrown, project) };
      } finally {
        inputs = builder?.inputs() ?? inputs;
      }
    },
    inputs: () => inputs,
    // How quick it is, is all that could fail.
    prepare: async () => builder?.prepare().catch(() => undefined),
    reset,
    close: async () => {
      await reset();
      await last?.remove();
      await writer?.close();
      await folder?.close();
    },
  };
}

function toServerBundle(
  { metafile }: BuiltUserCode,
  { outFile, hash, remove }: WrittenProgram,
  { root, builtAt }: { readonly root: string; readonly builtAt: number },
): ServerBundle {
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return {
    kind: 'bundled',
    ...toBundle(outFile, metafile, root),
    url: pathToFileURL(outFile).href,
    hash,
    builtAt,
    imports: imported,
    warmModules: [...new Set(imported)].filter(
      (path) => /[\\/](zod|capix|server-runtime)[\\/]/.test(path) && path.startsWith('file:'),
    ),
    // One that cannot be removed is left to the next run.
    remove: () => remove().catch(() => {}),
  };
}
