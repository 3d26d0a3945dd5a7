import pg from 'pg';

/** An empty database for one test: PGlite in memory, or one of the PostgreSQL that `TEST_POSTGRES` names. */
export async function createDatabase() {
  const server = process.env.TEST_POSTGRES;
  if (server === undefined) return { url: 'memory://', drop: async () => {} };
  const name = `clinic_${crypto.randomUUID().replaceAll('-', '')}`;
  await run(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = name;
  return { url: url.href, drop: () => run(server, `drop database ${name}`) };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
