import type { Metafile } from 'esbuild';
import { toInputName, toInputPath } from '../../modules/module-graph.ts';
import type { UserCodeFacts } from '../user-code-plugin.ts';
import type { KnownFiles } from './prepare-changed-build.ts';
import type { ChangedFiles } from './read-changed.ts';

type Inputs = Metafile['inputs'];
type Input = Inputs[string];
type Import = Input['imports'][number];

/** All files of a program, some of which were read anew. `root`: absolute path of the project. */
export function mergeMetafile(known: KnownFiles, read: ChangedFiles, root: string): KnownFiles {
  const [[name, output] = ['', undefined]] = Object.entries(known.metafile.outputs);
  const all: Inputs = { ...known.metafile.inputs };
  for (const [id, input] of Object.entries(read.metafile.inputs)) all[id] = withKnown(id, input, { known, read, root });
  const inputs = toReached(all, output?.entryPoint ?? '');
  const imports = Object.values(inputs).flatMap((input) => input.imports.filter(({ external }) => external));
  return {
    metafile: { inputs, outputs: output === undefined ? {} : { [name]: { ...output, imports: imports as never } } },
    facts: mergeFacts(known.facts, read.facts),
  };
}

interface Merged {
  readonly known: KnownFiles;
  readonly read: ChangedFiles;
  readonly root: string;
}

/** The files that were known are no longer outside. */
function withKnown(id: string, input: Input, { known, read, root }: Merged): Input {
  const texts = read.facts.stopped.get(toInputPath(id, root));
  const toImports = (each: Import): readonly Import[] => {
    const target = each.external ? toInputName(each.path, root) : undefined;
    const originals = texts?.get(each.path);
    if (target === undefined || originals === undefined || !(target in known.metafile.inputs)) return [each];
    return [...originals].map((original) => ({ kind: each.kind, path: target, original }));
  };
  return { ...input, imports: input.imports.flatMap(toImports) };
}

function toReached(inputs: Inputs, entry: string): Inputs {
  const reached: Inputs = {};
  const waiting = [entry];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const input = inputs[id];
    if (input === undefined || id in reached) continue;
    reached[id] = input;
    waiting.push(...input.imports.flatMap(({ external, path }) => (external ? [] : path)));
  }
  return reached;
}

function mergeFacts(known: UserCodeFacts, read: UserCodeFacts): UserCodeFacts {
  const imports = new Map(known.imports);
  for (const [text, paths] of read.imports) imports.set(text, new Set([...(imports.get(text) ?? []), ...paths]));
  return {
    imports,
    found: new Map([...known.found, ...read.found]),
    metaFiles: new Set([...known.metaFiles, ...read.metaFiles]),
    readFiles: new Set([...known.readFiles, ...read.readFiles]),
    stopped: new Map(),
  };
}
