import type { Metafile } from 'esbuild';
import { findStats } from '../../../system/watch/find-stats.ts';
import type { CompileAgain } from '../../modules/module-compiler.ts';
import { toInputName } from '../../modules/module-graph.ts';
import { toTime } from '../../modules/waiting-files.ts';
import { mayBeImported } from '../build-inputs.ts';
import { toSourceFiles } from '../bundle-user-code.ts';
import { findPatternImports, hasPatterns } from '../patterns/with-found-imports.ts';
import type { BuiltUserCode } from '../user-code-builder.ts';
import type { UserCodeFacts } from '../user-code-plugin.ts';
import { findLoneFiles } from './find-lone-files.ts';
import { keepsImports } from './keeps-imports.ts';
import { mergeMetafile } from './merge-metafile.ts';
import type { QuickBuild, QuickResult, WholeBuild } from './quick-build.ts';
import { readChanged } from './read-changed.ts';
import { readSettingTimes } from './read-setting-times.ts';
import { createSiblings } from './siblings.ts';

/** The files of a program, as they were read. */
export interface KnownFiles {
  readonly metafile: Metafile;
  readonly facts: UserCodeFacts;
}

/** The number of changed files from which a whole build is as quick. */
const MANY_FILES = 200;
/** The time by which the clock of a file system may be late, milliseconds. */
const CLOCK_MS = 10;

/**
 * Knows the files of a whole build, and reads only those that have changed since: the cost of a save does not grow with the project. Its
 * result has no code, but all else: code is made file by file, by `compileAgain` where a file has changed.
 */
export async function prepareChangedBuild(
  { root, options, builtAt, ...whole }: WholeBuild,
  compileAgain: CompileAgain,
): Promise<QuickBuild> {
  const settings = readSettingTimes(root);
  let known: KnownFiles = { metafile: whole.result.metafile, facts: whole.facts };
  const readAtMs = builtAt - CLOCK_MS;
  let times = new Map(toSourceFiles(known.metafile, root).map((path) => [path, toTimeBefore(path, readAtMs)]));
  const siblings = createSiblings(times.keys());

  const build = async (): Promise<QuickResult | undefined> => {
    const startedAt = Date.now();
    const patterns = findPatternImports(known.metafile, root);
    const isFound = (path: string): boolean => patterns.some((pattern) => mayBeImported(path, pattern));
    const now = new Map([...times.keys()].map((path) => [path, toTime(path)]));
    const changed = [...now].flatMap(([path, time]) => (time === times.get(path) ? [] : path));
    if (changed.some((path) => now.get(path) === '') || changed.length > MANY_FILES) return undefined;
    if (readSettingTimes(root) !== settings || siblings.mayHideOthers(isFound)) return undefined;
    const lone = findLoneFiles(changed, known.metafile.inputs, root);
    const importing = changed.filter((path) => !lone.has(toInputName(path, root)));
    const isKept = await keepsImports(importing, { known, root, before: times, now, compileAgain });
    const others = isKept ? [] : importing;
    // What is wrong is said by the whole build, or, of a lone file, where it is compiled.
    const read = others.length === 0 ? undefined : await readChanged(others, { root, options, known });
    if ((read === undefined && others.length > 0) || (read && hasPatterns(read.metafile))) return undefined;
    known = read === undefined ? known : mergeMetafile(known, read, root);
    if (lone.size > 0) known = withInputs(known, lone);
    const paths = toSourceFiles(known.metafile, root);
    times = new Map(paths.map((path) => [path, now.get(path) ?? toTimeBefore(path, startedAt - CLOCK_MS)]));
    siblings.add(paths);
    return { result: toResult(known), facts: known.facts, times: now };
  };
  return { build, needsContext: false, dispose: async () => {} };
}

/** A file that others no longer import is left out, as they were read. */
function withInputs(
  { metafile, facts }: KnownFiles,
  lone: ReadonlyMap<string, Metafile['inputs'][string]>,
): KnownFiles {
  const inputs = { ...metafile.inputs };
  for (const [name, input] of lone) if (name in inputs) inputs[name] = input;
  return { metafile: { ...metafile, inputs }, facts };
}

/** A file that was saved since then may have been read before the save. */
function toTimeBefore(path: string, ms: number): string {
  return (findStats(path)?.mtimeMs ?? Number.POSITIVE_INFINITY) > ms ? 'unknown' : toTime(path);
}

function toResult({ metafile }: KnownFiles): BuiltUserCode {
  return { metafile, outputFiles: [], errors: [], warnings: [], mangleCache: undefined } as never;
}
