import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

const shop = `
import { capability, withCaller } from 'capix';
import * as z from 'zod';
export const shop = {
  cancelOrder: capability.use(withCaller)(z.object({ id: z.string() }), async ({ id }, { elicit }) => {
    const why = await elicit('Why?', z.object({ reason: z.string().min(2) }));
    if (why.action !== 'accept') return why.action;
    const sure = await elicit('Sure?', z.object({ sure: z.boolean().default(true) }));
    return sure.action === 'accept' && sure.content.sure ? id + ': ' + why.content.reason : id + ' stays';
  }),
  listOrders: capability(z.object({ page: z.int().optional() }), (input) => input, 'query'),
};
`;

test('what a capability asks its user is answered by --answer, in order; a question without one says how', async () => {
  const { ask } = await openProject({ 'src/capabilities.ts': shop });
  const call = (...answers: readonly string[]) =>
    ask([
      'call',
      'shop.cancelOrder',
      '--id',
      '7',
      ...answers.flatMap((answer) => ['--answer', answer]),
    ]);
  const [answered, declined, silent, unfit, half, malformed] = await Promise.all([
    call('{"reason":"late"}', '{}'),
    call('decline'),
    call(),
    call('{"reason":"x"}'),
    call('{"reason":"late"}'),
    call('late'),
  ]);
  expect([answered.stdout, declined.stdout]).toEqual(['"7: late"\n', '"decline"\n']);
  expect(silent).toMatchObject({ stdout: '', exitCode: 1 });
  expect(silent.stderr).toMatch(
    /^error: InputRequired \(428\): The user must be asked: Why\? Answer with --answer, one for each question, in their order: --answer '\{"reason":".+"\}', or decline, or cancel\.\n$/,
  );
  expect(unfit.stderr).toContain(
    'The answer to the question `Why?` does not fit: reason: Too small',
  );
  expect(half.stderr).toContain('The user must be asked: Sure?');
  expect(malformed).toMatchObject({ exitCode: 2 });
  expect(malformed.stderr).toContain(
    "option '--answer': write it as a JSON object, or `decline` or `cancel`",
  );
});

test('a field that the input does not have is told in a note, beside the answer', async () => {
  const { ask } = await openProject({ 'src/capabilities.ts': shop });
  const [text, json, known] = await Promise.all([
    ask(['call', 'shop.listOrders', '{"pagee":2}']),
    ask(['call', 'shop.listOrders', '{"pagee":2}', '--json']),
    ask(['call', 'shop.listOrders', '{"page":2}', '--json']),
  ]);
  const note =
    'the answer is that of the input without pagee: There is no such field. Did you mean page?';
  expect(text).toMatchObject({ stdout: '{}\n', stderr: `note: ${note}\n`, exitCode: 0 });
  expect(JSON.parse(json.stdout)).toEqual({ ok: true, data: {}, notes: [note] });
  expect(JSON.parse(known.stdout)).toEqual({ ok: true, data: { page: 2 } });
});
