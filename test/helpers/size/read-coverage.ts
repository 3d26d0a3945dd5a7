import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../run-capix.ts';

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly [
      { readonly startOffset: number; readonly endOffset: number; readonly count: number },
    ];
  }[];
}

/** Takes the files that processes wrote into their `NODE_V8_COVERAGE`: the sources in which a function has run, relative to the package. */
export async function takeRun(folder: string): Promise<ReadonlySet<string>> {
  const run = new Set<string>();
  for (const name of await readdir(folder)) {
    if (!name.startsWith('coverage-')) continue;
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as {
      result: readonly ScriptCoverage[];
    };
    for (const script of result) for (const source of sourcesOf(script)) run.add(source);
    await rm(join(folder, name));
  }
  return run;
}

function sourcesOf({ url, functions }: ScriptCoverage): readonly string[] {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const map = existsSync(`${file}.map`) ? readMap(file) : undefined;
  if (map === undefined) return [];
  const ran = functions.filter(({ functionName, ranges: [{ startOffset, count }] }) => {
    // To evaluate a module, or one that is required by another, is no function of ours.
    return count > 0 && startOffset > 0 && !/\.tsx?$/.test(functionName);
  });
  return ran.flatMap(({ ranges: [{ startOffset }] }) => map(startOffset) ?? []);
}

const maps = new Map<string, (offset: number) => string | undefined>();

function readMap(file: string): (offset: number) => string | undefined {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const map = new SourceMap(
    JSON.parse(readFileSync(`${file}.map`, 'utf8')) as ConstructorParameters<typeof SourceMap>[0],
  );
  const text = readFileSync(file, 'utf8');
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const find = (offset: number): string | undefined => {
    const line = starts.findLastIndex((start) => start <= offset);
    const entry = map.findEntry(line, offset - (starts[line] ?? 0));
    if (!('originalSource' in entry)) return undefined;
    const source = relative(packageRoot, join(dirname(file), entry.originalSource));
    return /^(cli\.ts|commands\/|source\/|server-runtime\/)/.test(source) ? source : undefined;
  };
  maps.set(file, find);
  return find;
}
