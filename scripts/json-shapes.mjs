/**
 * The shapes of what the command prints with `--json`, as JSON Schemas by name: `data` of each command, and the parts that they share. A name with `?` at its
 * end is a field that may be missing. Objects may get further fields; a test holds that today there are none but these.
 */

import { anything, choice, count, flag, list, object, part, text } from './schema-words.mjs';

const schemaView = object({ json: { type: ['object', 'boolean'], description: 'JSON Schema' } });
const method = choice('GET', 'POST', 'PUT', 'PATCH', 'DELETE');
const intent = choice('query', 'mutation', 'update', 'replace', 'delete');
const route = object({ method, path: text() });
const errors = list(object({ name: text(), status: count() }));
const offers = object({ resources: list(object({ uri: text(), name: text() })), 'prompt?': text('Its name') });
const changeClass = choice('breaking', 'risky', 'safe');
const fixed = { code: text(), keys: list(text()), 'file?': text() };

/** Parts of several commands. */
export const parts = {
  source: object({ file: text('From the root of the project'), line: count('From 1'), column: count('From 1') }),
  problem: object({
    severity: choice('error', 'warning'),
    code: text('The rule, one of docs/check-rules.md'),
    message: text(),
    keys: list(text(), 'Capabilities'),
    'hint?': text(),
    'file?': text(),
    'line?': count('From 1'),
  }),
  contractChange: object({
    rule: text('One of docs/diff-rules.md'),
    class: changeClass,
    at: text('`route`, `input.address.city`, `output.items[].id`'),
    message: text(),
    reason: text(),
    audience: list(choice('http', 'client', 'agents')),
    'before?': text(),
    'after?': text(),
  }),
  capabilityChange: object({
    kind: choice('added', 'removed', 'changed'),
    key: text(),
    class: changeClass,
    route: text('`GET /users/:id`'),
    changes: list(part('contractChange')),
  }),
  written: object({ file: text() }, 'With --output: the file that was written'),
  fresh: object({ file: text(), isStale: { const: false } }, 'With --check; a stale file is the error StaleFile'),
};

