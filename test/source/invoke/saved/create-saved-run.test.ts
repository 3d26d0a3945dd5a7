import { describe, expect, it } from 'vitest';
import {
  createSavedRun,
  type FilledCall,
} from '../../../../source/invoke/saved/create-saved-run.ts';
import { type SavedCall, savedCallFile } from '../../../../source/invoke/saved/read-saved-calls.ts';

const save = (name: string, content: object): SavedCall => ({
  name,
  ...savedCallFile.parse(content),
});

/** Answers `users.login` with a token and everything else with what it was given; notes what was called. */
function start(calls: readonly SavedCall[], variables: Readonly<Record<string, string>> = {}) {
  const made: Omit<FilledCall, 'saved' | 'expect'>[] = [];
  const { run } = createSavedRun({
    calls,
    variables,
    call: ({ saved, input, headers }) => {
      made.push({ input, headers });
      const data = saved.call === 'users.login' ? { token: 'abc', ids: [7, 8] } : input;
      return Promise.resolve({ status: 200, durationMs: 1, body: { data } });
    },
  });
  return { made, run };
}

const login = save('login', { call: 'users.login', input: { password: '${PASSWORD}' } });

describe('a saved call', () => {
  it('takes parts of the answers of others, which are made once, and variables', async () => {
    const calls = [
      login,
      save('me', {
        call: 'users.getMe',
        input: {
          id: '{{login.ids[1]}}',
          all: ['{{ login.data.ids }}'],
          text: 'id {{login.ids[0]}}',
        },
        headers: { Authorization: 'Bearer {{login.token}}' },
        expect: { status: 200, body: { data: { id: 8, all: [[7, 8]] } } },
      }),
      save('again', { call: 'users.getMe', input: { token: '{{login.token}}' } }),
    ];
    const { run, made } = start(calls, { PASSWORD: 'secret' });
    expect((await run('me')).problems).toEqual([]);
    expect((await run('again')).problems).toEqual([]);
    expect(made).toEqual([
      { input: { password: 'secret' }, headers: {} },
      { input: { id: 8, all: [[7, 8]], text: 'id 7' }, headers: { authorization: 'Bearer abc' } },
      { input: { token: 'abc' }, headers: {} },
    ]);
  });

  it('says each way in which its answer is not as expected', async () => {
    const body = { data: { name: 'Pen', none: 1, tags: ['a'], inner: { size: 2 } } };
    const input = { name: 'Ink', tags: ['a', 'b'], inner: { size: 3, more: true }, other: 1 };
    const { run } = start([
      save('a', { call: 'items.getItem', input, expect: { status: 201, body } }),
    ]);
    expect((await run('a')).problems).toEqual([
      'status: expected 201, got 200',
      'body.data.name: expected "Pen", got "Ink"',
      'body.data.none: expected 1, found nothing',
      'body.data.tags: expected ["a"], got ["a","b"]',
      'body.data.inner.size: expected 2, got 3',
    ]);
  });

  it.each([
    ['${NOT_SET}', 'the variable NOT_SET is not set'],
    ['{{$NOT_SET}}', '{{$NOT_SET}} is written ${NOT_SET}'],
    ['{{nobody.id}}', 'there is no saved call @nobody'],
    ['{{login.nothing}}', 'the answer of @login has no nothing'],
    ['{{me.id}}', '@me needs @me'],
  ])('is not made with %s, for which there is nothing', async (text, problem) => {
    const calls = [
      save('login', { call: 'users.login' }),
      save('me', { call: 'users.getMe', input: { id: text } }),
    ];
    const { run } = start(calls);
    expect(await run('me')).toMatchObject({ answer: undefined, problems: [problem] });
  });

  it('is not made where one that it needs fails, or needs it', async () => {
    const calls = [
      save('a', { call: 'items.getItem', input: { id: '{{b.id}}' } }),
      save('b', { call: 'items.getItem', input: { id: '{{a.id}}' } }),
    ];
    const { run, made } = start(calls);
    expect((await run('a')).problems).toEqual(['@b, which it needs, failed: @a needs @b needs @a']);
    expect(made).toEqual([]);
  });
});
