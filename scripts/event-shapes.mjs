/** The shapes of the lines of `capix dev --json` and `capix start --json`, as JSON Schemas: one for each kind of event. */

import { choice, count, flag, list, number, object, text } from './schema-words.mjs';

const routes = list(
  object({
    method: text('An HTTP method, or the word of another transport'),
    path: text('`/items/:id`'),
    key: text('Of the capability'),
  }),
);
const urls = list(text(), 'Where clients reach the server; empty for a server that does not say it');
const networkUrls = list(text(), 'Where other machines reach it');
const filesOfProject = list(text(), 'Relative to the root of the project');

const startCause = {
  oneOf: [
    object({ kind: { const: 'start' } }),
    object({ kind: { const: 'change' }, files: filesOfProject }),
    object({ kind: { const: 'restart' } }, 'The user asked for it'),
  ],
};

const devFailure = object({
  code: choice('MissingPackage', 'BuildFailed', 'ImportFailed', 'InvalidConfig', 'Crashed', 'NoServer'),
  message: text(),
  'hint?': text(),
  'frame?': text('The lines around the place'),
  'place?': object({ file: text('Absolute path'), line: count('From 1'), column: count('From 1') }),
});

const stillServing = flag('Whether the code before still answers');
const messages = list(text(), 'The same in words');
const notice = (code, fields = {}) => ({ code: { const: code }, ...fields, messages });

/** Parts of the lines of `dev`. */
export const eventParts = { startCause, devFailure };

const cause = { $ref: '#/$defs/startCause' };
const error = { $ref: '#/$defs/devFailure' };

/** The lines of `capix dev --json`. */
export const devEvent = toEvents([
  ['starting', { cause }, 'The server is started'],
  [
    'ready',
    {
      cause,
      durationMs: count('From the change to the first possible answer'),
      urls,
      'networkUrls?': networkUrls,
      routes,
    },
    'The code of `cause` answers from now on',
  ],
  ['failed', { cause, error, stillServing }, 'The code of `cause` could not start'],
  [
    'port-taken',
    { cause, port: count(), 'owner?': object({ pid: count(), 'program?': text() }), stillServing },
    'Another process has the port',
  ],
  [
    'exited',
    { 'exitCode?': { type: 'integer' }, 'signal?': text('`SIGKILL`'), 'error?': error },
    'The server has ended by itself; nothing answers until the next change',
  ],
  ['own-writes', { files: filesOfProject }, 'The server writes these files itself, and is not restarted for that'],
  [
    'notice',
    notice('RequestsCut', { requests: list(object({ method: text(), url: text(), durationMs: count() })) }),
    'Requests had begun when their code was ended',
  ],
  ['notice', notice('Killed', { graceMs: count() }), 'The server did not end in the time that it had'],
  ['notice', notice('StopsFirst', { reason: text() }), 'From now on the server is stopped before its new code starts'],
  ['notice', notice('StartGivenUp', { durationMs: number() }), 'A start took too long while a newer save waited'],
  ['notice', notice('MemoryLost'), 'The code keeps something in memory, which a reload loses; said once'],
  [
    'watch-trouble',
    { code: choice('FilesPolled', 'FilesUnwatched'), message: text(), hint: text() },
    'Saves are seen late (`FilesPolled`), or perhaps not at all',
  ],
  [
    'request',
    {
      method: text(),
      url: text('Path and query; values with the names of secrets are masked'),
      'capability?': text('Its key; missing where no route matched'),
      status: count('0 where the client left before an answer'),
      'bytes?': count('Of the answer, with its head'),
      'requestId?': text(),
      durationMs: number(),
    },
    'A request has ended. Not with `--no-requests`',
  ],
  [
    'jobs',
    {
      queues: list(object({ key: text(), waiting: count(), delayed: count(), active: count(), failed: count() })),
      'trouble?': text('Why a queue does not answer now'),
    },
    'The counts of the jobs have changed',
  ],
  ['output', { stream: choice('stdout', 'stderr'), line: text() }, 'A line that the server wrote'],
]);

const worker = { worker: count('From 1; its successor has the same number'), pid: count() };
const workers = list(object(worker));
const exit = {
  'exitCode?': { type: 'integer' },
  'signalName?': text('`SIGKILL`'),
  'reason?': {
    ...choice('start-timeout', 'hang-timeout'),
    description: 'The option whose time was over, where the command killed the process',
  },
};

/** The lines of `capix start --json`. */
export const startEvent = toEvents([
  ['ready', { urls, networkUrls, routes, workers }, 'The first process serves; `workers` are all that have started'],
  [
    'worker-ended',
    { ...worker, ...exit, restartMs: count('Until another one starts') },
    'A process has ended by itself, or was killed as `reason` says',
  ],
  ['worker-started', worker, 'Another process serves: one of the first, or one that replaces one that has ended'],
  ['restarting', {}, 'All processes are replaced, one by one'],
  ['restarted', { workers }, 'All processes were replaced'],
  [
    'restart-failed',
    { ...worker, ...exit },
    'A process of the new code has ended before it served, or was killed as `reason` says',
  ],
  ['stopping', {}, 'The processes finish their requests'],
]);

/** A choice by `event`, and of notices by `code`. */
function toEvents(events) {
  const time = { type: 'string', format: 'date-time' };
  return {
    oneOf: events.map(([event, fields, description]) =>
      object({ event: { const: event }, time, ...fields }, description),
    ),
  };
}
