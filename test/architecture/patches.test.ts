import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import module from 'node:module';
import net from 'node:net';
import { join } from 'node:path';
import stream from 'node:stream';
import tls from 'node:tls';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

const folders = ['server-runtime/patches', 'source/patches'];
/** The only file that changes objects of zod. */
const zodPatch = 'server-runtime/schema/zod-parser.ts';

/** The methods of objects that Node makes, and properties of them that Node reads. */
const own = new Set([
  ...[
    EventEmitter,
    net.Server,
    net.Socket,
    http.Server,
    http.IncomingMessage,
    http.ServerResponse,
    tls.TLSSocket,
  ]
    .concat([stream.Readable, stream.Writable, Error, Promise, module.Module] as never)
    .flatMap((made) => [
      ...Object.getOwnPropertyNames(made.prototype),
      ...Object.getOwnPropertyNames(made),
    ]),
  ...[process, console, http, http2, net, tls].flatMap((object) => Object.keys(object)),
  'stackTraceLimit',
  'prepareStackTrace',
  '_resolveFilename',
  '_extensions',
]);
/** Set by everybody, and meant to be. */
const settings = new Set([
  'exitCode',
  'name',
  'message',
  'stack',
  'cause',
  'length',
  'statusCode',
  'statusMessage',
  'encoding',
  'title',
]);

/** This changes an object that is not of Node: a transport of the MCP SDK. */
const others = new Set(['server-runtime/mcp/serve-stdio.ts']);

const patches = [
  /\b(?:process|globalThis|console|[\w.]*[Pp]rototype)\b(?:\.\w+|\[[^\]]+\])+ = /,
  /\bprocess\.(?:argv|execArgv)\.(?:push|pop|shift|unshift|splice|sort|reverse|fill)\(/,
  /\b(?:Object\.(?:assign|defineProperty|defineProperties|setPrototypeOf)|Reflect\.(?:set|defineProperty))\((?:process(?!\.env)|globalThis|console|server|socket|incoming|outgoing|request|response|[\w.]*\.prototype|Error|Promise)\b/,
  /\bregisterHooks\(|\bmodule\.register\(/,
];

it('only the folders of patches change objects of Node', () => {
  const found = findFiles(['source', 'server-runtime', 'commands', 'cli.ts'])
    .filter((file) => !folders.some((folder) => file.startsWith(`${folder}/`)) && !others.has(file))
    .flatMap((file) => findPatches(file).map((line) => `${file}: ${line}`));
  expect(found).toEqual([]);
});

it.each([
  'process.stdout.write = write;',
  'server.emit = emitOthers as typeof emit;',
  "incoming['emit'] = emit;",
  'Server.prototype.listen = observed;',
  'process.argv.splice(1, 1);',
  'Error.stackTraceLimit = 1;',
  'Object.assign(globalThis, { key: 1 });',
  'Object.defineProperty(process.stdout, "columns", {});',
  'console.log = () => {};',
])('finds a patch: %s', (line) => {
  expect(isPatch(line)).toBe(true);
});

/** A release of Node may take them away: the tests of `npm run long` that use these files run on each version. */
it('only these files use members of Node that have no documentation', () => {
  const member = /(?:\w\._|readonly _)(?!zod|def\b|meta\b)[a-z]\w*\b/;
  const found = findFiles(['source', 'server-runtime', 'commands', 'cli.ts']).filter((file) =>
    readFileSync(join(packageRoot, file), 'utf8')
      .split('\n')
      .some((line) => member.test(line) && !/^\s*(?:\*|\/\/|\/\*)/.test(line)),
  );
  expect(found.toSorted()).toEqual([
    'source/patches/hook-require.ts',
    'source/patches/intercept-listen.ts',
    'source/patches/watch-module-hooks.ts',
    'source/record/carrier.ts',
    'source/serve/linked-server.ts',
  ]);
});

it('docs/internals/patches.md lists every file of the folders, that of zod, and no other', () => {
  const page = readFileSync(join(packageRoot, 'docs', 'internals', 'patches.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([^`]+\.ts)` \|/gm)].map(([, file = '']) => file);
  expect(listed.toSorted()).toEqual([...findFiles(folders), zodPatch].toSorted());
});

/** Assigns to `run`, by which zod runs a schema, or to any member of `_zod`; replaces the `push` of its issues. */
const changesZod = /\.run = |_zod(?:\.\w+)+ = |issues, \{ push|issues\.push = /;

it('one file changes objects of zod', () => {
  const found = findFiles(['source', 'server-runtime', 'commands', 'cli.ts']).filter((file) =>
    changesZod.test(readFileSync(join(packageRoot, file), 'utf8')),
  );
  expect(found).toEqual([zodPatch]);
});

/** A class of the file itself is none of Node. */
function findPatches(file: string): readonly string[] {
  const text = readFileSync(join(packageRoot, file), 'utf8');
  const isOfOwnClass = (line: string): boolean =>
    new RegExp(`^class ${/(\w+)\.prototype\b/.exec(line)?.[1]}\\b`, 'm').test(text);
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^(\*|\/\/|\/\*)/.test(line) && isPatch(line) && !isOfOwnClass(line));
}

function isPatch(line: string): boolean {
  const assigned = /^(?:if \(.*\) |return )?(?!this\b)[\w.?[\]']+(?:\.(\w+)|\['(\w+)'\]) = /.exec(
    line,
  );
  const name = assigned?.[1] ?? assigned?.[2] ?? '';
  if (own.has(name) && !settings.has(name)) return true;
  return patches.some((patch) => patch.test(line)) && !/\bprocess\.(?:exitCode|env)\b/.test(line);
}

function findFiles(places: readonly string[]): readonly string[] {
  return places.flatMap((place) =>
    place.endsWith('.ts')
      ? [place]
      : readdirSync(join(packageRoot, place), { recursive: true, encoding: 'utf8' })
          .filter((path) => /\.tsx?$/.test(path))
          .map((path) => `${place}/${path.replaceAll('\\', '/')}`),
  );
}
