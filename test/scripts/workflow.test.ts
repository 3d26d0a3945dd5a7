import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../helpers/run-capix.ts';

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly steps: readonly { readonly run?: string }[];
        readonly strategy?: { readonly matrix: { readonly script?: readonly string[] } };
      }
    >
  >;
}

it('the build machine runs scripts that there are: the gate, runtimes and bundlers, package managers, the check of speed, and what users rely on', () => {
  const read = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');
  const { scripts } = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const { jobs } = parse(read('.github/workflows/ci.yml')) as Workflow;
  const run = Object.values(jobs).flatMap(({ steps, strategy }) =>
    (strategy?.matrix.script ?? ['']).flatMap((script) =>
      steps.map(({ run: command }) => command?.replace('${{ matrix.script }}', script)),
    ),
  );
  expect(run).toEqual(
    expect.arrayContaining([
      'npm test',
      'npm run long',
      'npm run compat',
      'npm run compat:managers',
      'npm run bench -- --check',
      'npm run same -- 09e6a63a',
    ]),
  );
  for (const command of run) {
    const [, name] = /^npm (?:run )?(?!ci$)(\S+)$/.exec(command ?? '') ?? [];
    if (name !== undefined) expect(scripts).toHaveProperty([name]);
  }
});
