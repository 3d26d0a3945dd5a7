import { describe, expect, it } from 'vitest';
import { capability, cors, type RestOptions } from '../../server-runtime/index.ts';
import { ask } from '../helpers/ask.ts';

const capabilities = { items: { listItems: capability(() => []) } };
const [a, b] = ['https://a.example', 'https://b.example'];

async function corsHeaders(rest: RestOptions, origin: string, method = 'GET') {
  const { headers } = await ask({ capabilities, rest }, `${method} /items`, {
    headers: { origin },
  });
  return {
    origin: headers.get('access-control-allow-origin'),
    methods: headers.get('access-control-allow-methods'),
    headers: headers.get('access-control-allow-headers'),
    vary: headers.get('vary'),
  };
}

describe('CORS', () => {
  it('origin is * by default', async () => {
    expect(await corsHeaders({}, a)).toMatchObject({ origin: '*' });
  });

  it('origin may be one string', async () => {
    expect(await corsHeaders({ cors: { origin: a } }, a)).toMatchObject({ origin: a });
    expect(await corsHeaders({ cors: { origin: a } }, b)).toMatchObject({ origin: null });
  });

  it('origin may be a function that says whether an origin may', async () => {
    const rest = { cors: { origin: (origin: string) => origin.endsWith('a.example') } };
    expect(await corsHeaders(rest, a)).toMatchObject({ origin: a });
    expect(await corsHeaders(rest, b)).toMatchObject({ origin: null });
  });

  it('methods is the literal header, GET, POST, PATCH, PUT, DELETE, OPTIONS by default', async () => {
    expect((await corsHeaders({}, a, 'OPTIONS')).methods).toBe(
      'GET, POST, PATCH, PUT, DELETE, OPTIONS',
    );
    expect((await corsHeaders({ cors: { methods: 'GET' } }, a, 'OPTIONS')).methods).toBe('GET');
  });

  it('headers is the literal header, Content-Type, Authorization by default', async () => {
    expect((await corsHeaders({}, a, 'OPTIONS')).headers).toBe('Content-Type, Authorization');
    expect((await corsHeaders({ cors: { headers: 'X-Key' } }, a, 'OPTIONS')).headers).toBe('X-Key');
  });
});

describe('the CORS plugin', () => {
  it('is spread into the options of the transport, with one origin or a list', async () => {
    expect(await corsHeaders({ ...cors({ origin: a }) }, a)).toMatchObject({ origin: a });
    const list = { ...cors({ origin: [a, b] }) };
    expect(await corsHeaders(list, b)).toMatchObject({ origin: b });
    expect(await corsHeaders(list, 'https://c.example')).toMatchObject({ origin: null });
  });

  it('adds Vary: Origin where the answer depends on the origin', async () => {
    expect(await corsHeaders({ ...cors({ origin: [a, b] }) }, a)).toMatchObject({ vary: 'Origin' });
    expect(await corsHeaders({ ...cors({ origin: '*' }) }, a)).toMatchObject({ vary: null });
  });
});
