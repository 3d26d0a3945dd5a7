import { PGlite } from '@electric-sql/pglite';
import * as z from 'zod';
import {
  type BaseContext,
  capability,
  createServer,
  defaultErrors,
  definePlugin,
} from '../../../server-runtime/index.ts';

/** A function, so that each test gives it a database of its own. */
export const toDatabase = (db: PGlite) =>
  definePlugin({
    name: 'database',
    context: () => ({ db }),
    start: () => db.exec('create table users (id text primary key, name text not null)'),
    stop: () => db.close(),
  });

const cap = capability.withContext<BaseContext & { db: PGlite }>();
const getUser = cap(z.object({ id: z.string() }), async ({ id }, ctx) => {
  const { rows } = await ctx.db.query<{ name: string }>('select name from users where id = $1', [
    id,
  ]);
  if (!rows[0]) throw defaultErrors.NotFound(`There is no user ${id}`);
  return { id, name: rows[0].name };
});

export const db = new PGlite(); // with PostgreSQL: new pg.Pool({ connectionString: process.env.DATABASE_URL })
export const server = createServer({
  capabilities: { users: { getUser } },
  plugins: [toDatabase(db)],
});
