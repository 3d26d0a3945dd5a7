/**
 * The shapes of what the command prints with `--json`, as JSON Schemas by name: `data` of each command, and the parts that they share. A name with `?` at its
 * end is a field that may be missing. Objects may get further fields; a test holds that today there are none but these.
 */

import { intent, job, method, offers, shownParts } from './operation-shapes.mjs';
import { anything, choice, count, flag, list, object, part, text } from './schema-words.mjs';

const changeClass = choice('breaking', 'risky', 'safe');

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
    audience: list(choice('http', 'client', 'agents', 'jobs')),
    'before?': text(),
    'after?': text(),
  }),
  capabilityChange: object({
    kind: choice('added', 'removed', 'changed'),
    key: text(),
    class: changeClass,
    route: text('`GET /users/:id`, or `JOB emails.send`'),
    changes: list(part('contractChange')),
  }),
  ...shownParts,
  savedCalls: object({
    calls: list(
      object({
        name: text(),
        call: text('The key of the capability'),
        passed: flag(),
        'status?': count('Missing where the call was not made'),
        'durationMs?': count(),
        problems: list(text()),
      }),
    ),
    passed: count(),
    failed: count(),
  }),
  invalidInput: object({
    issues: list(text(), 'At most 50'),
    fields: list(
      object({ path: text('Empty for the input itself'), message: text(), code: text(), 'received?': anything }),
      'At most 50',
    ),
    'omitted?': count('Beyond these 50'),
  }),
  written: object({ file: text() }, 'with `--output`'),
  fresh: object({ file: text(), isStale: { const: false } }, 'with `--check`; a stale file is the error `StaleFile`'),
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
    'jobs?': list(
      object({ key: text(), ...job, guards: list(text()), 'description?': text(), 'source?': part('source') }),
      'With a queue',
    ),
  }),
  show: { anyOf: [part('shownCapability'), part('shownJob')] },
  check: object({
    capabilityCount: count(),
    problems: list(part('problem')),
    ignored: list(object({ problem: part('problem'), reason: text() })),
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
  lock: object({ file: text(), state: choice('fresh', 'stale', 'missing') }, '`state` is that from before the command'),
  call: { description: 'The answer of the capability: `output` of `capix show` is its schema, if it declares one' },
  openapi: {
    anyOf: [part('written'), part('fresh')],
    description: 'Without either option, stdout is the document itself',
  },
  client: {
    anyOf: [part('written'), part('fresh')],
    description: 'Without either option, stdout is the client itself',
  },
  'ai-context': {
    anyOf: [part('written'), part('fresh')],
    description: 'Without either option, stdout is the context itself',
  },
  docs: { anyOf: [object({ markdown: text() }), part('written'), part('fresh')] },
  'sync-ai-context': object({ file: text(), result: choice('created', 'updated', 'unchanged') }),
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
          fields: list(object({ part: choice('input', 'output'), name: text(), tokens: count() }), 'The largest first'),
          isDescribed: flag(),
        }),
      ),
      tokens: count('Of all tools'),
      listedTokens: count('Of the list that agents get: less than `tokens` where they search the tools'),
      'budget?': count('As `--budget` says'),
    },
    'With `--list`',
  ),
};

/** The failure of a command, with the codes of the tool. */
export const toFailure = (codes) =>
  object({
    ok: { const: false },
    error: object({ code: choice(...codes), message: text(), 'hint?': text() }),
  });

/** The failure of a capability that `capix call` calls. */
export const callFailure = object({
  ok: { const: false },
  error: object({
    code: text('The name of the error, as over HTTP'),
    message: text(),
    status: count('As over HTTP'),
    'meta?': { type: 'object', description: 'As over HTTP. That of an input that does not fit is `invalidInput`' },
    'hint?': text(),
  }),
});

/** `notes`: whether the document has some beside its data. */
export const toSuccess = (data, { notes = false } = {}) =>
  object({ ok: { const: true }, data, ...(notes && { 'notes?': list(text(), 'What is to be known of the answer') }) });
