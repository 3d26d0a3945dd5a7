import type * as Http from 'node:http';
import type * as Https from 'node:https';

/**
 * `node:http` as `require` gives it. An `import` reads every name that the module exports, and from Node 22 on some of
 * them load the WebSocket of browsers: 40 ms of CPU in each process. Whoever observes `node:http` by `require` sees
 * this too.
 */
export function nodeHttp(): typeof Http {
  return process.getBuiltinModule('node:http');
}

/** `node:https` in the same way. */
export function nodeHttps(): typeof Https {
  return process.getBuiltinModule('node:https');
}
