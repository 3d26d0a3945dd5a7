import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { readCpuMs } from '../helpers/read-cpu-ms.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

const capabilities = `import { appendFileSync } from 'node:fs';
import { capability } from 'capix';
import * as z from 'zod';

const item = z.object({ sku: z.string().min(3), count: z.number().optional() });
const many = Object.fromEntries(Array.from({ length: 44 }, (_, at) => ['field' + at, at === 39 ? z.string() : z.string().optional()]));
const input = z.object({
  text: z.string(),
  flag: z.boolean().optional(),
  note: z.string().nullable().optional(),
  kind: z.enum(['lamp', 'chair']).nullable().optional(),
  tags: z.array(z.string()),
  lines: z.array(item).optional(),
  shape: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), r: z.number() }),
      z.object({ kind: z.literal('square'), side: z.number() }),
    ])
    .optional(),
  extra: z.record(z.string(), z.number()).optional(),
  password: z.string().optional(),
});

export const capabilities = {
  forms: {
    fillMany: capability(z.object(many), (said) => Object.keys(said)),
    echoAll: capability(input, (said) => ({ said: JSON.stringify(said) })),
    logged: capability(z.object({ id: z.string() }), async () => {
      appendFileSync('calls.log', 'called\\n');
      await new Promise((resolve) => setTimeout(resolve, 700));
      return 'done';
    }),
  },
};
`;

async function open(key: string, env: Readonly<Record<string, string>> = {}) {
  const project = await openProject({ 'src/capabilities.ts': capabilities });
  const start = async () => {
    terminal = openTerminal(['call', key], { cwd: project.root, env, columns: 130, rows: 40 });
    await terminal.waitFor('No call yet');
    return terminal;
  };
  return { project, start, terminal: await start() };
}

const down = '\u001B[B';
const up = '\u001B[A';
const say = '\u000E';
const undo = '\u001A';

it('keeps what is typed from every key that would lose it', async () => {
  const { terminal } = await open('forms.echoAll');
  terminal.type('hello\tquick quit\t');
  await terminal.waitFor(/text\* +hello [^]*note +·/);
  // A row that takes no text takes no command either.
  terminal.type('\u001B[Zq?:y');
  await terminal.waitFor(/flag +< true >/);
  terminal.type('\u000C');
  terminal.type('\u001Bl');
  await terminal.waitFor(/Cleared\.[^]*Ctrl-Z|text\* +·/);
  terminal.type(undo);
  await terminal.waitFor(/text\* +hello /);
  terminal.type('\u001Bz');
  await terminal.waitFor(/text\* +·/);
  terminal.type(undo);
  await terminal.waitFor(/text\* +hello [^]*flag +< true >/);
  terminal.type('\u0010list\r');
  await terminal.waitFor('Enter show');
  terminal.type('\u0010call forms.echoAll\r');
  await terminal.waitFor(/text\* +hello [^]*flag +< true >/);
});

it('says how much of a long form is below, leads to what is missing there, and takes a long text', async () => {
  const { terminal } = await open('forms.fillMany');
  terminal.resize(80, 24);
  expect(await terminal.waitFor(/↓ \d+ more, 1 required/)).toContain('┃');
  terminal.type('\r');
  await terminal.waitFor(/❯ field39\* +· +✗ required/);
  terminal.type(`\u001B[200~${'0123456789'.repeat(2000)}\u001B[201~`);
  await terminal.waitFor(/❯ field39\* .*23456789 /);
  const keys = 40;
  const before = readCpuMs(terminal.pid);
  for (let key = 1; key <= keys; key++) {
    terminal.type('x');
    await terminal.waitFor(new RegExp(`9${'x'.repeat(Math.min(key, 8))} `));
  }
  expect((readCpuMs(terminal.pid) - before) / keys).toBeLessThan(50);
  terminal.type('\r');
  await terminal.waitFor('0: "field39"');
});

