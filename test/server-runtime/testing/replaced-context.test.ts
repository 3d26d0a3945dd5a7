import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  defineContext,
  defineError,
  definePlugin,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';

interface Context {
  readonly db: { readonly name: string };
  readonly user: string;
}

const cap = capability.withContext<Context>();
const getNames = cap((_, { db, user }) => `${db.name} ${user}`, 'query');
const capabilities = { names: { getNames } };
const read = async (options: Parameters<typeof testServer>[0]): Promise<unknown> => {
  await using api = await testServer({ listen: false, ...options });
  return ((await (await api.fetch('/names')).json()) as { readonly data: unknown }).data;
};

describe('testServer({ replace })', () => {
  it('gives other values for fields of the builder, and does not make what it replaces', async () => {
    const context = defineContext(() => ({
      get db(): { readonly name: string } {
        throw new Error('the real database');
      },
      user: 'ada',
    }));
    const replace = { db: { name: 'test' } };
    expect(await read({ capabilities, context, replace })).toBe('test ada');
  });

  it('leaves the methods of a context that is an instance', async () => {
    class Own {
      readonly db = { name: 'real' };
      get user(): string {
        return `user of ${this.db.name}`;
      }
    }
    const replace = { db: { name: 'test' } };
    const context = defineContext(() => new Own());
    expect(await read({ capabilities, context, replace })).toBe('test user of test');
  });

  it('gives other values for fields of a plugin', async () => {
    const plugins = [definePlugin({ context: () => ({ db: { name: 'real' }, user: 'ada' }) })];
    expect(await read({ capabilities, plugins, replace: { db: { name: 'test' } } })).toBe(
      'test ada',
    );
  });

  it('knows the types of fields that a plugin gives, beside those of the builder', async () => {
    const context = defineContext(() => ({ user: 'ada' }));
    const plugins = [definePlugin({ context: () => ({ db: { name: 'real' } }) })] as const;
    const options = { capabilities, context, plugins, listen: false };
    await using api = await testServer({ ...options, replace: { db: { name: 'test' } } });
    expect(await api.invoke({ capability: 'names.getNames' })).toBe('test ada');
    // @ts-expect-error The plugin gives an object.
    await using other = await testServer({ ...options, replace: { db: 'test' } });
    // @ts-expect-error Nobody gives this field.
    await using third = await testServer({ ...options, replace: { dbs: { name: 'test' } } });
    expect([other.url, third.url]).toEqual(['http://localhost', 'http://localhost']);
  });
});

describe('jobs.run', () => {
  const NoMail = defineError(409, 'NoMail');
  const seen: string[] = [];
  const send = cap(z.object({ to: z.email() }), ({ to }, { db }) => {
    if (to.startsWith('no')) throw NoMail(`None to ${to}`);
    seen.push(`${db.name} ${to}`);
  });
  const jobs = queueTransport({ capabilities: { mails: { send } } });

  it('runs a job by its name, in the context of the server, and rejects with its error', async () => {
    await using api = await testServer({
      capabilities,
      context: defineContext(() => ({ db: { name: 'real' }, user: 'ada' })),
      replace: { db: { name: 'test' } },
      listen: false,
    });
    await api.jobs.run(jobs, 'mails.send', { to: 'ada@example.org' });
    expect(seen).toEqual(['test ada@example.org']);
    await expect(api.jobs.run(jobs, 'mails.send', { to: 'no@example.org' })).rejects.toMatchObject({
      status: 409,
      message: 'None to no@example.org',
    });
    await expect(api.jobs.run(jobs, 'mails.send', { to: 'x' })).rejects.toMatchObject({
      status: 400,
    });
    // @ts-expect-error There is no such job.
    await expect(api.jobs.run(jobs, 'mails.sent', {})).rejects.toMatchObject({ status: 404 });
  });
});
