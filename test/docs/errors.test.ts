import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { defaultErrors } from '../../server-runtime/index.ts';

it('docs/errors.md lists the errors of the catalogue, with their status and message', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| ([^|]+?) \|/gm)].map(
    ([, name, status, message]) => ({
      name,
      status: Number(status),
      message,
    }),
  );
  const catalogue = Object.values(defaultErrors).map(({ errorName, status, defaultMessage }) => ({
    name: errorName,
    status,
    message: defaultMessage,
  }));
  expect(rows).toEqual(catalogue);
});