/** The `data` of each command, by its words. */
export const commands = {
  list: object({
    capabilities: list(
      object({
        key: text(),
        method,
        path: text(),
        intent,
        guards: list(text()),
        'description?': text(),
        deprecated: flag(),
        'offers?': offers,
        'source?': part('source'),
      }),
    ),
  }),
  show: object({
    key: text(),
    groups: list(text()),
    name: text(),
    intent,
    'declaredIntent?': intent,
    method,
    path: text(),
    otherRoutes: list(route),
    params: list(text()),
    'sent?': list(object({ field: text(), in: choice('header', 'cookie'), name: text() })),
    'takesForm?': { const: true },
    rule: object({ id: text(), 'prefix?': text(), 'intent?': intent }),
    explanation: object({
      fired: text(),
      nearest: text(),
      change: text(),
      alternative: object({ method: text(), path: text() }),
    }),
    guards: list(object({ name: text(), errors, 'security?': { type: 'object', description: 'As in OpenAPI' } })),
    inputGuards: list(object({ name: text(), errors })),
    enhancers: list(
      object({
        name: text(),
        settings: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
        errors,
      }),
    ),
    errors,
    'description?': text(),
    'cacheControl?': text(),
    'deprecation?': object({ 'use?': text(), 'since?': text(), 'sunset?': text() }),
    'tool?': { type: ['object', 'boolean'], description: 'As in `.tool(…)`' },
    'offers?': offers,
    'timeoutMs?': count(),
    'inputFields?': list(text()),
    'input?': schemaView,
    'output?': schemaView,
    answers: list(
      object({
        status: count(),
        kind: text(),
        contentTypes: list(text()),
        'description?': text(),
        'schema?': schemaView,
        headers: { type: 'object', additionalProperties: schemaView },
      }),
    ),
    'source?': part('source'),
  }),
  check: object({
    capabilityCount: count(),
    problems: list(part('problem')),
    ignored: list(object({ problem: part('problem'), reason: text() })),
    'probe?': object({
      seed: { type: 'integer' },
      calls: count(),
      probed: list(text()),
      refused: list(text()),
      skipped: list(text()),
    }),
    'fixed?': list(
      object({ ...fixed, 'line?': count(), 'before?': text(), 'after?': text() }),
      'With --fix and --dry-run',
    ),
    'left?': list(object({ ...fixed, 'line?': count(), reason: text() }), 'With --fix and --dry-run'),
  }),
  diff: object({
    added: list(part('capabilityChange')),
    removed: list(part('capabilityChange')),
    changed: list(part('capabilityChange')),
    server: list(part('contractChange'), 'For all capabilities at once'),
    'class?': changeClass,
    ignored: list(object({ 'key?': text(), change: part('contractChange'), reason: text() })),
    semver: choice('major', 'minor', 'patch', 'none'),
  }),
  lock: object({ file: text(), state: text() }),
  call: {
    anyOf: [part('savedCalls'), anything],
    description: 'The answer of the capability, or with --all of the saved calls',
  },
  openapi: {
    anyOf: [part('written'), part('fresh')],
    description: 'Without --output and --check stdout is the document itself',
  },
  client: {
    anyOf: [part('written'), part('fresh')],
    description: 'Without --output and --check stdout is the client itself',
  },
  'ai-context': {
    anyOf: [part('written'), part('fresh')],
    description: 'Without --output and --check stdout is the context itself',
  },
  docs: { anyOf: [object({ markdown: text() }), part('written'), part('fresh')] },
  'sync-ai-context': object({ file: text(), result: text() }),
  generate: object({
    key: text('Of the capability, or the group'),
    'method?': method,
    'path?': text(),
    dryRun: flag(),
    files: list(object({ kind: choice('created', 'changed'), path: text(), 'line?': text() })),
    'notes?': list(text()),
  }),
  new: object({
    name: text(),
    folder: text('Absolute path'),
    files: list(text()),
    capix: text('The version in package.json'),
    packageManager: choice('npm', 'pnpm', 'yarn', 'bun'),
    git: flag(),
    installed: flag(),
    next: list(text()),
  }),
  mcp: object(
    {
      tools: list(
        object({
          name: text(),
          capability: text('Its key'),
          tokens: count('Of its entry in the list of tools'),
          parts: object({ name: count(), description: count(), input: count(), output: count(), annotations: count() }),
          fields: list(object({ part: choice('input', 'output'), name: text(), tokens: count() }), 'The dearest first'),
          isDescribed: flag(),
          advice: list(text(), 'How to make it smaller or clearer'),
        }),
      ),
      tokens: count('Of all tools'),
      listedTokens: count('Of the list that agents get: less than `tokens` where they search the tools'),
      'budget?': count('As `--budget` says'),
    },
    'With --list',
  ),
};

/** The answer of `call --all`. */
export const savedCalls = object({
  calls: list(
    object({
      name: text(),
      call: text(),
      passed: flag(),
      'status?': count(),
      'durationMs?': count(),
      problems: list(text()),
    }),
  ),
  passed: count(),
  failed: count(),
});

/** A line of `capix dev --json`. */
export const devEvent = event(
  'starting',
  'ready',
  'failed',
  'port-taken',
  'exited',
  'own-writes',
  'notice',
  'watch-trouble',
  'request',
  'jobs',
  'job-failed',
  'output',
);

/** A line of `capix start --json`. */
const lives = ['worker-ended', 'worker-started', 'restarting', 'restarted', 'restart-failed'];
export const startEvent = event('ready', ...lives, 'stopping');

/** Each kind of event has fields of its own. */
function event(...kinds) {
  return {
    ...object({ event: choice(...kinds), time: { type: 'string', format: 'date-time' } }),
    additionalProperties: true,
  };
}

/** The failures of all commands; those of a called capability have its own codes, and more to tell. */
export function toFailure(codes) {
  return object({
    ok: { const: false },
    error: {
      anyOf: [
        object({ code: choice(...codes), message: text(), 'hint?': text() }),
        object(
          {
            code: text('Name of the error'),
            message: text(),
            status: count('That of HTTP'),
            'meta?': { type: 'object' },
            'hint?': text(),
          },
          'Of `capix call`, where the capability fails',
        ),
      ],
    },
  });
}

export const toSuccess = (data) => object({ ok: { const: true }, data });
