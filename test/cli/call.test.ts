import { beforeAll, describe, expect, it } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

let folder: string;
beforeAll(async () => {
  folder = await scaffold();
  await writeTree(folder, {
    'src/odd.ts': `
      import { capability, defaultErrors, defineGuard } from 'capix';
      import { z } from 'zod';
      const mustBeUser = defineGuard(() => { throw defaultErrors.Unauthorized(); }, { name: 'mustBeUser' });
      console.log('printed while loading');
      export const odd = {
        echo: capability((input) => { console.log('printed by the handler'); return input; }),
        context: capability((_input, ctx) => ({ names: Object.keys(ctx), hasSignal: ctx.signal instanceof AbortSignal })),
        getSecret: capability(() => 1).guard(mustBeUser),
        getItems: capability(async function* () { yield 1; yield 2; }),
        getNothing: capability(() => undefined),
        crash: capability(() => { throw new Error('boom \\u001b[31m red'); }),
        quit: capability(() => process.exit(0)),
        late: capability(async () => { setTimeout(() => { throw new Error('too late'); }); await new Promise((resolve) => setTimeout(resolve, 60_000)); }),
        getCircle: capability(() => { const circle = {}; circle.self = circle; return circle; }),
        getControl: capability(() => 'a\\u009b31m\\u202eb'),
        listTags: capability(z.object({ tags: z.array(z.string()) }), ({ tags }) => tags),
        listThings: capability(z.object({ page: z.number() }), ({ page }) => page),
      };
    `,
  });
});

const call = (...args: string[]) => askCapix(['call', ...args], { cwd: folder });
const callOdd = (...args: string[]) =>
  askCapix(['call', ...args, '--config', 'src/odd.ts'], { cwd: folder });

describe('capix call', () => {
  it('writes the value as JSON', async () => {
    expect(await call('items.createItem', '{"name": "Pen"}')).toEqual({
      stdout: '{\n  "id": "1",\n  "name": "Pen"\n}\n',
      stderr: '',
      exitCode: 0,
    });
  });

  it('writes the envelope with --json', async () => {
    const { stdout, exitCode } = await call('items.listItems', '--json');
    expect([JSON.parse(stdout), exitCode]).toEqual([{ ok: true, data: [] }, 0]);
  });

  it('reads the input from stdin with -', async () => {
    const { stdout } = await askCapix(['call', 'items.createItem', '-'], {
      cwd: folder,
      input: '{"name": "Ünï"}',
    });
    expect(JSON.parse(stdout)).toEqual({ id: '1', name: 'Ünï' });
  });

  it('says what the API would answer, and fails', async () => {
    expect(await call('items.getItem', '{"id": "9"}')).toEqual({
      stdout: '',
      stderr: 'error: NotFound (404): There is no item 9\n',
      exitCode: 1,
    });
    const { stdout, exitCode } = await call('items.getItem', '{"id": "9"}', '--json');
    expect([JSON.parse(stdout), exitCode]).toEqual([
      { ok: false, error: { code: 'NotFound', message: 'There is no item 9', status: 404 } },
      1,
    ]);
  });

  it('names the fields that are wrong; nothing is coerced', async () => {
    const { stderr, exitCode } = await callOdd('odd.listThings', '{"page": "2"}');
    expect(stderr).toMatch(
      /error: BadRequest \(400\): Input validation failed\n {2}page: .*number.* \(received "2"\)\n/,
    );
    expect(exitCode).toBe(1);
  });

  it.each([
    ['{bad', 'The input is not JSON: '],
    ["{'id': 1}", 'The input is not JSON: '],
  ])('refuses the input %s as wrong usage', async (input, message) => {
    const { stderr, exitCode } = await call('items.getItem', input);
    expect([stderr.includes(message), exitCode]).toEqual([true, 2]);
  });

  it('names the first 50 of many wrong fields, and says how many more there are', async () => {
    const { stderr, exitCode } = await callOdd(
      'odd.listTags',
      `{"tags": [${Array(80).fill(1).join()}]}`,
    );
    const lines = stderr.trimEnd().split('\n');
    expect([lines.length, ...lines.slice(-2), exitCode]).toEqual([
      53,
      '  tags.49: Invalid input: expected string, received number (received 1)',
      '  and 30 more',
      1,
    ]);
  });

  it('refuses an input that is nested deeper than 64 levels', async () => {
    const deep = (levels: number) =>
      callOdd('odd.echo', `{"a": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
    expect((await deep(64)).exitCode).toBe(0);
    expect(await deep(65)).toEqual({
      stdout: '',
      stderr:
        'printed while loading\nerror: BadRequest (400): The input is nested deeper than 64 levels\n',
      exitCode: 1,
    });
  });

  it('suggests the nearest key, as wrong usage', async () => {
    const { stderr, exitCode } = await call('items.getItems');
    expect([stderr.includes('Did you mean `items.getItem`?'), exitCode]).toEqual([true, 2]);
  });

  it('has a stub context, and says so where a guard refuses', async () => {
    expect(JSON.parse((await callOdd('odd.context')).stdout)).toEqual({
      names: ['requestId'],
      hasSignal: true,
    });
    const { stderr, exitCode } = await callOdd('odd.getSecret');
    expect(stderr).toContain(
      'error: Unauthorized (401): Unauthorized\nA call from here has a stub context',
    );
    expect(exitCode).toBe(1);
  });

  it('keeps stdout for the value: what the code prints goes to stderr', async () => {
    const { stdout, stderr } = await callOdd('odd.echo', '{"a": 1}');
    expect(JSON.parse(stdout)).toEqual({ a: 1 });
    expect(stderr).toContain('printed while loading\n');
    expect(stderr).toContain('printed by the handler\n');
  });

  it('shows where an unforeseen error came from, without its escape sequences', async () => {
    const { stderr, exitCode } = await callOdd('odd.crash');
    expect(stderr).toContain('error: Internal (500): Internal server error\nError: boom  red\n');
    expect(stderr).toContain('src/odd.ts:12');
    expect(stderr).not.toContain('\u001b');
    expect(exitCode).toBe(1);
  });

  it('reads an async iterable to its end, and writes undefined as null', async () => {
    expect(JSON.parse((await callOdd('odd.getItems')).stdout)).toEqual([1, 2]);
    expect((await callOdd('odd.getNothing')).stdout).toBe('null\n');
  });

  it('writes what could act on a terminal as escapes', async () => {
    const { stdout } = await callOdd('odd.getControl');
    expect(stdout).toBe('"a\\u009b31m\\u202eb"\n');
    expect(JSON.parse(stdout)).toBe('a\u009b31m\u202eb');
  });

  it('fails with what is thrown beside the handler, without waiting for it', async () => {
    const { stdout, stderr, exitCode } = await callOdd('odd.late');
    expect(stderr).toContain('error: Internal (500): Internal server error\nError: too late\n');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  });

  it('names the capability whose value cannot be written as JSON', async () => {
    expect((await callOdd('odd.getCircle')).stderr).toContain(
      'TypeError: odd.getCircle returned a value that cannot be written as JSON: Converting circular structure to JSON',
    );
  });

  it('says so where the handler ends the process', async () => {
    const { stderr, exitCode } = await callOdd('odd.quit');
    expect(stderr).toContain(
      "error: The project's code ended the process, or waits for something that never comes, while it was called.",
    );
    expect(exitCode).toBe(1);
  });
});