it('says every value, and sends what it shows', async () => {
  const { terminal } = await open('forms.echoAll');
  terminal.type(`\u001B[200~line one\n  two\u001B[201~${down}${down}${say}`);
  await terminal.waitFor(/note +null /);
  terminal.type(`${down}ch${down}+`);
  await terminal.waitFor(/kind +< "chair" >[^]*tags\* +\[1 item\][^]*❯ +1 +""/);
  terminal.type(`${down}+A-1`);
  await terminal.waitFor(/sku\* +A-1/);
  terminal.type('\u001Bi');
  await terminal.waitFor(/\[2 items\][^]*sku\* +A-1 [^]*❯ +sku\* +·/);
  terminal.type('A-12');
  await terminal.waitFor(/❯ +sku\* +A-12/);
  terminal.type(`${up}${up}`);
  await terminal.waitFor(/❯ +sku\* +A-1 /);
  terminal.type('\u001Bi');
  await terminal.waitFor(/\[3 items\][^]*sku\* +A-1 [^]*❯ +sku\* +·[^]*sku\* +A-12/);
  terminal.type('\u001Bd');
  await terminal.waitFor(/\[2 items\][^]*sku\* +A-1 [^]*❯ +sku\* +A-12/);
  terminal.type(`${down}${down} `);
  await terminal.waitFor(/shape +< circle >/);
  terminal.type(`${down}5${down}+a${down}7${down}hunter2`);
  await terminal.waitFor(/password +\*{7} /);
  expect(terminal.output()).not.toContain('hunter2');
  terminal.type('\r');
  await terminal.waitFor(/200 +[\d.]+ m?s/);
  terminal.type('\u000F');
  await terminal.waitFor('y copy');
  terminal.type('jjy');
  await terminal.waitFor('Sent the answer');
  expect(JSON.parse(readCopied(terminal) as string)).toEqual({
    text: 'line one\n  two',
    note: null,
    kind: 'chair',
    tags: [''],
    lines: [{ sku: 'A-1' }, { sku: 'A-12' }],
    shape: { kind: 'circle', r: 5 },
    extra: { a: 7 },
    password: 'hunter2',
  });
});

it('puts the input into the editor as JSON with comments, and takes it back', async () => {
  const { terminal, project } = await open('forms.echoAll', { EDITOR: './editor.mjs' });
  const editor = join(project.root, 'editor.mjs');
  await writeFile(
    editor,
    `#!${process.execPath}
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const file = process.argv.at(-1);
const text = readFileSync(file, 'utf8');
writeFileSync(existsSync('first.jsonc') ? 'second.jsonc' : 'first.jsonc', text);
writeFileSync(file, text.includes('✗✗')
  ? text.replace('"note": nul,', '"note": null,')
  : text.replace('"text": "Ada",', '"text": "two\\\\nlines",\\n  "note": nul,\\n  "extra": {"b": 3},'));
`,
  );
  await chmod(editor, 0o755);
  terminal.type('Ada');
  await terminal.waitFor(/text\* +Ada/);
  terminal.type('\u0018\u0005');
  await terminal.waitFor(/text\* +two[^]*lines[^]*note +null[^]*extra +\[1 item\]/);
  const first = await readFile(join(project.root, 'first.jsonc'), 'utf8');
  expect(first).toMatch(
    /^\/\/ text: string, required\n[^]*\/\/ kind: 'lamp' \| 'chair' \| null\n[^]*^\{\n {2}"text": "Ada",/m,
  );
  expect(await readFile(join(project.root, 'second.jsonc'), 'utf8')).toMatch(
    /✗✗ This is not JSON: .*\n.*nul,/,
  );
  terminal.type(undo);
  await terminal.waitFor(/text\* +Ada[^]*note +·/);
});

it('sends once, however often Enter is pressed, and tells what cancelling has done', async () => {
  const { terminal, project } = await open('forms.logged');
  terminal.type('\r');
  await terminal.waitFor(/is missing\. Ctrl-S sends all the same/);
  terminal.type('7\r\r\r');
  await terminal.waitFor('data: "done"');
  terminal.type('\u000F\r');
  await terminal.waitFor('y copy');
  expect(await readFile(join(project.root, 'calls.log'), 'utf8')).toBe('called\n');
  terminal.type('\u000F\r');
  await terminal.waitFor(/Running … \d/);
  terminal.type('\u001B');
  await terminal.waitFor(/Cancelled after \d+\.\d s[^]*Its process was ended\./);
});

it('says what is missing until the call is sent all the same', async () => {
  const { terminal } = await open('forms.logged');
  terminal.type('\r');
  await terminal.waitFor(/is missing\. Ctrl-S sends all the same/);
  terminal.type('\u0013');
  await terminal.waitFor(/Input validation failed/);
  expect(terminal.screen()).not.toContain('sends all the same');
});

/** The text that was put on the clipboard last. */
function readCopied(from: OpenTerminal): unknown {
  const [, text = ''] =
    [...from.output().matchAll(/\u001B\]52;c;([A-Za-z0-9+/=]+)\u0007/g)].at(-1) ?? [];
  return JSON.parse(Buffer.from(text, 'base64').toString());
}
