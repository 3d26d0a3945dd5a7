import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability, compileRegistry, withCaller } from '../../../server-runtime/index.ts';
import { callHere } from '../../../source/invoke/call-here.ts';
import type { AskUser, CallResult, UserQuestion } from '../../../source/invoke/perform-call.ts';

let runs = 0;
const shop = {
  cancelOrder: capability.use(withCaller)(
    z.object({ id: z.string() }),
    async ({ id }, { elicit }) => {
      runs += 1;
      const why = await elicit('Why?', z.object({ reason: z.string().min(2) }));
      if (why.action !== 'accept') return why.action;
      const sure = await elicit('Sure?', z.object({ sure: z.boolean().default(true) }), {
        name: 'sure',
      });
      return sure.action === 'accept' && sure.content.sure
        ? `${id}: ${why.content.reason}`
        : `${id} stays`;
    },
  ),
};
const loaded = {
  kind: 'loaded',
  project: { root: '/', name: 'shop', entryFile: '/shop.ts' },
  registry: compileRegistry({ shop }),
  restOptions: {},
  files: [],
} as const;

async function call(key: string, json: unknown, ask?: AskUser): Promise<CallResult> {
  runs = 0;
  return callHere(loaded, {
    key: `shop.${key}`,
    input: { json, files: {} },
    headers: {},
    on: { ask },
  });
}

/** Gives these answers one after the other, and keeps what was asked. */
function createUser(...answers: readonly Awaited<ReturnType<AskUser>>[]) {
  const asked: UserQuestion[] = [];
  const ask: AskUser = (question) => {
    asked.push(question);
    return Promise.resolve(answers[asked.length - 1] ?? { action: 'cancel' });
  };
  return { asked, ask };
}

it('the call runs again from its start with each answer, and what does not fit is asked again, with the reason', async () => {
  const { asked, ask } = createUser(
    { action: 'accept', content: { reason: 'x' } },
    { action: 'accept', content: { reason: 'late' } },
    { action: 'accept', content: {} },
  );
  expect(await call('cancelOrder', { id: '7' }, ask)).toMatchObject({
    status: 200,
    body: { data: '7: late' },
  });
  expect(runs).toBe(4);
  expect(
    asked.map(({ message, content, problems }) => [
      message,
      content,
      problems.map(({ path }) => path),
    ]),
  ).toEqual([
    ['Why?', undefined, []],
    ['Why?', { reason: 'x' }, ['reason']],
    ['Sure?', undefined, []],
  ]);
  expect(asked[0]?.schema).toMatchObject({
    properties: { reason: { type: 'string', minLength: 2 } },
  });
});

it.each(['decline', 'cancel'] as const)('%s reaches the capability as such', async (action) => {
  const { ask } = createUser({ action });
  expect(await call('cancelOrder', { id: '7' }, ask)).toMatchObject({ body: { data: action } });
});

it('a question is refused where nobody is there to answer it', async () => {
  expect(await call('cancelOrder', { id: '7' })).toMatchObject({
    status: 428,
    body: { error: 'InputRequired' },
  });
});
