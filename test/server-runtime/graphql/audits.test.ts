import { serverAudits } from 'graphql-http';
import { expect, it } from 'vitest';
import { capability } from '../../../server-runtime/index.ts';
import { startGraphql } from '../../helpers/start-graphql.ts';

it('1 61 audits', async () => {
  const { url } = await startGraphql({
    capabilities: { things: { getThing: capability(() => 1) } },
    graphql: { introspection: true },
  });
  const results = await Promise.all(serverAudits({ url }).map((audit) => audit.fn()));
  expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(results).toHaveLength(61);
});
