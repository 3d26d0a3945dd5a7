import { findBuildSettings } from '../load/bundle/find-build-settings.ts';
import { readSourceText } from '../manifest/code-frame.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Problem } from '../manifest/problem.ts';
import { toProjectPath } from '../manifest/project.ts';

/** Finds decorators that want types at run time: esbuild, which knows no types, leaves their metadata out. Reads code only where a tsconfig.json asks for metadata. */
export function findDecoratorProblems({ files, project }: Pick<Manifest, 'files' | 'project'>): readonly Problem[] {
  const asking = findBuildSettings(files, project.root).find(
    (file) => file.endsWith('.json') && /"emitDecoratorMetadata"\s*:\s*true/.test(readSourceText(file)),
  );
  if (asking === undefined) return [];
  const file = files.find((each) => /\.[cm]?tsx?$/.test(each) && DECORATOR.test(readSourceText(each)));
  if (file === undefined) return [];
  const before = readSourceText(file).slice(0, readSourceText(file).search(DECORATOR));
  return [
    {
      severity: 'warning',
      code: 'decorator-metadata',
      keys: [],
      message: `${toProjectPath(asking, project.root)} sets \`emitDecoratorMetadata\`, which the commands and \`capix dev\` do not have: types are undefined there (\`design:type\`).`,
      hint: 'Name the types in the decorators, as in `@Column("text")`, or let `tsc --watch` compile and run `capix dev dist/server.js`.',
      file: toProjectPath(file, project.root),
      line: before.split('\n').length,
    },
  ];
}

/** A decorator at the beginning of a line; that of a comment has a star before it. */
const DECORATOR = /^[ \t]*@[A-Za-z_$][\w$.]*\s*(?:\(|\n|[A-Za-z])/m;
