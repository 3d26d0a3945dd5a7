import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOMS = [
  'contract',
  'server-runtime/execution',
  'server-runtime/capability',
  'server-runtime/enhancers',
];

/** The describes of test/helpers/every-door.ts: their cases run over a WebSocket, except for those of `itOverHttp`. */
const THROUGH_EVERY_DOOR = /^describe(OverSockets|ThroughEveryDoor|Invocations)\(/;

/** Why no case of a file runs over a WebSocket. */
const wholeFiles: Readonly<Record<string, string>> = {
  'contract/commands': 'the command line',
  'contract/common-options': 'the command line',
  'contract/cors': 'headers of pages; callers.test.ts has the pages that may connect',
  'contract/default-scaffolded-server': 'paths of a project that has no other door',
  'contract/details-command-line': 'the command line',
  'contract/details-cors-and-openapi': 'headers and the document',
  'contract/details-registry-and-routes': 'paths',
  'contract/details-scaffold': 'files of a project',
  'contract/file-uploads': 'forms',
  'contract/mcp-flags': 'the command line',
  'contract/openapi-flags': 'the command line',
  'contract/openapi-generation': 'the document',
  'contract/openapi-options': 'the document',
  'contract/rest-transport-options': 'ports, paths and forms',
  'contract/route-inference': 'paths',
  'contract/uploaded-file': 'forms',
  'contract/versioning': 'the document, and the version of HTTP',
  'execution/hostile-ends': 'it has a door `websocket` of its own; the rest is of other doors',
  'execution/async-context': 'hosts of HTTP; it has a case of its own for messages',
  'capability/capability-factory': 'declarations, and `resolve`, which has no door',
  'capability/capability': 'declarations, and `resolve`, which has no door',
  'capability/declared-output': 'what a schema makes; checked-answers has what is sent of it',
  'capability/joined-inputs': 'what schemas make, and the document',
  'capability/resolve': 'it has no door',
  'enhancers/long-times': 'its clock moves by days, and connections have pings',
  'enhancers/marks': 'headers, documents and the manifest',
};

/** Why some cases of a file do not, by the beginning of their names. */
const someCases: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'contract/authentication': {
    'a project that has no other door': ['2:', '4:'],
    'headers of pages': ['3:'],
    'other doors': ['5:'],
  },
  'contract/bad-input': {
    'declarations and the command line': ['of %s is an error', 'given %s', 'after all of them'],
  },
  'contract/details-input': {
    'texts of a query': [
      '+ is a space',
      'a repeated key',
      'elements of arrays',
      'numbers are',
      'blanks around',
      'booleans are',
      'a union is coerced',
    ],
    forms: [
      'several files',
      'a file may',
      'a request may',
      'patterns such as',
      'uploadedFile({maxSize',
    ],
  },
  'execution/context-signal': {
    'the signal of a caller in this process': ['requests that run at once'],
  },
  'execution/failing-ends': {
    'other doors': ['for a stream of invoke', 'for a tool'],
    'the envelope of HTTP': [
      'is refused where its type of refusals',
      'are logged, and the request',
    ],
    "a transport of one's own": [
      'has unforeseen failures',
      'has the failure of a stream',
      'of several resources',
    ],
  },
  'capability/checked-answers': {
    'values of a cache, in this process': ['of %s, the answer from a cache', 'of %s, a middleware'],
  },
  'enhancers/idempotency-records': {
    'headers of an answer': [
      'is replayed as it was sent where its meta',
      'are replayed with it',
      'are replayed where its meta',
      'are read of a record',
      'are replayed by another server',
    ],
  },
  'enhancers/with-cache': {
    'the key of an input, without a call': [
      'is equal for equal',
      'is different for values',
      'is undefined for',
    ],
  },
  'enhancers/with-cache-shared': {
    'a store of several servers, in this process': ['while the store is away', 'two servers share'],
  },
  'enhancers/with-circuit-breaker': {
    'the end of a connection of HTTP': ['recovers over HTTP'],
  },
  'enhancers/with-idempotency': {
    'other doors': ['works for tools', 'a client that repeats'],
    'headers of an answer': ['the change is remembered'],
    'a store of several servers, in this process': ['two servers run'],
  },
  'enhancers/with-rate-limit-shared': {
    'a store of several servers, in this process': [
      'two servers share',
      'a process that stood still',
      'a key that Redis refuses',
      'a long answer of the cache',
      'one that hangs',
      'is killed and started',
      'starts without one',
    ],
  },
};

interface TestFile {
  /** `contract/limits` */
  readonly name: string;
  /** The cases that do not run over a WebSocket. */
  readonly others: readonly string[];
  readonly runs: number;
}

const files: readonly TestFile[] = ROOMS.flatMap((room) => {
  const folder = new URL(`../../${room}/`, import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  return names.map((name) => ({
    name: `${room.replace('server-runtime/', '')}/${name.replace('.test.ts', '')}`,
    ...readCases(readFileSync(new URL(name, folder), 'utf8')),
  }));
});

/** Sorts the cases of a file, which is formatted: what is not indented begins a statement. */
function readCases(text: string): Pick<TestFile, 'others' | 'runs'> {
  const others: string[] = [];
  let runs = 0;
  for (const statement of text.split(/\n(?=[^\s})\]])/)) {
    const isEveryDoor = THROUGH_EVERY_DOOR.test(statement);
    for (const { index } of statement.matchAll(/^ *it(\.each)?\b(?! *[=,:])/gm)) {
      if (isEveryDoor) runs++;
      else others.push(toTitle(statement.slice(index)));
    }
  }
  return { others, runs };
}

/** `it('title', …` or `it.each(rows)('title', …` */
function toTitle(text: string): string {
  const found = /^ *it(?:\.each\(.*?\))?\(\s*(['"`])(.*?)\1,/s.exec(text);
  return found?.[2] ?? `no title in ${text.slice(0, 60)}`;
}

const excusesOf = (name: string): readonly string[] => Object.values(someCases[name] ?? {}).flat();

it('every case of the pipeline runs over a WebSocket, or is excused by name', () => {
  const missing = files
    .filter(({ name }) => wholeFiles[name] === undefined)
    .flatMap(({ name, others }) =>
      others
        .filter((title) => !excusesOf(name).some((start) => title.startsWith(start)))
        .map((title) => `${name}: ${title}`),
    );
  expect(missing).toEqual([]);
});

it('and every excuse is still needed', () => {
  const known = new Map(files.map((file) => [file.name, file]));
  const stale = Object.keys(wholeFiles).filter((name) => known.get(name)?.runs !== 0);
  const unknown = Object.keys(someCases).flatMap((name) =>
    excusesOf(name)
      .filter((start) => !known.get(name)?.others.some((title) => title.startsWith(start)))
      .map((start) => `${name}: ${start}`),
  );
  expect([...stale, ...unknown]).toEqual([]);
});

it('and they are most of those that make calls', () => {
  expect(files.reduce((sum, { runs }) => sum + runs, 0)).toBeGreaterThan(150);
});
