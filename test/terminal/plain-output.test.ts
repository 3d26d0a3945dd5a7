import { afterEach, expect, it } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

/** Sets the title of the window, writes to the clipboard, turns text red, goes to the corner. */
const evil = String.raw`\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u001b[41mE\u009b1;1HV\u001b[0mIL`;

/** Prints in every way that goes through Node's streams: to both, as text and bytes, in parts, now and later. */
const capabilities = `
import { capability } from 'capix';
console.log('as text ${evil}');
console.error('on stderr ${evil}');
process.stderr.write(Buffer.from('as bytes ${evil} é\\n').subarray(0, -2));
process.stderr.write(Buffer.from('é\\n').subarray(1));
process.stdout.write('in parts \\u001b');
process.stdout.write('[41mred\\n');
setTimeout(() => console.log('later ${evil}'), 5);
const getNote = capability(async () => {
  console.log('called ${evil}');
  await new Promise((resolve) => setTimeout(resolve, 20));
  return 'read ${evil}';
});
export const capabilities = { notes: { getNote } };
`;

it.each([
  [['list', '--plain'], ['notes.getNote']],
  [
    ['call', 'notes.getNote', '--plain'],
    ['called EVIL', 'later EVIL'],
  ],
  [['check', '--json'], ['"ok": true']],
])(
  'capix %j sends a terminal no escape sequence that code of the project prints',
  async (args, shown) => {
    const { root } = await openProject({ 'src/capabilities.ts': capabilities });
    terminal = openTerminal(args, { cwd: root, columns: 200 });
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
    const output = terminal.output();
    for (const text of [
      'as text EVIL',
      'on stderr EVIL',
      'as bytes EVIL é',
      'in parts [41mred',
      ...shown,
    ])
      expect(output).toContain(text);
    expect(output).not.toMatch(/[\u0000-\u0009\u000B\u000C\u000E-\u001F\u007F-\u009F]/);
  },
);

it('capix mcp sends none either, of what it loads', async () => {
  const { root } = await openProject({ 'src/capabilities.ts': capabilities });
  terminal = openTerminal(['mcp'], { cwd: root, columns: 200 });
  await terminal.waitFor('Speaking MCP over stdin and stdout');
  terminal.type('\u0003');
  expect(await terminal.ended).toMatchObject({ exitCode: 130 });
  expect(terminal.output()).toContain('as text EVIL');
  expect(terminal.output().replace('^C', '')).not.toMatch(
    /[\u0000-\u0009\u000B\u000C\u000E-\u001F\u007F-\u009F]/,
  );
});

it('what goes into a pipe is as the code printed it', async () => {
  const { capix } = await openProject({ 'src/capabilities.ts': capabilities });
  const { stderr } = await capix(['list']);
  expect(stderr).toContain('as text \u001b]0;owned\u0007');
});
