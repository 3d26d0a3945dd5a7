import type * as Http from 'node:http';
import type * as Https from 'node:https';

/** As `require` gives it: an `import` loads the WebSocket of browsers from Node 22 on, 40 ms of CPU in each process. */
export function nodeHttp(): typeof Http {
  return process.getBuiltinModule('node:http');
}

export function nodeHttps(): typeof Https {
  return process.getBuiltinModule('node:https');
}
