import { expect, it } from 'vitest';
import { looksSecret } from '../../../../server-runtime/schema/received.ts';
import {
  savedCallFile,
  toSavedFileText,
} from '../../../../source/invoke/saved/read-saved-calls.ts';

it('names variables in place of secrets, and keeps what is one already', () => {
  const text = toSavedFileText(
    {
      call: 'users.login',
      input: { name: 'Ada', password: 'hunter2', inner: [{ apiKey: 'k' }] },
      headers: { authorization: 'Bearer abc', cookie: '{{login.cookie}}', accept: 'text/html' },
      environment: 'staging',
      expect: { status: 200 },
    },
    looksSecret,
  );
  expect(text).not.toMatch(/hunter2|abc|"k"/);
  expect(savedCallFile.parse(JSON.parse(text))).toMatchObject({
    call: 'users.login',
    input: { name: 'Ada', password: '${PASSWORD}', inner: [{ apiKey: '${API_KEY}' }] },
    headers: {
      authorization: 'Bearer ${AUTHORIZATION}',
      cookie: '{{login.cookie}}',
      accept: 'text/html',
    },
    environment: 'staging',
    expect: { status: 200 },
  });
});
