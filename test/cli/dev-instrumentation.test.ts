import { expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

const get = async (url: string) => {
  const response = await fetch(`${url}/texts`, { headers: { connection: 'close' } });
  return `${await response.text()} ${response.headers.get('x-traced')}`;
};

/** The status of a request on a connection that stays open, over a reload too. */
const getOnKept = async (url: string) => {
  const response = await fetch(`${url}/texts`);
  await response.text();
  return response.status;
};

/**
 * A stand-in for instrumentation of HTTP: it patches the module of Node when it is loaded, code finds the request that it runs for, and what is sent gets
 * a header more.
 */
const tracing = `
  import { AsyncLocalStorage } from 'node:async_hooks';
  import http from 'node:http';
  const storage = globalThis.requestOf = new AsyncLocalStorage();
  const { emit } = http.Server.prototype;
  http.Server.prototype.emit = function (event, request, response) {
    if (event !== 'request') return emit.apply(this, arguments);
    response.setHeader('x-traced', 'yes');
    return storage.run(request.url, () => emit.apply(this, arguments));
  };
  const { request } = http;
  http.request = (options, ...rest) => request({ ...options, headers: { ...options.headers, traceparent: '00' } }, ...rest);`;

it.each([
  ['in its first import', `import './tracing.mjs';`, []],
  ['by --import', '', ['--', '--import', './src/tracing.mjs']],
])(
  'what patches node:http before the server, %s, sees each request, and so does its code, after a save too',
  async (_, first, args) => {
    const text = (word: string) =>
      `export const text = () => '${word} ' + globalThis.requestOf.getStore();`;
    const folder = await devProject({
      'src/tracing.mjs': tracing,
      'src/text.ts': text('one'),
      'src/server.ts': `${first}
      import { capability, createServer, restTransport } from 'capix';
      import { text } from './text.ts';
      await createServer({ capabilities: { texts: { listTexts: capability(() => text()) } }, transports: [restTransport()] }).start();`,
    });
    const dev = openDevJson(folder, args);
    const url = await dev.url();
    expect(await get(url)).toBe('{"data":"one /texts"} yes');
    expect(await getOnKept(url)).toBe(200);
    await writeTree(folder, { 'src/text.ts': text('two') });
    await dev.waitFor('ready');
    expect(await getOnKept(url)).toBe(200);
    expect(await get(url)).toBe('{"data":"two /texts"} yes');
    dev.kill('SIGTERM');
    await dev.ended;
  },
);

it('what patches packages by the names of their imports finds them, where these lead to the same file', async () => {
  const toPackage = (name: string, manifest: object, files: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries({ 'package.json': JSON.stringify({ name, ...manifest }), ...files }).map(
        ([file, content]) => [`node_modules/${name}/${file}`, content],
      ),
    );
  const text = (word: string) => `
    import common from 'common';
    import { dual } from '@scope/dual';
    import inner from 'common/inner.js';
    import aliased from 'aliased';
    const later = await import('later');
    export const text = () => ['${word}', common, dual, inner, aliased, later.default].join(' ');`;
  const folder = await devProject({
    ...toPackage(
      'common',
      { main: 'lib' },
      { 'lib/index.js': `module.exports = 'c'`, 'inner.js': `module.exports = 'i'` },
    ),
    ...toPackage('later', {}, { 'index.js': `module.exports = 'l'` }),
    ...toPackage(
      'aliased',
      {},
      { 'index.js': `module.exports = 'wrong'`, 'other.js': `module.exports = 'a'` },
    ),
    ...toPackage(
      '@scope/dual',
      { exports: { '.': { import: './dual.mjs', require: './dual.cjs' } } },
      { 'dual.mjs': `export const dual = 'd'`, 'dual.cjs': `exports.dual = 'wrong'` },
    ),
    'tsconfig.json':
      '{"compilerOptions": {"paths": {"aliased": ["./node_modules/aliased/other.js"]}}}',
    // As import-in-the-middle does, which OpenTelemetry and others use.
    'hook.mjs': `
      import { register } from 'node:module';
      const hooks = \`
        export const resolve = async (specifier, context, next) => {
          const found = await next(specifier, context);
          if (!/^(common|common.inner.js|later|@scope.dual)$/.test(specifier)) return found;
          const code = 'import * as all from ' + JSON.stringify(found.url) + ';' +
            'export const dual = all.dual + "!"; export default all.default + "!";';
          return { url: 'data:text/javascript,' + encodeURIComponent(code), shortCircuit: true };
        };\`;
      register('data:text/javascript,' + encodeURIComponent(hooks));`,
    'src/text.ts': text('one'),
  });
  for (const options of [[], ['--inspect-port', '0']]) {
    const dev = openDevJson(folder, [...options, '--', '--import', './hook.mjs']);
    const url = await dev.url();
    expect(await get(url)).toBe('{"data":"one c! d! i! a l!"} null');
    await writeTree(folder, { 'src/text.ts': text('two') });
    await dev.waitFor('ready');
    expect(await get(url)).toBe('{"data":"two c! d! i! a l!"} null');
    dev.kill('SIGTERM');
    await dev.ended;
    await writeTree(folder, { 'src/text.ts': text('one') });
  }
});

it('a schema with an id is registered by the code that answers alone: the process that waits runs none of it', async () => {
  const toText = (field: string) => `
    import * as z from 'zod';
    console.log('registers ' + z.toJSONSchema(z.globalRegistry).schemas.Item);
    export const Item = z.object({ ${field}: z.string() }).meta({ id: 'Item' });`;
  const folder = await devProject({
    'src/text.ts': toText('one'),
    'src/server.ts': `
      import { capability, createServer, restTransport } from 'capix';
      import { Item } from './text.ts';
      const getItem = capability(() => ({ ...Item.shape }), 'query').output(Item);
      await createServer({ capabilities: { items: { getItem } }, transports: [restTransport({ docs: true })] }).start();`,
  });
  const dev = openDevJson(folder);
  const url = await dev.url();
  for (const field of ['two', 'three', 'four']) {
    await writeTree(folder, { 'src/text.ts': toText(field) });
    await dev.waitFor('ready');
    const response = await fetch(`${url}/openapi.json`, { headers: { connection: 'close' } });
    const { components } = (await response.json()) as {
      components: { schemas: Record<string, { properties: object }> };
    };
    expect(Object.keys(components.schemas['Item']?.properties ?? {})).toEqual([field]);
  }
  dev.kill('SIGTERM');
  await dev.ended;
  // Once for each version, before any of its own ids.
  expect(dev.stdout().match(/registers \w+/g)).toEqual(
    Array<string>(4).fill('registers undefined'),
  );
});
