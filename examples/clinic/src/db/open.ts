import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { drizzle as overPostgres } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as overPglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import * as schema from './schema.ts';

/** PostgreSQL, wherever it runs: a server of its own, or PGlite in this process. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

export interface Database {
  readonly db: Db;
  /** Brings the tables up to date. Migrations that ran before are left out. */
  readonly migrate: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const options = { schema, casing: 'snake_case' } as const;
const migrations = {
  migrationsFolder: fileURLToPath(new URL('../../migrations', import.meta.url)),
};

export function openDatabase(url: string): Database {
  return url.startsWith('postgres') ? openPostgres(url) : openPglite(url);
}

function openPostgres(connectionString: string): Database {
  const pool = new pg.Pool({ connectionString });
  // Without a listener, a connection that the server ends would end this process.
  pool.on('error', (error) => {
    console.error(`The database ended a connection: ${error.message}`);
  });
  const migrate = async () => {
    const client = await pool.connect();
    try {
      // Of processes that start together, one migrates, and the others wait.
      await client.query('select pg_advisory_lock(1)');
      await migratePostgres(overPostgres(client, options), migrations);
    } finally {
      client.release(true); // The lock ends with its connection.
    }
  };
  return { db: overPostgres(pool, options), migrate, close: () => pool.end() };
}

function openPglite(folder: string): Database {
  const client = new PGlite(folder);
  const db = overPglite(client, options);
  return { db, migrate: () => migratePglite(db, migrations), close: () => client.close() };
}
