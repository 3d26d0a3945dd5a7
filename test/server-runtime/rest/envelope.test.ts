import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  bareEnvelope,
  capability,
  defaultErrors,
  defineEnvelope,
  generateOpenAPI,
  problemDetails,
  type RestOptions,
  restTransport,
  stream,
} from '../../../server-runtime/index.ts';
import { describeEverywhere, json } from '../../helpers/start-rest.ts';

const User = z.object({ name: z.string() }).meta({ id: 'User' });
const capabilities = {
  users: {
    createUser: capability(User, (user) => user).output(User),
    getMe: capability(() => 'ä'),
    getNobody: capability(() => {
      throw defaultErrors.NotFound('Nobody', { id: '7' });
    }),
    watchUsers: capability(async function* () {
      yield { name: 'a' };
      throw defaultErrors.Conflict('lost');
    }, 'query').output(stream(User)),
  },
};
const errorsOnly = defineEnvelope({
  dataField: false,
  failure: ({ message, fields }) => ({
    errors:
      fields.length === 0
        ? { body: [message] }
        : Object.fromEntries(fields.map((each) => [each.path, [each.message]])),
  }),
  failureSchema: z
    .object({ errors: z.record(z.string(), z.array(z.string())) })
    .meta({ id: 'Failed' }),
  validationStatus: 422,
});

/** What is said to each request: `422 application/json {…}`. */
const requests = {
  data: ['/users', json({ name: 'Ada' })],
  text: ['/users/me', {}],
  invalid: ['/users', json({})],
  malformed: ['/users', json('{')],
  thrown: ['/users/nobody', {}],
  unrouted: ['/nowhere', {}],
  method: ['/users/me', { method: 'DELETE' }],
  type: ['/users', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }],
  stream: ['/users/watch-users', { headers: { accept: 'application/x-ndjson' } }],
} as const;

describeEverywhere('an envelope', (start) => {
  const askAll = async (rest: RestOptions): Promise<Record<string, string>> => {
    const { request } = await start({ capabilities, rest });
    const answers = await Promise.all(
      Object.entries(requests).map(async ([name, [path, init]]) => {
        const response = await request(path, init);
        return [
          name,
          `${response.status} ${response.headers.get('content-type')} ${await response.text()}`,
        ] as const;
      }),
    );
    return Object.fromEntries(answers);
  };
  const JSON_TYPE = 'application/json; charset=utf-8';
  const LINES = 'application/x-ndjson; charset=utf-8';

  it('is around every answer and refusal, that of the router too', async () => {
    expect(await askAll({ envelope: errorsOnly })).toEqual({
      data: `200 ${JSON_TYPE} {"name":"Ada"}`,
      text: `200 ${JSON_TYPE} "ä"`,
      invalid: `422 ${JSON_TYPE} {"errors":{"name":["Invalid input: expected string, received undefined"]}}`,
      malformed: expect.stringMatching(/^400 .*{"errors":{"body":\[".*"\]}}$/),
      thrown: `404 ${JSON_TYPE} {"errors":{"body":["Nobody"]}}`,
      unrouted: `404 ${JSON_TYPE} {"errors":{"body":["Not found"]}}`,
      method: `405 ${JSON_TYPE} {"errors":{"body":["Method not allowed"]}}`,
      type: expect.stringMatching(/^415 .*{"errors":{"body":\[".*"\]}}$/),
      stream: `200 ${LINES} {"name":"a"}\n{"errors":{"body":["lost"]}}\n`,
    });
  });

  it('may be that of problem details', async () => {
    const problem = 'application/problem+json';
    const answers = await askAll({ envelope: problemDetails });
    expect(answers).toMatchObject({
      data: `200 ${JSON_TYPE} {"name":"Ada"}`,
      thrown: `404 ${problem} {"type":"about:blank","title":"NotFound","status":404,"detail":"Nobody","meta":{"id":"7"}}`,
      unrouted: `404 ${problem} {"type":"about:blank","title":"NotFound","status":404,"detail":"Not found"}`,
      invalid: `400 ${problem} {"type":"about:blank","title":"BadRequest","status":400,"detail":"Input validation failed","errors":[{"path":"name","detail":"Invalid input: expected string, received undefined"}]}`,
    });
  });

  it('may be bare, or have a field of another name', async () => {
    expect(await askAll({ envelope: bareEnvelope })).toMatchObject({
      data: `200 ${JSON_TYPE} {"name":"Ada"}`,
      thrown: `404 ${JSON_TYPE} {"error":"NotFound","message":"Nobody","meta":{"id":"7"}}`,
    });
    expect(
      await askAll({ envelope: defineEnvelope({ dataField: 'result', validationStatus: 422 }) }),
    ).toMatchObject({
      text: `200 ${JSON_TYPE} {"result":"ä"}`,
      invalid: expect.stringMatching(
        /^422 .*{"error":"UnprocessableContent","message":"Input validation failed"/,
      ),
    });
  });
});

it('is in the document', async () => {
  const document = generateOpenAPI(capabilities, { envelope: errorsOnly });
  expect(await new Validator().validate(structuredClone(document) as never)).toEqual({
    valid: true,
  });
  const { responses } = document.paths['/users']?.['post'] ?? {};
  expect(Object.keys(responses ?? {})).toEqual(['200', '400', '413', '415', '422', '500', '504']);
  expect(responses?.['200']).toMatchObject({
    content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
  });
  expect(document.components.responses['UnprocessableContent']).toEqual({
    description: 'Unprocessable content',
    'x-error-names': ['UnprocessableContent'],
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
  expect(document.components.schemas['Error']).toMatchObject({
    type: 'object',
    required: ['errors'],
  });
  expect(JSON.stringify(document)).not.toContain('x-capix-');
  const problems = generateOpenAPI(capabilities, { envelope: problemDetails });
  expect(
    Object.keys(
      problems.components.responses['NotFound']?.content ??
        problems.components.responses['BadRequest']?.content ??
        {},
    ),
  ).toEqual(['application/problem+json']);
});

it.each([
  ['a failure without its schema', () => defineEnvelope({ failure: () => 1 }), 'belong together'],
  [
    'a schema without its failure',
    () => defineEnvelope({ failureSchema: z.string() }),
    'belong together',
  ],
  ['an unknown option', () => defineEnvelope({ datafield: 'x' } as object), 'dataField'],
  [
    'what defineEnvelope did not make',
    () => restTransport({ envelope: {} as never }),
    'what defineEnvelope(…) makes',
  ],
])('refuses %s', (_what, make, message) => {
  expect(make).toThrow(message);
});
