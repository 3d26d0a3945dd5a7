import { describe, expect, it } from 'vitest';
import { capability, compileRegistry, generateOpenAPI } from '../../server-runtime/index.ts';

const registry = compileRegistry({ users: { listUsers: capability(() => []) } });

describe('generateOpenAPI', () => {
  it('takes what compileRegistry made of the groups', () => {
    expect(Object.keys(generateOpenAPI(registry, {}).paths)).toEqual(['/users']);
  });

  it('title is Capix API by default', () => {
    expect(generateOpenAPI(registry, {}).info.title).toBe('Capix API');
    expect(generateOpenAPI(registry, { title: 'Shop' }).info.title).toBe('Shop');
  });

  it('version is 0.1.0 by default', () => {
    expect(generateOpenAPI(registry, {}).info.version).toBe('0.1.0');
    expect(generateOpenAPI(registry, { version: '2.0.0' }).info.version).toBe('2.0.0');
  });

  it('servers are listed by url', () => {
    const servers = [{ url: 'https://a.example' }, { url: 'https://b.example' }];
    expect(generateOpenAPI(registry, { servers }).servers).toEqual(servers);
  });
});
