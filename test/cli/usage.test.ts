import { expect, it } from 'vitest';
import { runCapix } from '../helpers/run-capix.ts';

it.each([
  [
    ['--jsn'],
    "unknown option '--jsn'\nDid you mean `--json`? Options come after the command: `capix <command> --json`.",
  ],
  [['--xyzzy'], "unknown option '--xyzzy'\nRun `capix --help` to see how it is used."],
  [['generate', '--jsn'], "unknown option '--jsn'\nDid you mean `--json`?"],
  [['init'], "unknown command 'init'\nDid you mean `new`?"],
  [['build'], "unknown command 'build'\ncapix builds nothing: `npm run build` of a project compiles it."],
  [
    ['openapi', '--server', 'a', '--server=b'],
    "option '--server' is given more than once, and takes one value\nRun `capix openapi --help` to see how it is used.",
  ],
  [
    ['mcp', '--name', 'a', '--name', 'b'],
    "option '--name' is given more than once, and takes one value\nRun `capix mcp --help` to see how it is used.",
  ],
  [
    ['openapi', '--title', 'Capix API', '--title', 'Shop'],
    "option '--title' is given more than once, and takes one value\nRun `capix openapi --help` to see how it is used.",
  ],
  [['call', '--all', '--junit', 'x.xml'], "unknown option '--junit'\nDid you mean `--format junit`?"],
  [['call', '--all', '--reporter=junit'], "unknown option '--reporter'\nDid you mean `--format junit`?"],
  [
    ['call', '--all', '--output', 'x.xml'],
    "unknown option '--output'\nIt writes to stdout: end the line with `> <file>`.",
  ],
  [['call', '@pay', '--fromat', 'junit'], "unknown option '--fromat'\nDid you mean `--format`?"],
  [['call', '@pay', '--amount', '5'], "unknown option '--amount'\nA saved call has its input in its file, in `calls`."],
  [
    ['call', '@pay', '{}'],
    "argument '{}': a saved call takes none\nA saved call has its input in its file, in `calls`.",
  ],
  [['check', '--github'], "unknown option '--github'\nDid you mean `--format github`?"],
  [['check', '--reporter', 'junit'], "unknown option '--reporter'\nDid you mean `--format github`?"],
  [['openapi', '--yaml'], "unknown option '--yaml'\nDid you mean `--format yaml`?"],
  [['openapi', '--out-file', 'api.json'], "unknown option '--out-file'\nDid you mean `--output`?"],
  [['new', 'shop', '--pnpm'], "unknown option '--pnpm'\nDid you mean `--package-manager pnpm`?"],
])('capix %j is wrong usage, and is told what is right', async (args, text) => {
  expect(await runCapix(args)).toEqual({ stdout: '', stderr: `error: ${text}\n`, exitCode: 2 });
});
