import { expect, it } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';

it.each([
  [['--jsn'], "unknown option '--jsn'\nDid you mean `--json`?"],
  [['list', '-w', 'api'], "unknown option '-w'\nRun `capix list --help` to see how it is used."],
  [['--xyzzy'], "unknown option '--xyzzy'\nRun `capix --help` to see how it is used."],
  [['generate', '--jsn'], "unknown option '--jsn'\nDid you mean `--json`?"],
  [
    ['diff', 'a.json', 'b.json', '--fail-on', 'safe'],
    'option \'--fail-on\': Invalid option: expected one of "breaking"|"risky"|"open"|"unread"\nRun `capix diff --help` to see how it is used.',
  ],
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
  [
    ['call', '@pay', '--amount', '5'],
    "unknown option '--amount'\nA saved call has its input in its file, in `calls`.",
  ],
  [
    ['call', '@pay', '{}'],
    "argument '{}': a saved call takes none\nA saved call has its input in its file, in `calls`.",
  ],
])('capix %j is wrong usage, and is told what is right', async (args, text) => {
  expect(await askCapix(args)).toEqual({ stdout: '', stderr: `error: ${text}\n`, exitCode: 2 });
});
